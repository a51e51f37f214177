/** Makes a storage in memory whose equal bytes are kept once: most files of a sample are equal to another. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { headBytes, type BlobStorage } from '../../../core/model/blob-storage.ts';
import { tooLarge } from '../../../core/problem.ts';

/** Nothing is removed from it: worlds that are made from the sample share it. */
export const createHeldBytes = (): BlobStorage => {
  const held = new Map<string, Buffer>();
  return {
    receive: async (source, { maxBytes }) => {
      const parts: Uint8Array[] = [];
      for await (const part of source) parts.push(part);
      const bytes = Buffer.concat(parts);
      const size = bytes.length;
      if (size > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const key = sha256.slice(0, 32);
      return {
        ...{ size, sha256, head: [bytes.subarray(0, headBytes)] },
        keep: () => {
          if (!held.has(key)) held.set(key, bytes);
          return Promise.resolve({ key, size, sha256 });
        },
        discard: () => Promise.resolve(),
      };
    },
    open: ({ key, size }, range) => {
      const bytes = held.get(key);
      if (bytes?.length !== size) return Promise.resolve(undefined);
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return Promise.resolve(Readable.from([part], { objectMode: false }));
    },
    remove: () => Promise.resolve(),
    keys: () => Promise.resolve([...held.keys()].sort()),
  };
};
