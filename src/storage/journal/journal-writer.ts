/** Writes batches to the newest journal, each of them completely or not at all. Keeps a reserve for a full disk. */
import { join } from 'node:path';
import { writeWhole, type Durability, type Files, type OpenFile } from '../../basics/disk/files.ts';
import { isSpaceError } from '../write-problem.ts';
import { createEndNote, openEndNotes, type EndNotes, type EndState } from './acknowledged-end.ts';
import type { DirectoryGuard } from './directory-guard.ts';
import { batchLines, journalHeader, lineForm, sealLine, type JournalEnd } from './journal-file.ts';
import type { RecoveryOptions } from './recovery.ts';
import { openReserve } from './space-reserve.ts';
import { formatVersion, journalName, writeMarker } from './store-files.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';
import { type Counters, isCollectionCounter } from '../../openapi/openapi-records.ts';

export type JournalWriterOptions = RecoveryOptions & {
  readonly durability: Durability;
  readonly guard: DirectoryGuard;
  /** The highest ids that have been given. */
  readonly counters: () => Counters;
  readonly countRecords: () => number;
  /** Removes older generations, for space. Resolves with false when there is none. */
  readonly removeOlder: () => Promise<boolean>;
};

export type JournalWriter = Awaited<ReturnType<typeof openJournalWriter>>;

/** Creates a journal with its first line only, durably. */
export const createJournal = async (files: Files, directory: string, instance: string, generation: number) => {
  await writeWhole(files, join(directory, journalName(generation)), journalHeader({ instance, generation }));
  await files.syncDirectory(directory);
};

/** A journal file that is open for appending. `bytes` and `lines` count what is durable. */
type OpenJournal = {
  readonly file: OpenFile;
  readonly name: string;
  readonly instance: string;
  readonly generation: number;
  /** The form of its lines. */
  readonly form: number;
  bytes: number;
  lines: number;
};

type Batch = { readonly bytes: Buffer; readonly lines: number };

/** Rejects with the first error, but only when both have ended, so that nothing goes on in the background. */
const settleBoth = async (first: Promise<void> | undefined, second: Promise<void>): Promise<void> => {
  for (const outcome of await Promise.allSettled([first, second])) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
};

/**
 * Appends to a journal. `hasRejectedLines`: the file may contain a rejected
 * batch after the valid lines.
 */
const createAppender = (options: JournalWriterOptions, first: OpenJournal, notes: EndNotes) => {
  const { directory, durability, guard, warn } = options;
  const state = { journal: first, hasRejectedLines: false, isWritingOff: false };
  let hasNoteFailed = false;

  /** What is acknowledged is in the journal: a note that fails is one warning, no refusal. */
  const note = async (endState: EndState, { isSynced = false } = {}): Promise<void> => {
    try {
      await notes.write({ ...endOf(state.journal, options), state: endState });
      if (isSynced) await notes.sync();
    } catch (error) {
      if (!hasNoteFailed) warn(`${directory}: the end of the journal was not noted (${String(error)}).`);
      hasNoteFailed = true;
    }
  };

  const sync = async (): Promise<void> => {
    try {
      await state.journal.file.sync();
    } catch (error) {
      if (!isSpaceError(error) && !state.isWritingOff) {
        // The kernel may have dropped the pages, so a later sync could succeed although bytes are lost.
        state.isWritingOff = true;
        warn(`${directory}: a sync failed (${String(error)}); writing stays off until the next start.`);
      }
      throw error;
    }
  };

  const cut = async (): Promise<void> => {
    await state.journal.file.truncate(state.journal.bytes);
    await sync();
    state.hasRejectedLines = false;
  };

  const append = async (batch: Batch, isSynced = durability === 'full'): Promise<void> => {
    const { journal } = state;
    if (state.isWritingOff) throw unavailable('Writing is off since a sync failed; it needs a restart.');
    guard.requireSize(journal.name, journal.bytes);
    if (state.hasRejectedLines) await cut();
    try {
      await journal.file.write(batch.bytes, journal.bytes);
      await settleBoth(isSynced ? sync() : undefined, guard.check());
    } catch (error) {
      state.hasRejectedLines = true;
      // Needed even when writing is off, because the next start must not read the rejected lines.
      await cut().catch(() => note('refused', { isSynced: true }));
      throw error;
    }
    journal.bytes += batch.bytes.byteLength;
    journal.lines += batch.lines;
    await note('open');
  };

  return { state, note, append, closeNotes: () => notes.close() };
};

type Appender = ReturnType<typeof createAppender>;

