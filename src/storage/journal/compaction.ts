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
  let notifiedOf = 0;

  const notify = async (): Promise<void> => {
    const { oldestKept } = adapter.statistics();
    notifiedOf = oldestKept;
    for (const listener of listeners) await listener(oldestKept);
  };
  const compact = async (): Promise<void> => {
    await low.write();
    await notify();
  };
  return {
    notify,
    /** Called between two batches, when the journal holds exactly the published records. */
    startIfDue: (): void => {
      if (running !== undefined) return;
      const isDue = requested || adapter.isCompactionDue();
      // On a full disk, older generations are given up without a compaction.
      if (!isDue && adapter.statistics().oldestKept === notifiedOf) return;
      if (isDue) requested = false;
      running = (isDue ? compact() : notify())
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
