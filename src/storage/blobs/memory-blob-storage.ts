/** A blob storage in memory with a limit. In a forked world it reads other blobs from the original world's storage. */
import { randomUUID } from 'node:crypto';
import { outOfSpace } from '../../core/problem.ts';
import type { BlobStorage, ReceivedBlob, ReceiveOptions } from '../../core/model/blob-storage.ts';
import { heldBytes, openHeld, sizeOfHeld, type HeldBytes } from './held-bytes.ts';
import { receiveBody } from './receive-body.ts';

type MemoryBlobStorageOptions = {
  /** The limit for kept and arriving bytes together; 256 MiB. Beyond it, `receive` rejects with 507. */
  readonly maxBytes?: number | undefined;
  /** Answers for other names. It is never changed: a removed blob of `base` is only hidden. */
  readonly base?: BlobStorage | undefined;
};

/** The bytes end with the process. */
export const createMemoryBlobStorage = (options: MemoryBlobStorageOptions = {}): BlobStorage => {
  const { base } = options;
  const blobs = new Map<string, HeldBytes>();
  const hidden = new Set<string>();
  const budget = createMemoryBudget(options.maxBytes ?? 256 * 1024 * 1024);

  return {
    receive: (source, receiveOptions) => receiveInto(blobs, budget, source, receiveOptions),
    open: (blob, range) => {
      const bytes = blobs.get(blob.key);
      if (bytes === undefined) {
        return base === undefined || hidden.has(blob.key) ? Promise.resolve(undefined) : base.open(blob, range);
      }
      return Promise.resolve(sizeOfHeld(bytes) === blob.size ? openHeld(bytes, range) : undefined);
    },
    remove: (key) => {
      const bytes = blobs.get(key);
      if (bytes === undefined) hidden.add(key);
      else budget.release(sizeOfHeld(bytes));
      blobs.delete(key);
      return Promise.resolve();
    },
    keys: async () => [...blobs.keys(), ...((await base?.keys()) ?? []).filter((key) => !hidden.has(key))].sort(),
  };
};

const receiveInto = async (
  blobs: Map<string, HeldBytes>,
  budget: MemoryBudget,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  // Truly random, so that the names of a fork and of its original never collide.
  const key = `memory/${randomUUID()}`;
  const chunks: Uint8Array[] = [];
  const releaseChunks = (): void => {
    for (const chunk of chunks.splice(0)) budget.release(chunk.byteLength);
  };
  try {
    const received = await receiveBody(source, options, (chunk) => {
      budget.reserve(chunk.byteLength);
      chunks.push(chunk.slice());
      return Promise.resolve();
    });
    const { size, sha256 } = received;
    return {
      ...received,
      keep: () => {
        blobs.set(key, heldBytes(chunks.splice(0)));
        return Promise.resolve({ key, size, sha256 });
      },
      discard: () => {
        releaseChunks();
        if (blobs.delete(key)) budget.release(size);
        return Promise.resolve();
      },
    };
  } catch (error) {
    releaseChunks();
    throw error;
  }
};

type MemoryBudget = ReturnType<typeof createMemoryBudget>;

const createMemoryBudget = (maxBytes: number) => {
  let used = 0;
  return {
    reserve: (bytes: number): void => {
      if (used + bytes > maxBytes) throw outOfSpace();
      used += bytes;
    },
    release: (bytes: number): void => {
      used -= bytes;
    },
  };
};
