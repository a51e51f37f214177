/** Writes batches to the journal, each of them completely or not at all. */
import { join } from 'node:path';
import { unavailable } from '../../core/problem.ts';
import type { Durability, OpenFile } from '../../basics/disk/files.ts';
import type { Counters } from '../../core/model/entity-store.ts';
import { isSpaceError } from '../write-problem.ts';
import { createEndNote, openEndNotes, type EndNotes, type EndState } from './acknowledged-end.ts';
import type { DirectoryGuard } from './directory-guard.ts';
import { batchLines, sealLine, type JournalEnd } from './journal-file.ts';
import type { RecoveryOptions } from './recovery.ts';
import { formatVersion, journalName, writeMarker, type StoreIdentity } from './store-files.ts';

export type BatchWriterOptions = RecoveryOptions & {
  readonly durability: Durability;
  readonly guard: DirectoryGuard;
  /** The highest ids that have been given. */
  readonly counters: () => Counters;
};

/** A journal file that is open for appending. `bytes` and `lines` count what is durable. */
type OpenJournal = {
  readonly file: OpenFile;
  readonly generation: number;
  readonly format: number;
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
 * Appends to a journal. `notes` is undefined in a store of format 1. `hasRejectedLines`: the file may contain a rejected
 * batch after the valid lines.
 */
const createAppender = (options: BatchWriterOptions, first: OpenJournal, firstNotes: EndNotes | undefined) => {
  const { directory, durability, guard, warn } = options;
  const state = { journal: first, notes: firstNotes, hasRejectedLines: false, isWritingOff: false };
  let hasNoteFailed = false;

  /** What is acknowledged is in the journal: a note that fails is one warning, no refusal. */
  const note = async (endState: EndState, { isSynced = false } = {}): Promise<void> => {
    try {
      await state.notes?.write({ ...endOf(state.journal, options), state: endState });
      if (isSynced) await state.notes?.sync();
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
    guard.requireSize(journalName(journal.generation), journal.bytes);
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

  return { state, note, append };
};

/** Opens the journal at which recovery ended, and notes durably that it goes on from there. */
export const openBatchWriter = async (options: BatchWriterOptions, generation: number, end: JournalEnd) => {
  const { directory, instance, files, durability, guard, warn } = options;
  const openNotes = () => openEndNotes(files, directory, instance, durability);
  const notes = options.storeFormat < formatVersion ? undefined : await openNotes();
  const { state, note, append } = createAppender(options, await reopenJournal(options, generation, end), notes);
  await notes?.write({ ...endOf(state.journal, options), state: 'open' });
  await notes?.sync();
  const identity = (): StoreIdentity => ({ instance, generation: state.journal.generation });

  return {
    write: (changeSets: readonly string[]) => append(batchLines(identity(), state.journal, changeSets)),
    journal: (): Readonly<OpenJournal> => state.journal,
    isWritingOff: () => state.isWritingOff,
    /** Raises a store of format 1 to the present format, before a file of the present format is there. */
    raiseFormat: async (): Promise<void> => {
      if (state.notes !== undefined) return;
      await createEndNote(files, directory, instance, { ...endOf(state.journal, options), state: 'open', durability });
      state.notes = await openNotes();
      await writeMarker(files, directory, instance);
    },
    /** Seals the journal and continues with the next one. When the seal fails, the old one stays in use. */
    switchTo: async (next: OpenJournal): Promise<void> => {
      const before = state.journal;
      try {
        // Always synced: a journal follows, and nothing before it may be missing.
        await append({ bytes: sealLine(identity(), before, next.generation), lines: 1 }, true);
        state.journal = next;
        await note('open');
      } finally {
        await (state.journal === next ? before : next).file.close();
      }
    },
    /** Notes that nothing was cut short. Changes nothing when the directory is not the held one any more. */
    close: async (): Promise<void> => {
      try {
        if (state.isWritingOff || state.hasRejectedLines || guard.failure() !== undefined) return;
        await guard.check();
        await state.journal.file.sync();
        await note('closed', { isSynced: true });
      } catch (error) {
        warn(`${directory}: the end was not noted (${String(error)}).`);
      } finally {
        await state.notes?.close();
        await state.journal.file.close();
      }
    },
  };
};

const endOf = ({ generation, bytes, lines }: OpenJournal, { counters }: BatchWriterOptions) => ({
  generation,
  bytes,
  lines,
  counters: counters(),
});

export const reopenJournal = async (
  { directory, files }: RecoveryOptions,
  generation: number,
  { bytes, lines, format }: Pick<JournalEnd, 'bytes' | 'lines' | 'format'>,
): Promise<OpenJournal> => ({
  file: await files.reopen(join(directory, journalName(generation))),
  generation,
  format,
  bytes,
  lines,
});
