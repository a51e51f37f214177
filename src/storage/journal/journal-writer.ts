/** Appending to one journal after another: batches, the reserve for a full disk, and what happens when a write fails. */
import { join } from 'node:path';
import { unavailable } from '../../problem.ts';
import type { Files, OpenFile } from '../files.ts';
import { writeWhole } from '../files.ts';
import { encodeEntry, journalHeader, journalLine } from './journal-file.ts';
import { journalName, reserveName } from './store-files.ts';
import { isSpaceError } from '../write-problem.ts';

/** Space that is given back to a full disk, so that removals can still be written (cases: D09). */
const reserveBytes = 256 * 1024;

/** One journal file open for appending; `bytes` and `lines` count what is durable. */
type OpenJournal = { readonly file: OpenFile; readonly generation: number; bytes: number; lines: number };

export type JournalWriter = {
  /** One durable batch. Rejects with the system's error; nothing of the batch stays then. */
  append(entries: readonly string[], relieves: () => boolean): Promise<void>;
  /** Begins the next generation and seals this one; resolves with the new generation. */
  rotate(): Promise<number>;
  isCramped(): boolean;
  /** Bytes of the journal that is written now. */
  bytes(): number;
  generation(): number;
  close(): Promise<void>;
};

export type JournalWriterOptions = {
  readonly directory: string;
  readonly instance: string;
  readonly files: Files;
  readonly warn: (message: string) => void;
  readonly start: { readonly generation: number; readonly journalBytes: number; readonly journalLines: number };
};

/** Makes a journal that holds nothing but its first line, durably. */
export const createJournal = async (files: Files, directory: string, instance: string, generation: number) => {
  await writeWhole(files, join(directory, journalName(generation)), journalHeader({ instance, generation }));
  await files.syncDirectory(directory);
};

/** Opens the journal that recovery ended in. Calls must not overlap: the adapter puts them in a row. */
export const openJournalWriter = async (options: JournalWriterOptions): Promise<JournalWriter> => {
  const { directory, instance, files, start } = options;
  const reserve = createReserve(files, directory);
  const lines = createLineWriter(
    options,
    await reopenJournal(options, start.generation, start.journalBytes, start.journalLines),
  );
  let cramped = !(await reserve.win());

  return {
    append: async (entries, relieves) => {
      if (cramped && !relieves()) {
        cramped = !(await reserve.win());
        if (cramped) throw reserve.missing();
      }
      try {
        await lines.write(entries);
      } catch (error) {
        if (!isSpaceError(error)) throw error;
        cramped = true;
        if (!reserve.isThere() || !relieves()) throw error;
        await reserve.release();
        await lines.write(entries);
      }
    },
    rotate: async () => {
      const next = lines.journal().generation + 1;
      await createJournal(files, directory, instance, next);
      // Opened before the seal: behind a seal nothing may be written, so what can fail comes first.
      const following = await reopenJournal(options, next, headerBytes(instance, next), 1);
      await lines.goOnWith(following, encodeEntry({ sealed: next }));
      return next;
    },
    isCramped: () => cramped,
    bytes: () => lines.journal().bytes,
    generation: () => lines.journal().generation,
    close: () => lines.journal().file.close(),
  };
};

const linesOf = (instance: string, { generation, lines }: OpenJournal, entries: readonly string[]): Buffer =>
  Buffer.from(entries.map((entry, at) => journalLine({ instance, generation }, lines + at, entry)).join(''));

/** Writes lines whole or not at all. `uncut`: a rejected batch may still lie behind the good lines. */
const createLineWriter = ({ directory, instance, warn }: JournalWriterOptions, first: OpenJournal) => {
  let journal = first;
  let uncut = false;
  let off = false;

  const sync = async (): Promise<void> => {
    try {
      await journal.file.sync();
    } catch (error) {
      if (!isSpaceError(error) && !off) {
        // The kernel may have dropped the pages: a later sync that succeeds would say nothing (cases: D05).
        off = true;
        warn(`${directory}: a sync failed (${String(error)}); writing stays off until the next start.`);
      }
      throw error;
    }
  };

  const cut = async (): Promise<void> => {
    await journal.file.truncate(journal.bytes);
    await sync();
    uncut = false;
  };

  const write = async (entries: readonly string[]): Promise<void> => {
    if (off) throw unavailable('Writing is off since a sync failed; it needs a restart.');
    if (uncut) await cut();
    const bytes = linesOf(instance, journal, entries);
    try {
      await journal.file.write(bytes, journal.bytes);
      await sync();
    } catch (error) {
      // Also when writing is off: the rejected lines shall not come back at the next start.
      uncut = true;
      await cut().catch(() => undefined);
      throw error;
    }
    journal.bytes += bytes.byteLength;
    journal.lines += entries.length;
  };

  return {
    write,
    journal: (): Readonly<OpenJournal> => journal,
    /** Seals the journal and goes on with the next one; when the seal fails, with the old one. */
    goOnWith: async (next: OpenJournal, seal: string): Promise<void> => {
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
  { directory, files }: JournalWriterOptions,
  generation: number,
  bytes: number,
  lines: number,
): Promise<OpenJournal> => ({
  file: await files.reopen(join(directory, journalName(generation))),
  generation,
  bytes,
  lines,
});

const createReserve = (files: Files, directory: string) => {
  const path = join(directory, reserveName);
  let there = false;
  let failure: unknown;
  return {
    isThere: () => there,
    missing: () => failure,
    /** Sets the space aside, if it is not; false when there is not enough of it. */
    win: async (): Promise<boolean> => {
      if (there) return true;
      const file = await files.create(path);
      try {
        await file.write(Buffer.alloc(reserveBytes, '.'), 0);
        await file.sync();
        there = true;
      } catch (error) {
        failure = error;
      } finally {
        await file.close();
      }
      if (!there) await files.remove(path);
      return there;
    },
    release: async (): Promise<void> => {
      await files.remove(path);
      there = false;
    },
  };
};
