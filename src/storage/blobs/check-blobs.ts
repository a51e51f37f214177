/** Compares stored bytes with the hash in their record, and has the error of bytes that turn out to be others while they are read. */
import { createHash } from 'node:crypto';
import { chunksOf } from '../../basics/byte-streams.ts';
import { errorCode } from '../../basics/error-code.ts';
import type { BlobStorage, BlobReference } from '../../openapi/openapi-records.ts';

const changedCode = 'ATOLL_BYTES_CHANGED';

/** The error with which a stream ends then. */
export const bytesChanged = (): Error =>
  Object.assign(new Error('The bytes are not the ones that were stored.'), { code: changedCode });

export const isBytesChanged = (error: unknown): boolean => errorCode(error) === changedCode;

/** `absent`: the bytes are missing or have another length. `changed`: their hash differs. */
export type BlobState = 'whole' | 'absent' | 'changed';

/** Reads a blob to the end and returns its state. Waits for `pace` after each chunk. */
export const blobState = async (
  blob: BlobReference,
  storage: Pick<BlobStorage, 'open'> | undefined,
  pace?: (bytes: number) => Promise<void>,
): Promise<BlobState> => {
  const stream = await storage?.open(blob);
  if (stream === undefined) return 'absent';
  const sum = createHash('sha256');
  try {
    for await (const chunk of chunksOf(stream)) {
      sum.update(chunk);
      await pace?.(chunk.byteLength);
    }
  } catch (error) {
    if (isBytesChanged(error)) return 'changed';
    throw error;
  }
  return sum.digest('hex') === blob.sha256 ? 'whole' : 'changed';
};