/** Seals the journal and continues with the next one. When the seal fails, the old one stays in use. */
const switchTo = async ({ state, note, append }: Appender, next: OpenJournal): Promise<void> => {
  const before = state.journal;
  try {
    // Always synced: a journal follows, and nothing before it may be missing.
    await append({ bytes: sealLine(before, next.generation), lines: 1 }, true);
    state.journal = next;
    await note('open');
  } finally {
    await (state.journal === next ? before : next).file.close();
  }
};

/** Notes that nothing was cut short. Changes nothing when the directory is not the held one any more. */
const close = async (
  { directory, guard, warn }: JournalWriterOptions,
  { state, note, closeNotes }: Appender,
): Promise<void> => {
  try {
    if (state.isWritingOff || state.hasRejectedLines || guard.failure() !== undefined) return;
    await guard.check();
    await state.journal.file.sync();
    await note('closed', { isSynced: true });
  } catch (error) {
    warn(`${directory}: the end was not noted (${String(error)}).`);
  } finally {
    await closeNotes();
    await state.journal.file.close();
  }
};

const endOf = ({ generation, bytes, lines }: OpenJournal, { counters }: JournalWriterOptions) => ({
  generation,
  bytes,
  lines,
  // The others are those of collections, which may be many. There is little room in the note.
  counters: countersOfTypes(counters()),
});

const countersOfTypes = (counters: Counters): Counters =>
  Object.fromEntries(Object.entries(counters).filter(([name]) => !isCollectionCounter(name)));

const openJournal = async (
  { directory, instance, files }: RecoveryOptions,
  generation: number,
  { bytes, lines, form }: Pick<JournalEnd, 'bytes' | 'lines' | 'form'>,
): Promise<OpenJournal> => {
  const name = journalName(generation);
  return { file: await files.reopen(join(directory, name)), name, instance, generation, form, bytes, lines };
};

/** What happens when the disk is full: older generations go, then changes that free space use the reserve. */
const createSpace = async (
  { directory, files, countRecords, removeOlder }: JournalWriterOptions,
  write: (changeSets: readonly string[]) => Promise<void>,
) => {
  const reserve = await openReserve(files, directory, countRecords);
  let outOfSpace = !(await reserve.fill());

  const fillReserve = async (): Promise<void> => {
    do outOfSpace = !(await reserve.fill());
    while (outOfSpace && isSpaceError(reserve.failure()) && (await removeOlder()));
  };
  return {
    /** Makes one batch durable. Rejects with the system's error; then no part of the batch remains. */
    append: async (changeSets: readonly string[], mayUseReserve: () => boolean): Promise<void> => {
      if ((outOfSpace || reserve.isShort()) && !mayUseReserve()) {
        await fillReserve();
        if (outOfSpace) throw reserve.failure();
      }
      for (;;) {
        try {
          await write(changeSets);
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
    isOutOfSpace: () => outOfSpace,
    reservedBytes: () => reserve.heldBytes(),
  };
};

/**
 * Opens the journal at which recovery ended, and notes durably that it goes on from there. Its calls must not overlap; the
 * adapter queues them.
 */
export const openJournalWriter = async (options: JournalWriterOptions, generation: number, end: JournalEnd) => {
  const { directory, instance, files, durability } = options;
  const journal = await openJournal(options, generation, end);
  const place = { ...endOf(journal, options), state: 'open', durability } as const;
  if (options.storeFormat === 1) await createEndNote(files, directory, instance, place);
  const notes = await openEndNotes(files, directory, instance, durability);
  const appender = createAppender(options, journal, notes);
  const { state } = appender;
  await notes.write(place);
  await notes.sync();
  // Before the first batch: a program that knows only the older format must not read what it would lose.
  if (options.storeFormat < formatVersion) await writeMarker(files, directory, instance);
  return {
    ...(await createSpace(options, (changeSets) => appender.append(batchLines(state.journal, changeSets)))),
    /** Begins the next generation and seals this one. Resolves with the new generation. */
    rotate: async (): Promise<number> => {
      const next = state.journal.generation + 1;
      await createJournal(files, directory, instance, next);
      const bytes = Buffer.byteLength(journalHeader({ instance, generation: next }));
      // Opened first, because opening can fail, and no line may follow the seal.
      await switchTo(appender, await openJournal(options, next, { bytes, lines: 1, form: lineForm }));
      return next;
    },
    /** The size of the current journal. */
    bytes: () => state.journal.bytes,
    generation: () => state.journal.generation,
    isWritingOff: () => state.isWritingOff,
    close: () => close(options, appender),
  };
};
