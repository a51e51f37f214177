/** Makes a storage of bytes that stay in the files of their author. An upload hashes and measures them, and nothing is copied. */
import { createHash } from 'node:crypto';
import { headBytes, type BlobStorage } from '../../../core/model/blob-storage.ts';
import { tooLarge } from '../../../core/problem.ts';
import { openBytes } from '../../../storage/export/export-directory.ts';
import { blobNameOf } from '../../../storage/export/export-format.ts';

export type SourceBytes = {
  readonly blobs: BlobStorage;
  /** Bytes that are received from now on are those of this file. */
  use(path: string): void;
  /** The next bytes that are received are those of this file. */
  useOnce(path: string): void;
};

/** A storage whose blobs are the files that were in use when their bytes were received. */
export const createSourceBytes = (): SourceBytes => {
  const paths = new Map<string, string>();
  let current = '';
  let next: string | undefined;
  const receive: BlobStorage['receive'] = async (source, { maxBytes }) => {
    const path = next ?? current;
    next = undefined;
    const sum = createHash('sha256');
    const head: Uint8Array[] = [];
    let size = 0;
    for await (const bytes of source) {
      if (size < headBytes) head.push(bytes.subarray(0, headBytes - size));
      size += bytes.byteLength;
      if (size > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
      sum.update(bytes);
    }
    const sha256 = sum.digest('hex');
    const key = blobNameOf(path, sha256);
    paths.set(key, path);
    return {
      ...{ size, sha256, head },
      keep: () => Promise.resolve({ key, size, sha256 }),
      discard: () => Promise.resolve(),
    };
  };
  const blobs: BlobStorage = {
    receive,
    open: async ({ key, size }, range) => {
      const path = paths.get(key);
      return path === undefined ? undefined : openBytes(path, size, range);
    },
    remove: () => Promise.resolve(),
    keys: () => Promise.resolve([...paths.keys()].sort()),
  };
  return {
    blobs,
    use: (path) => {
      current = path;
    },
    useOnce: (path) => {
      next = path;
    },
  };
};
