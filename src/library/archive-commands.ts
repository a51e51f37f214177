/** Takes a whole repository out of a world, and puts one into a world, by any `fetch`. */
import { valueAt } from '../basics/json-pointer.ts';
import { parsedJson } from '../basics/json.ts';
import { CommandRefusal, type ServerConnection } from './control-command.ts';
import type { components } from '../generated/control.ts';

type ImportedRepository = components['schemas']['Imported'];

/** The commands of a world that send and take archives. A refused command rejects with an `Error` that has a `status`. */
export type ArchiveCommands = {
  /** All records and bytes as they are now, as a tar, which is made while it is read. It ends with an error when it is cut. */
  exportRepository(): Promise<ReadableStream<Uint8Array>>;
  /** Replaces everything in the world by such a tar. When it is refused, nothing changes. */
  importRepository(archive: Blob | ReadableStream<Uint8Array>): Promise<ImportedRepository>;
};

export const archiveCommands = ({ fetch, headers }: ServerConnection, worldUrl: string): ArchiveCommands => {
  const ask = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const address = `${worldUrl.replace(/\/$/, '')}/_atoll${path}`;
    const response = await fetch(address, { ...init, method });
    if (response.ok) return response;
    throw new CommandRefusal(`${method} ${address}`, response.status, messageIn(await response.text()));
  };
  return {
    exportRepository: async () => {
      const { body } = await ask('GET', '/export', { headers });
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    importRepository: async (body) => {
      // A stream is sent while it is made; the answer comes after it. TypeScript's types of the browser do not know `duplex`.
      const init: RequestInit & { readonly duplex: 'half' } = {
        ...{ headers: { ...headers, 'Content-Type': 'application/x-tar' }, body, duplex: 'half' },
      };
      const response = await ask('POST', '/import', init);
      return (await response.json()) as ImportedRepository; // the server has checked it against the document
    },
  };
};

/** The message of a refusal. Undefined when it is no Atoll's. */
const messageIn = (text: string): string | undefined => {
  const message = valueAt(parsedJson(text), ['message']);
  return typeof message === 'string' ? message : undefined;
};
