/** Keeps space on the disk, so that removals can still be written when the disk is full. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../basics/error-code.ts';
import type { Files, OpenFile } from '../../basics/disk/files.ts';
import { reserveName } from './store-files.ts';

/** The reserve grows and shrinks by pieces. */
const pieceBytes = 256 * 1024;

/** For a checkpoint of the rest when all else is removed. */
const checkpointBytes = 192 * 1024;

/** More than the line that removes one record. */
const bytesPerRecord = 256;

/** How much space counts as space. */
const probeBytes = 64 * 1024;

/** How much is written between two syncs. */
const stepBytes = 1024 * 1024;

/** Continues with what an earlier process has reserved. It must have room to remove every record. */
export const openReserve = async (files: Files, directory: string, countRecords: () => number) => {
  const path = join(directory, reserveName);
  const found = await ifThere(lstat(path));
  let held = found?.isFile() === true ? found.size - (found.size % pieceBytes) : 0;
  let failure: unknown;

  const wanted = (): number => pieceBytes * Math.ceil((checkpointBytes + countRecords() * bytesPerRecord) / pieceBytes);
  const shrinkTo = async (bytes: number): Promise<void> => {
    if (bytes === 0) await files.remove(path);
    else {
      const file = await files.reopen(path);
      try {
        await file.truncate(bytes);
      } finally {
        await file.close();
      }
    }
    held = bytes;
  };
  const grow = async (bytes: number): Promise<boolean> => {
    const file = held === 0 ? await files.create(path) : await files.reopen(path);
    failure = await writeDots(file, bytes, held);
    if (failure === undefined) held += bytes;
    return failure === undefined;
  };

  return {
    heldBytes: () => held,
    /** Less is held than the records need. */
    isShort: () => held < wanted(),
    failure: () => failure,
    /** Reserves the missing bytes. Resolves with false when it cannot; then it keeps what it had. */
    fill: async (): Promise<boolean> => {
      while (held < wanted()) {
        if (await grow(Math.min(wanted() - held, stepBytes))) continue;
        await shrinkTo(held);
        return false;
      }
      return true;
    },
    /** Whether there is space besides the reserve. */
    hasRoom: async (): Promise<boolean> => {
      const before = held;
      const isThere = await grow(probeBytes);
      await shrinkTo(before);
      return isThere;
    },
    /** Frees one piece. Resolves with false when none is held. */
    releasePiece: async (): Promise<boolean> => {
      if (held === 0) return false;
      await shrinkTo(held - pieceBytes);
      return true;
    },
    releaseAll: () => shrinkTo(0),
  };
};

/** Resolves with the error, if there is one. */
const writeDots = async (file: OpenFile, bytes: number, position: number): Promise<unknown> => {
  try {
    await file.write(Buffer.alloc(bytes, '.'), position);
    await file.sync();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await file.close();
  }
};
