/** Does what follows from a commit: one thing after another, each when its time has come by the clock of the world. */
import type { FollowUp, FollowUps } from '../../basics/follow-ups.ts';
import type { SiteTools, SiteWork } from './reaction.ts';
import type { Clock } from '../../openapi/openapi-records.ts';

export type FollowUpOptions = {
  readonly clock: Clock;
  /** From the commit to the work, by the clock of the world. */
  readonly delayMs: number;
  readonly tools: SiteTools;
  /** Default: 5,000. */
  readonly mostWaiting?: number | undefined;
};

type WorkQueue = FollowUps & {
  /** `failure`: why it fails, where a fault says so. */
  add(works: readonly SiteWork[], failure: string | undefined): void;
  /** What waits is not done any more. */
  end(): void;
};

/** The most that are remembered. */
const mostKept = 1000;

/** The most that may wait when a write adds more. What follows from work that was taken is always taken. */
const usuallyWaiting = 5000;

/** How often the clock is read while something waits: somebody may set it. */
const lookMs = 25;

/** So long work goes on without a break. Some of it waits for nothing, and requests would wait for all of it. */
const turnMs = 10;

type Entry = { shown: FollowUp; readonly work: SiteWork; readonly failure: string | undefined };

export const createFollowUps = (options: FollowUpOptions): WorkQueue => {
  const { clock, delayMs, tools, mostWaiting = usuallyWaiting } = options;
  const entries: Entry[] = [];
  const refused = createRefused(tools, `${mostWaiting} others wait already.`);
  let next = 0;
  let lastId = 0;
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> | undefined;

  const add: WorkQueue['add'] = (works, failure) => {
    const taken = works.slice(0, Math.max(0, mostWaiting - (entries.length - next)));
    take(taken, failure);
    for (const work of works.slice(taken.length)) refused.add(work, { id: (lastId += 1), due: clock.now() + delayMs });
  };
  const take: WorkQueue['add'] = (works, failure) => {
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
    const takeBreak = createBreaks();
    for (let entry = entries[next]; entry !== undefined; entry = entries[next]) {
      while (clock.now() < entry.shown.due && !signal.aborted) await pause(lookMs);
      if (signal.aborted) break;
      await takeBreak();
      next += 1;
      take(await finish(entry, tools), entry.failure);
      if (entries.length > mostKept) next -= entries.splice(0, Math.min(next, entries.length - mostKept)).length;
    }
    running = undefined;
  };
  return {
    add,
    list: () => refused.among(entries.map(({ shown }) => shown)),
    settled: async () => {
      while (running !== undefined) await running;
    },
    end: () => {
      ending.abort();
    },
  };
};

/** The last ones that were never taken. */
const createRefused = (tools: SiteTools, message: string) => {
  const all: FollowUp[] = [];
  return {
    add: ({ name, about, onRefused }: SiteWork, shown: Pick<FollowUp, 'id' | 'due'>): void => {
      all.push({ ...shown, name, about, state: 'failed', message });
      if (all.length > mostKept) all.shift();
      onRefused?.(tools, message).catch(() => undefined);
    },
    among: (taken: readonly FollowUp[]): FollowUp[] => [...taken, ...all].sort((a, b) => a.id - b.id),
  };
};

/** Lets everything else have its turn, now and then. */
const createBreaks = (): (() => Promise<void>) => {
  let resumed = performance.now();
  return async () => {
    if (performance.now() - resumed <= turnMs) return;
    await pause(0);
    resumed = performance.now();
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
