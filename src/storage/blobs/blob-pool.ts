/** Keeps the bytes of several blob storages in one place with one limit: those of all worlds of a server. Equal bytes are there once. */
import { shareNextRun } from '../../basics/semaphore.ts';
import { createArrivals } from './arrivals.ts';
import { outOfSpace } from '../../openapi/openapi-terms.ts';
import type { BlobReference, BlobStorage, ReceivedBlob } from '../../openapi/openapi-records.ts';

/** A storage whose own bytes are in the pool. */
export type PooledBlobStorage = BlobStorage & {
  /** Its own blobs, without those of its base. */
  ownBlobs(): readonly BlobReference[];
  /** Nothing reads the storage any more, so its bytes go. Those of an upload that is under way go when it ends. */
  close(): void;
};

type PooledStorageOptions = {
  /** Answers for other names. It is never changed. */
  readonly base?: Pick<BlobStorage, 'open' | 'keys'> | undefined;
  /** Removes from this storage what nothing needs any more. Called when the limit is reached. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
};

export type BlobPool = {
  openStorage(options?: PooledStorageOptions): PooledBlobStorage;
  /** Removes what nothing needs any more in any of the storages. */
  makeRoom(): Promise<void>;
  /** Resolves when what the storages have given up is removed. */
  swept(): Promise<void>;
};

type BlobPoolOptions = {
  /** Has the bytes, under their hash. Nothing else may use it. */
  readonly storage: BlobStorage;
  /** The limit for the kept and arriving bytes of all storages together. Beyond it, `receive` rejects with 507. */
  readonly maxBytes: number;
};

export const createBlobPool = ({ storage, maxBytes }: BlobPoolOptions): BlobPool => {
  const makers = new Set<() => Promise<void>>();
  const makeRoom = async (): Promise<void> => {
    for (const make of makers) await make();
    await claims.sweep();
  };
  const budget = createByteBudget(maxBytes, makeRoom);
  const claims = createClaims(storage, budget);
  return {
    openStorage: (options = {}) => {
      if (options.makeRoom !== undefined) makers.add(options.makeRoom);
      const pooled = createPooledStorage({ storage, budget, claims }, options);
      return {
        ...pooled,
        close: () => {
          if (options.makeRoom !== undefined) makers.delete(options.makeRoom);
          pooled.close();
        },
      };
    },
    makeRoom,
    swept: claims.sweep,
  };
};

type Pool = { readonly storage: BlobStorage; readonly budget: ByteBudget; readonly claims: Claims };

const createPooledStorage = (pool: Pool, { base }: PooledStorageOptions): PooledBlobStorage => {
  const { storage, budget, claims } = pool;
  const own = createOwnBlobs(claims);
  return {
    receive: async (source, options) => {
      const share = budget.openShare();
      try {
        await budget.requireRoom(options.expectedBytes ?? 0);
        return own.keepable(await storage.receive(reserving(source, share, options.maxBytes), options), share);
      } catch (error) {
        share.release();
        throw error;
      }
    },
    find: async (bytes) => {
      // Bytes that nobody claims may be going just now.
      const found = claims.has(bytes.sha256) ? await storage.find?.(bytes) : undefined;
      return found && own.keepable(found, budget.openShare());
    },
    open: (blob, range) => {
      if (own.has(blob.key)) return storage.open(blob, range);
      return base === undefined ? Promise.resolve(undefined) : base.open(blob, range);
    },
    sweep: own.sweep,
    probe: () => budget.requireRoom(budget.little),
    keys: async () => [...new Set([...own.blobs().map(({ key }) => key), ...((await base?.keys()) ?? [])])].sort(),
    ownBlobs: own.blobs,
    close: own.close,
  };
};

/** The blobs that one storage has claimed. */
const createOwnBlobs = (claims: Claims) => {
  const blobs = new Map<string, BlobReference>();
  let isClosed = false;
  const arrivals = createArrivals(async (name) => {
    if (blobs.delete(name)) await claims.drop([name]);
  });
  const dropIfClosed = (name: string): void => {
    if (isClosed && blobs.delete(name)) void claims.drop([name]);
  };
  return {
    has: (name: string): boolean => blobs.has(name),
    blobs: (): readonly BlobReference[] => [...blobs.values()],
    sweep: arrivals.sweep,
    /** `share` has the room for the body. */
    keepable: (received: ReceivedBlob, share: Share): ReceivedBlob => {
      const { sha256: name } = received;
      let isKept = false;
      return {
        ...received,
        keep: async () => {
          await arrivals.begin(name, () => blobs.has(name));
          const blob = await received.keep().catch(async (error: unknown) => {
            share.release();
            await arrivals.giveUp(name);
            throw error;
          });
          if (blobs.has(name)) share.release();
          else claims.add(blob, share);
          blobs.set(name, blob);
          received.settle();
          isKept = true;
          return blob;
        },
        settle: () => {
          arrivals.settle(name);
          dropIfClosed(name);
        },
        discard: async () => {
          if (isKept) return arrivals.giveUp(name).finally(() => dropIfClosed(name));
          share.release();
          return received.discard();
        },
      };
    },
    close: (): void => {
      isClosed = true;
      void claims.drop([...blobs.keys()]);
      blobs.clear();
    },
  };
};

