/** Keeps a part of the disk free for the records, so that uploads cannot fill it. */
import { statfs } from 'node:fs/promises';
import { outOfSpace } from '../../core/problem.ts';
import { smallBytes } from './receive-body.ts';

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

/** Throws 507 when `bytes` more would leave less than the floor. */
export type RequireSpace = (bytes: number) => Promise<void>;

/** Nothing fills so much within `plentyMs`. */
const plentyBytes = 1024 * 1024 * 1024;
const plentyMs = 100;

type SpaceOptions = {
  /** Called when space is missing, before the refusal. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
  /** In milliseconds. */
  readonly now?: () => number;
};

/**
 * Measures the file system of the directory. For small bodies a measurement counts a tenth of a second, as long as it left much
 * more than the floor. Without a floor it measures nothing.
 */
export const requireSpaceIn = (
  space: FreeSpace | undefined,
  directory: string,
  { makeRoom, now = () => performance.now() }: SpaceOptions = {},
): RequireSpace => {
  let plentyUntil = -Infinity;
  return async (bytes) => {
    if (space === undefined || space.floorBytes === 0) return;
    if (bytes <= smallBytes && now() < plentyUntil) return;
    const measure = async () => (await space.freeBytes(directory)) - bytes - space.floorBytes;
    let left = await measure();
    if (left < 0 && makeRoom !== undefined) left = await makeRoom().then(measure);
    if (left < 0) throw outOfSpace();
    plentyUntil = left >= plentyBytes ? now() + plentyMs : -Infinity;
  };
};
