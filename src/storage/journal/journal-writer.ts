/** Appends batches to the newest journal. Handles failed writes, and keeps a reserve for a full disk. */
import { join } from 'node:path';
import { unavailable } from '../../problem.ts';
import { writeWhole, type Files, type OpenFile } from '../files.ts';
import { encodeEntry, journalHeader, journalLine, type JournalEnd } from './journal-file.ts';
import type { RecoveryOptions } from './recovery.ts';
import { journalName, reserveName } from './store-files.ts';
import { isSpaceError } from '../write-problem.ts';

/** Space that is freed when the disk is full, so that removals can still be written. */
const reserveBytes = 256 * 1024;

/** A journal file that is open for appending. `bytes` and `lines` count what is durable. */
type OpenJournal = { readonly file: OpenFile; readonly generation: number; bytes: number; lines: number };

export type JournalWriter = Awaited<ReturnType<typeof openJournalWriter>>;

/** Creates a journal with its first line only, durably. */
export const createJournal = async (files: Files, directory: string, instance: string, generation: number) => {
  await writeWhole(files, join(directory, journalName(generation)), journalHeader({ instance, generation }));
  await files.syncDirectory(directory);
};

/** Opens the journal at which recovery ended. Its calls must not overlap; the adapter queues them. */
export const openJournalWriter = async (options: RecoveryOptions, generation: number, end: JournalEnd) => {
  const { directory, instance, files } = options;
  const reserve = createReserve(files, directory);
  const lines = createLineWriter(options, await reopenJournal(options, generation, end));
  let outOfSpace = !(await reserve.acquire());

  return {
    /** Makes one batch durable. Rejects with the system's error; then no part of the batch remains. */
    append: async (entries: readonly string[], mayUseReserve: () => boolean): Promise<void> => {
      if (outOfSpace && !mayUseReserve()) {
        outOfSpace = !(await reserve.acquire());
        if (outOfSpace) throw reserve.failure();
      }
      try {
        await lines.write(entries);
      } catch (error) {
        if (!isSpaceError(error)) throw error;
        outOfSpace = true;
        if (!reserve.isHeld() || !mayUseReserve()) throw error;
        await reserve.release();
        await lines.write(entries);
      }
    },
    /** Begins the next generation and seals this one. Resolves with the new generation. */
    rotate: async (): Promise<number> => {
      const next = lines.journal().generation + 1;
      await createJournal(files, directory, instance, next);
      // Opened first, because opening can fail, and no line may follow the seal.
      const nextJournal = await reopenJournal(options, next, { bytes: headerBytes(instance, next), lines: 1 });
      await lines.switchTo(nextJournal, encodeEntry({ sealed: next }));
      return next;
    },
    isOutOfSpace: () => outOfSpace,
    /** The size of the current journal. */
    bytes: () => lines.journal().bytes,
    generation: () => lines.journal().generation,
    close: () => lines.journal().file.close(),
  };
};

const linesOf = (instance: string, { generation, lines }: OpenJournal, entries: readonly string[]): Buffer =>
  Buffer.from(entries.map((entry, at) => journalLine({ instance, generation }, lines + at, entry)).join(''));

/** Writes all lines of a batch or none. `hasRejectedLines`: the file may contain a rejected batch after the valid lines. */
const createLineWriter = ({ directory, instance, warn }: RecoveryOptions, first: OpenJournal) => {
  let journal = first;
  let hasRejectedLines = false;
  let isWritingOff = false;

  const sync = async (): Promise<void> => {
    try {
      await journal.file.sync();
    } catch (error) {
      if (!isSpaceError(error) && !isWritingOff) {
        // The kernel may have dropped the pages, so a later sync could succeed although bytes are lost.
        isWritingOff = true;
        warn(`${directory}: a sync failed (${String(error)}); writing stays off until the next start.`);
      }
      throw error;
    }
  };

  const cut = async (): Promise<void> => {
    await journal.file.truncate(journal.bytes);
    await sync();
    hasRejectedLines = false;
  };

  const write = async (entries: readonly string[]): Promise<void> => {
    if (isWritingOff) throw unavailable('Writing is off since a sync failed; it needs a restart.');
    if (hasRejectedLines) await cut();
    const bytes = linesOf(instance, journal, entries);
    try {
      await journal.file.write(bytes, journal.bytes);
      await sync();
    } catch (error) {
      // Needed even when writing is off, because the next start must not read the rejected lines.
      hasRejectedLines = true;
      await cut().catch(() => undefined);
      throw error;
    }
    journal.bytes += bytes.byteLength;
    journal.lines += entries.length;
  };

  return {
    write,
    journal: (): Readonly<OpenJournal> => journal,
    /** Seals the journal and continues with the next one. When the seal fails, the old one stays in use. */
    switchTo: async (next: OpenJournal, seal: string): Promise<void> => {
      const before = journal;
      try {
        await write([seal]);
        journal = next;
      } finally {
        await (journal === next ? before : next).file.close();
      }
    },
  };
};

const headerBytes = (instance: string, generation: number): number =>
  Buffer.byteLength(journalHeader({ instance, generation }));

const reopenJournal = async (
  { directory, files }: RecoveryOptions,
  generation: number,
  { bytes, lines }: Pick<JournalEnd, 'bytes' | 'lines'>,
): Promise<OpenJournal> => ({
  file: await files.reopen(join(directory, journalName(generation))),
  generation,
  bytes,
  lines,
});

const createReserve = (files: Files, directory: string) => {
  const path = join(directory, reserveName);
  let held = false;
  let failure: unknown;
  return {
    isHeld: () => held,
    failure: () => failure,
    /** Reserves the space unless it is held already. Resolves with false when it is missing. */
    acquire: async (): Promise<boolean> => {
      if (held) return true;
      const file = await files.create(path);
      try {
        await file.write(Buffer.alloc(reserveBytes, '.'), 0);
        await file.sync();
        held = true;
      } catch (error) {
        failure = error;
      } finally {
        await file.close();
      }
      if (!held) await files.remove(path);
      return held;
    },
    release: async (): Promise<void> => {
      await files.remove(path);
      held = false;
    },
  };
};
