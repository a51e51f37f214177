/** Appends batches to the newest journal. Handles failed writes, and keeps a reserve for a full disk. */
import { join } from 'node:path';
import { writeWhole, type Files } from '../../basics/disk/files.ts';
import { openBatchWriter, reopenJournal, type BatchWriterOptions } from './batch-writer.ts';
import { journalHeader, type JournalEnd } from './journal-file.ts';
import { openReserve } from './space-reserve.ts';
import { formatVersion, journalName } from './store-files.ts';
import { isSpaceError } from '../write-problem.ts';

export type JournalWriter = Awaited<ReturnType<typeof openJournalWriter>>;

/** Creates a journal with its first line only, durably. */
export const createJournal = async (files: Files, directory: string, instance: string, generation: number) => {
  await writeWhole(files, join(directory, journalName(generation)), journalHeader({ instance, generation }));
  await files.syncDirectory(directory);
};

/** What a full disk needs to know of the store. */
type SpaceOptions = {
  readonly countRecords: () => number;
  /** Removes older generations. Resolves with false when there is none. */
  readonly removeOlder: () => Promise<boolean>;
};

/** Opens the journal at which recovery ended. Its calls must not overlap; the adapter queues them. */
export const openJournalWriter = async (
  options: BatchWriterOptions & SpaceOptions,
  generation: number,
  end: JournalEnd,
) => {
  const { directory, files, removeOlder } = options;
  const reserve = await openReserve(files, directory, options.countRecords);
  const lines = await openBatchWriter(options, generation, end);
  let outOfSpace = !(await reserve.fill());

  const fillReserve = async (): Promise<void> => {
    do outOfSpace = !(await reserve.fill());
    while (outOfSpace && isSpaceError(reserve.failure()) && (await removeOlder()));
  };

  return {
    /** Makes one batch durable. Rejects with the system's error; then no part of the batch remains. */
    append: async (entries: readonly string[], mayUseReserve: () => boolean): Promise<void> => {
      if ((outOfSpace || reserve.isShort()) && !mayUseReserve()) {
        await fillReserve();
        if (outOfSpace) throw reserve.failure();
      }
      for (;;) {
        try {
          await lines.write(entries);
          return;
        } catch (error) {
          if (!isSpaceError(error)) throw error;
          if (await removeOlder()) continue;
          outOfSpace = true;
          if (!mayUseReserve() || !(await reserve.releasePiece())) throw error;
        }
      }
    },
    /** Runs a task that may use the whole reserve, and reserves the space again. */
    withReserve: async (task: () => Promise<void>): Promise<void> => {
      await reserve.releaseAll();
      await task().finally(fillReserve);
    },
    /** Looks again when there was no space. Resolves with whether there is still none. */
    stillOutOfSpace: async (): Promise<boolean> => {
      if (!outOfSpace) return false;
      await fillReserve();
      outOfSpace ||= !(await reserve.hasRoom());
      return outOfSpace;
    },
    reservedBytes: () => reserve.heldBytes(),
    /** Begins the next generation and seals this one. Resolves with the new generation. */
    rotate: () => rotate(options, lines),
    isOutOfSpace: () => outOfSpace,
    /** The size of the current journal. */
    bytes: () => lines.journal().bytes,
    generation: () => lines.journal().generation,
    isWritingOff: lines.isWritingOff,
    close: lines.close,
  };
};

type BatchLines = Awaited<ReturnType<typeof openBatchWriter>>;

const rotate = async (options: BatchWriterOptions, lines: BatchLines): Promise<number> => {
  const { directory, instance, files } = options;
  const next = lines.journal().generation + 1;
  await lines.raiseFormat();
  await createJournal(files, directory, instance, next);
  // Opened first, because opening can fail, and no line may follow the seal.
  const start = { bytes: headerBytes(instance, next), lines: 1, format: formatVersion };
  await lines.switchTo(await reopenJournal(options, next, start));
  return next;
};

const headerBytes = (instance: string, generation: number): number =>
  Buffer.byteLength(journalHeader({ instance, generation }));
