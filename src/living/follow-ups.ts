/** Does what follows from a commit: one thing after another, each when its time has come by the clock of the world. */
import type { FollowUp, FollowUps } from '../basics/follow-ups.ts';
import type { Clock } from '../core/model/clock.ts';
import type { SiteTools, SiteWork } from './reaction.ts';

export type FollowUpOptions = {
  readonly clock: Clock;
  /** From the commit to the work, by the clock of the world. */
  readonly delayMs: number;
  readonly tools: SiteTools;
};

type WorkQueue = FollowUps & {
  /** `failure`: why it fails, where a fault says so. */
  add(works: readonly SiteWork[], failure: string | undefined): void;
  /** What waits is not done any more. */
  end(): void;
};

/** The most that are remembered. */
const mostKept = 1000;

/** How often the clock is read while something waits: somebody may set it. */
const lookMs = 25;

type Entry = { shown: FollowUp; readonly work: SiteWork; readonly failure: string | undefined };

export const createFollowUps = ({ clock, delayMs, tools }: FollowUpOptions): WorkQueue => {
  const entries: Entry[] = [];
  let next = 0;
  let lastId = 0;
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> | undefined;

  const add: WorkQueue['add'] = (works, failure) => {
    for (const work of works) {
      const { name, about } = work;
      const shown = { id: (lastId += 1), name, about, due: clock.now() + delayMs, state: 'waiting' } as const;
      entries.push({ shown, work, failure });
    }
    if (works.length > 0) running ??= run();
  };
  const run = async (): Promise<void> => {
    // The answer to the client goes first.
    await pause(0);
    for (let entry = entries[next]; entry !== undefined; entry = entries[next]) {
      while (clock.now() < entry.shown.due && !signal.aborted) await pause(lookMs);
      if (signal.aborted) break;
      next += 1;
      add(await finish(entry, tools), entry.failure);
      if (entries.length > mostKept) next -= entries.splice(0, Math.min(next, entries.length - mostKept)).length;
    }
    running = undefined;
  };
  return {
    add,
    list: () => entries.map(({ shown }) => shown),
    settled: async () => {
      while (running !== undefined) await running;
    },
    end: () => {
      ending.abort();
    },
  };
};

/** Resolves with what follows from the work. */
const finish = async (entry: Entry, tools: SiteTools): Promise<readonly SiteWork[]> => {
  const change = (state: Pick<FollowUp, 'state' | 'message'>): void => {
    entry.shown = { ...entry.shown, ...state };
  };
  change({ state: 'running' });
  try {
    if (entry.failure !== undefined) throw new Error(entry.failure);
    const { further = [], note } = await entry.work.run(tools);
    change({ state: 'done', ...(note === undefined ? {} : { message: note }) });
    return further;
  } catch (error) {
    change({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
    return [];
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
