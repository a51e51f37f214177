/** A blob storage in memory, under the hash of each blob. It has no limit of its own: `blob-pool.ts` sets one. */
import { createArrivals, type Arrivals } from './arrivals.ts';
import { createArrivingBytes, freeHeld, openHeld, sizeOfHeld, type HeldBytes } from './held-bytes.ts';
import { findBlob } from './find-blob.ts';
import { receiveBody } from './receive-body.ts';
import type { BlobStorage, ReceivedBlob, ReceiveOptions } from '../../openapi/openapi-records.ts';

/** The bytes end with the process. */
export const createMemoryBlobStorage = (): BlobStorage => {
  const blobs = new Map<string, HeldBytes>();
  const arrivals = createArrivals(async (key) => {
    const bytes = blobs.get(key);
    blobs.delete(key);
    if (bytes !== undefined) await freeHeld(bytes);
  });
  const isWhole = ({ key, size }: { readonly key: string; readonly size: number }): Promise<boolean> => {
    const bytes = blobs.get(key);
    return Promise.resolve(bytes !== undefined && sizeOfHeld(bytes) === size);
  };
  return {
    receive: (source, options) => receiveInto({ blobs, arrivals }, source, options),
    find: ({ size, sha256 }) => findBlob({ arrivals }, { key: sha256, size, sha256 }, isWhole),
    open: async (blob, range) => {
      const bytes = blobs.get(blob.key);
      return bytes === undefined || sizeOfHeld(bytes) !== blob.size ? undefined : openHeld(bytes, range);
    },
    sweep: arrivals.sweep,
    keys: async () => [...blobs.keys()].sort(),
  };
};

type Memory = { readonly blobs: Map<string, HeldBytes>; readonly arrivals: Arrivals };

const receiveInto = async (
  { blobs, arrivals }: Memory,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const arriving = createArrivingBytes();
  const received = await receiveBody(source, options, async (chunk) => arriving.add(chunk)).catch(
    async (error: unknown) => {
      await arriving.giveUp();
      throw error;
    },
  );
  const { size, sha256 } = received;
  const bytes = arriving.end();
  let isKept = false;
  return {
    ...received,
    keep: async () => {
      await arrivals.begin(sha256, () => blobs.has(sha256));
      isKept = true;
      if (blobs.has(sha256)) await freeHeld(bytes);
      else blobs.set(sha256, bytes);
      return { key: sha256, size, sha256 };
    },
    settle: () => arrivals.settle(sha256),
    discard: async () => {
      await (isKept ? arrivals.giveUp(sha256) : freeHeld(bytes));
    },
  };
};
