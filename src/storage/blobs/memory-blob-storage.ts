/** A blob storage in memory with a limit. In a forked world it reads other blobs from the original world's storage. */
import { outOfSpace } from '../../core/problem.ts';
import type { BlobStorage, ReceivedBlob, ReceiveOptions } from '../../core/model/blob-storage.ts';
import { createArrivals, type Arrivals } from './arrivals.ts';
import { heldBytes, openHeld, sizeOfHeld, type HeldBytes } from './held-bytes.ts';
import { receiveBody } from './receive-body.ts';

type MemoryBlobStorageOptions = {
  /** The limit for kept and arriving bytes together; 256 MiB. Beyond it, `receive` rejects with 507. */
  readonly maxBytes?: number | undefined;
  /** Answers for other names. It is never changed. */
  readonly base?: Pick<BlobStorage, 'open' | 'keys'> | undefined;
  /** Removes what nothing needs any more. Called when the limit is reached. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
};

/** The bytes end with the process. */
export const createMemoryBlobStorage = (options: MemoryBlobStorageOptions = {}): BlobStorage => {
  const { base, maxBytes = 256 * 1024 * 1024, makeRoom } = options;
  const blobs = new Map<string, HeldBytes>();
  const budget = createMemoryBudget(maxBytes, makeRoom);
  const arrivals = createArrivals((key) => {
    const bytes = blobs.get(key);
    if (bytes !== undefined && blobs.delete(key)) budget.release(sizeOfHeld(bytes));
    return Promise.resolve();
  });
  const memory = { blobs, budget, arrivals };
  return {
    receive: (source, receiveOptions) => receiveInto(memory, source, receiveOptions),
    open: (blob, range) => {
      const bytes = blobs.get(blob.key);
      if (bytes === undefined) return base === undefined ? Promise.resolve(undefined) : base.open(blob, range);
      return Promise.resolve(sizeOfHeld(bytes) === blob.size ? openHeld(bytes, range) : undefined);
    },
    sweep: arrivals.sweep,
    probe: budget.requireRoom,
    keys: async () => [...new Set([...blobs.keys(), ...((await base?.keys()) ?? [])])].sort(),
  };
};

type Memory = { readonly blobs: Map<string, HeldBytes>; readonly budget: MemoryBudget; readonly arrivals: Arrivals };

const receiveInto = async (
  { blobs, budget, arrivals }: Memory,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const chunks: Uint8Array[] = [];
  const releaseChunks = (): void => {
    for (const chunk of chunks.splice(0)) budget.release(chunk.byteLength);
  };
  try {
    const received = await receiveBody(source, options, async (chunk) => {
      const copy = chunk.slice();
      await budget.reserve(copy.byteLength);
      chunks.push(copy);
    });
    const { size, sha256 } = received;
    let isKept = false;
    return {
      ...received,
      keep: async () => {
        await arrivals.begin(sha256, () => blobs.has(sha256));
        isKept = true;
        if (blobs.has(sha256)) releaseChunks();
        else blobs.set(sha256, heldBytes(chunks.splice(0)));
        return { key: sha256, size, sha256 };
      },
      settle: () => arrivals.settle(sha256),
      discard: async () => {
        releaseChunks();
        if (isKept) await arrivals.giveUp(sha256);
      },
    };
  } catch (error) {
    releaseChunks();
    throw error;
  }
};

/** A part of the limit as small as this is little room: 4 of 256 MiB. */
const fewParts = 64;

type MemoryBudget = ReturnType<typeof createMemoryBudget>;

const createMemoryBudget = (maxBytes: number, makeRoom?: () => Promise<void>) => {
  let used = 0;
  return {
    reserve: async (bytes: number): Promise<void> => {
      if (used + bytes > maxBytes) await makeRoom?.();
      if (used + bytes > maxBytes) throw outOfSpace();
      used += bytes;
    },
    /** Rejects when a body of some size would hardly fit. */
    requireRoom: async (): Promise<void> => {
      const wanted = maxBytes / fewParts;
      if (used + wanted > maxBytes) await makeRoom?.();
      if (used + wanted > maxBytes) throw outOfSpace();
    },
    release: (bytes: number): void => {
      used -= bytes;
    },
  };
};
