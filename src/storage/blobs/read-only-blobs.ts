/** Makes a storage of bytes that are there already: those of a fixture, an archive, an export or a recording. */
import type { BlobStorage } from '../../openapi/openapi-records.ts';

/** `name` says in an error what is only read. */
export const readOnlyBlobs = (name: string, reading: Pick<BlobStorage, 'open' | 'keys'>): BlobStorage => {
  const refuse = (): Promise<never> => Promise.reject(new Error(`${name} is only read.`));
  return { ...reading, receive: refuse, sweep: refuse };
};
