/** Keeps a part of the disk free for the records, so that uploads cannot fill it. */
import { statfs } from 'node:fs/promises';
import { outOfSpace } from '../../problem.ts';

/** What must stay free, and the function that measures it. */
export type FreeSpace = {
  readonly floorBytes: number;
  /** Bytes that an ordinary user may still write in the directory's file system. */
  readonly freeBytes: (directory: string) => Promise<number>;
};

/** The real disk with a floor. */
export const freeSpaceAbove = (floorBytes: number): FreeSpace => ({
  floorBytes,
  freeBytes: async (directory) => {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  },
});

/** Throws 507 when `bytes` more would leave less than the floor. Without a floor it measures nothing. */
export const requireSpace = async (space: FreeSpace | undefined, directory: string, bytes: number): Promise<void> => {
  if (space === undefined || space.floorBytes === 0) return;
  if ((await space.freeBytes(directory)) - bytes < space.floorBytes) throw outOfSpace();
};
