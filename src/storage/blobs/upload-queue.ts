/** Lets a number of uploads arrive at once and the others wait, first come, first served. What arrives is not known here. */
import type { BlobStorage } from '../../model/blob-storage.ts';

/** Takes a turn and resolves with the function that gives it back. */
export type UploadQueue = { take(): Promise<() => void> };

/** `atOnce` turns. Nobody is refused (decisions: Uploads above a parallel limit wait). */
export const createUploadQueue = (atOnce: number): UploadQueue => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const giveBack = (): void => {
    const next = waiting.shift();
    // The turn is handed on, so the number that are taken stays as it is.
    if (next === undefined) taken -= 1;
    else next();
  };
  return {
    take: async () => {
      if (taken < atOnce) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return giveBack;
    },
  };
};

/** The same storage, whose `receive` waits for its turn. While it waits nothing is read, so the client waits too. */
export const withUploadQueue = (storage: BlobStorage, turns: UploadQueue): BlobStorage => ({
  ...storage,
  receive: async (source, options) => {
    const giveBack = await turns.take();
    try {
      return await storage.receive(source, options);
    } finally {
      giveBack();
    }
  },
});
