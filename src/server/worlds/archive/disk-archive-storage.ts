/** Keeps the bytes of an arriving archive on disk until the import ends. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskBlobStorage, writeProblem } from '../../../storage/storage.ts';
import type { OpenArchiveStorage } from './archive-storage.ts';

type DiskOptions = {
  readonly directory: string;
  /** What stays free on the disk. An import that needs it is refused with 507. */
  readonly freeBytes: number;
  /** The directory is used here alone: what is in it was left by an earlier start, and is removed. */
  readonly isOwn: boolean;
};

/** Each import has a new folder in the directory. Opening one rejects with a Problem when the disk takes nothing. */
export const openDiskArchiveStorage = ({ directory, freeBytes, isOwn }: DiskOptions): OpenArchiveStorage => {
  let cleared: Promise<void> | undefined;
  const openFolder = async (): Promise<string> => {
    if (isOwn) await (cleared ??= rm(directory, { recursive: true, force: true }));
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return mkdtemp(join(directory, 'import-'));
  };
  return async () => {
    const folder = await openFolder().catch((error: unknown) => {
      throw writeProblem(error);
    });
    const blobs = await openDiskBlobStorage({ directory: folder, durability: 'os', freeBytes });
    return { blobs, close: () => rm(folder, { recursive: true, force: true }) };
  };
};

/** In the directory for temporary files, for a server whose records are in a database. */
export const openTemporaryArchiveStorage = (freeBytes: number): OpenArchiveStorage =>
  openDiskArchiveStorage({ directory: join(tmpdir(), 'atoll-imports'), freeBytes, isOwn: false });