/**
 * Reserves room for each chunk before the storage gets it. A body that is too large is refused as that. No generator, which would close
 * the source of a refused body: it may be a request that still needs an answer.
 */
const reserving = (
  source: AsyncIterable<Uint8Array>,
  share: Share,
  maxBytes: number,
): AsyncIterable<Uint8Array, undefined> => ({
  [Symbol.asyncIterator]: () => {
    const chunks = source[Symbol.asyncIterator]();
    let size = 0;
    return {
      next: async () => {
        const next = await chunks.next();
        if (next.done === true) return { done: true, value: undefined };
        size += next.value.byteLength;
        if (size <= maxBytes) await share.reserve(next.value.byteLength);
        return next;
      },
    };
  },
});

/** A blob, and how many storages have it. */
type ClaimedBlob = { readonly size: number; claims: number };

type Claims = ReturnType<typeof createClaims>;

/** Counts the storages that have a blob, and removes it when there are none. */
const createClaims = (storage: BlobStorage, budget: ByteBudget) => {
  const blobs = new Map<string, ClaimedBlob>();
  const unclaimed = new Map<string, ClaimedBlob>();

  const sweep = shareNextRun(async (): Promise<void> => {
    if (unclaimed.size === 0) return;
    const due = new Map(unclaimed);
    for (const key of await storage.sweep(() => Promise.resolve(due.keys()))) {
      const blob = due.get(key);
      // Not when an upload has brought it again meanwhile.
      if (blob === undefined || unclaimed.get(key) !== blob) continue;
      unclaimed.delete(key);
      blobs.delete(key);
      budget.release(blob.size);
    }
  });
  return {
    has: (key: string): boolean => (blobs.get(key)?.claims ?? 0) > 0,
    /** One more storage has the blob, for which `share` has room. */
    add: ({ key, size }: BlobReference, share: Share): void => {
      const known = blobs.get(key);
      if (known === undefined) share.keep();
      else share.release();
      if (known !== undefined && known.claims > 0) known.claims += 1;
      else blobs.set(key, { size, claims: 1 });
      unclaimed.delete(key);
    },
    /** A storage has these blobs no longer. Resolves when those that nothing else has are removed. */
    drop: async (keys: readonly string[]): Promise<void> => {
      for (const key of keys) {
        const blob = blobs.get(key);
        if (blob === undefined) continue;
        blob.claims -= 1;
        if (blob.claims === 0) unclaimed.set(key, blob);
      }
      if (unclaimed.size > 0) await sweep();
    },
    sweep,
  };
};

/** A part of the limit as small as this is little room: 4 of 256 MiB. */
const fewParts = 64;

type ByteBudget = ReturnType<typeof createByteBudget>;

/** The room that one body has. */
type Share = ReturnType<ByteBudget['openShare']>;

const createByteBudget = (maxBytes: number, makeRoom: () => Promise<void>) => {
  let used = 0;
  const requireRoom = async (bytes: number): Promise<void> => {
    if (used + bytes > maxBytes) await makeRoom();
    if (used + bytes > maxBytes) throw outOfSpace();
  };
  const release = (bytes: number): void => {
    used -= bytes;
  };
  return {
    /** With less room than this, a larger body would hardly fit. */
    little: maxBytes / fewParts,
    requireRoom,
    release,
    openShare: () => {
      let reserved = 0;
      let isOpen = true;
      const end = (): number => {
        const bytes = reserved;
        reserved = 0;
        isOpen = false;
        return bytes;
      };
      return {
        reserve: async (bytes: number): Promise<void> => {
          await requireRoom(bytes);
          // A chunk can come after the upload was given up.
          if (!isOpen) return;
          used += bytes;
          reserved += bytes;
        },
        /** The bytes stay, and another call gives their room back. */
        keep: (): void => void end(),
        release: (): void => release(end()),
      };
    },
  };
};
