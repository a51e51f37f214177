/** Bytes in memory, up to a limit, over a read-only storage where a world was forked from another. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { outOfSpace } from '../../problem.ts';
import type { BlobStorage, ReceivedBlob, ReceiveOptions } from '../../model/blob-storage.ts';
import { takeIn } from './intake.ts';

export type MemoryBlobStorageOptions = {
  /** Kept and arriving bytes together; 256 MiB. Over it: 507. */
  readonly maxBytes?: number | undefined;
  /** Answers for names that are not here. Never written to: what is removed is only hidden. */
  readonly base?: BlobStorage | undefined;
};

/** Lives and ends with the process. */
export const createMemoryBlobStorage = (options: MemoryBlobStorageOptions = {}): BlobStorage => {
  const { base } = options;
  const blobs = new Map<string, Buffer>();
  const hidden = new Set<string>();
  const room = createRoom(options.maxBytes ?? 256 * 1024 * 1024);

  return {
    receive: (source, receiveOptions) => receiveInto({ room, blobs }, source, receiveOptions),
    open: (blob, range) => {
      const bytes = blobs.get(blob.key);
      if (bytes === undefined) {
        return base === undefined || hidden.has(blob.key) ? Promise.resolve(undefined) : base.open(blob, range);
      }
      if (bytes.byteLength !== blob.size) return Promise.resolve(undefined);
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return Promise.resolve(Readable.from([part], { objectMode: false }));
    },
    remove: (key) => {
      const bytes = blobs.get(key);
      if (bytes === undefined) hidden.add(key);
      else room.giveBack(bytes.byteLength);
      blobs.delete(key);
      return Promise.resolve();
    },
    keys: async () => [...blobs.keys(), ...((await base?.keys()) ?? []).filter((key) => !hidden.has(key))].sort(),
  };
};

type Place = { readonly room: Room; readonly blobs: Map<string, Buffer> };

const receiveInto = async (
  { room, blobs }: Place,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  // Real chance, so that the names of a fork and of what it was forked from never meet.
  const key = `memory/${randomUUID()}`;
  const chunks: Buffer[] = [];
  const letGo = (): void => {
    for (const chunk of chunks.splice(0)) room.giveBack(chunk.byteLength);
  };
  try {
    const intake = await takeIn(source, options, (chunk) => {
      room.take(chunk.byteLength);
      chunks.push(Buffer.from(chunk));
      return Promise.resolve();
    });
    const { size, sha256 } = intake;
    return {
      ...intake,
      keep: () => {
        blobs.set(key, Buffer.concat(chunks.splice(0)));
        return Promise.resolve({ key, size, sha256 });
      },
      discard: () => {
        letGo();
        if (blobs.delete(key)) room.giveBack(size);
        return Promise.resolve();
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
};

type Room = { take(bytes: number): void; giveBack(bytes: number): void };

const createRoom = (maxBytes: number): Room => {
  let used = 0;
  return {
    take: (bytes: number): void => {
      if (used + bytes > maxBytes) throw outOfSpace();
      used += bytes;
    },
    giveBack: (bytes: number): void => {
      used -= bytes;
    },
  };
};
