/** Replaces a long journal by a new checkpoint, one compaction at a time, while the store goes on. */
import type { Low } from 'lowdb';
import type { RecordSet } from '../record-set.ts';
import type { JournalAdapter } from './journal-adapter.ts';

export type Compaction = ReturnType<typeof createCompaction>;

/** `warn` is called when a compaction fails. */
export const createCompaction = (low: Low<RecordSet>, adapter: JournalAdapter, warn: (message: string) => void) => {
  const listeners: ((oldestKept: number) => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let requested = false;

  const notify = async (): Promise<void> => {
    for (const listener of listeners) await listener(adapter.statistics().oldestKept);
  };
  const compact = async (): Promise<void> => {
    await low.write();
    await notify();
  };
  return {
    notify,
    /** Called between two batches, when the journal holds exactly the published records. */
    startIfDue: (): void => {
      if (running !== undefined || !(requested || adapter.isCompactionDue())) return;
      requested = false;
      running = compact()
        .catch((error: unknown) => warn(`A compaction was cut short (${String(error)}); the journal goes on.`))
        .finally(() => {
          running = undefined;
        });
    },
    request: (): void => {
      requested = true;
    },
    onGenerationsDropped: (listener: (oldestKept: number) => Promise<void>): void => {
      listeners.push(listener);
    },
    ended: () => running ?? Promise.resolve(),
  };
};
