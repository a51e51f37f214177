/** Collects the requests that a filter lets through: first the last ones, then each new one from the event stream. */
import type { components } from '../../../src/client/generated/control.ts';
import { eventsOf } from './event-stream.ts';

export type TrafficEntry = components['schemas']['TrafficEntry'];
type TrafficPage = components['schemas']['TrafficPage'];

/** Where the entries come from. Both reject when the server refuses or does not answer. */
export type TrafficSource = {
  /** The last entries, the oldest first. */
  readonly load: (signal: AbortSignal) => Promise<TrafficPage>;
  /** The event stream of all entries after the one with this id. */
  readonly open: (lastId: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
};

export type FeedState = {
  /** `stopped` while the stream is interrupted. The feed then tries again. */
  readonly phase: 'loading' | 'live' | 'stopped';
  /** Why it has stopped. Undefined when the server has ended the stream. */
  readonly error: unknown;
  /** The newest first, at most `maxEntries`. */
  readonly entries: readonly TrafficEntry[];
  /** How many there were, shown or not. */
  readonly total: number;
  readonly isPaused: boolean;
  /** How many have arrived during the pause. */
  readonly waiting: number;
};

export type TrafficFeed = {
  readonly state: () => FeedState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Begins, and returns a function that ends it. */
  readonly start: () => () => void;
  /** While it is paused, the state keeps its entries, and new ones wait. */
  readonly pause: (isPaused: boolean) => void;
  /** Forgets the entries. */
  readonly clear: () => void;
};

/** More rows help nobody, and would make the page slow. */
export const maxEntries = 1000;

export type FeedOptions = {
  /** Runs once before the next picture: many events then change the page once. */
  readonly schedule: (flush: () => void) => void;
  /** Waits before the next attempt to connect. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
};

const initial: FeedState = { phase: 'loading', error: undefined, entries: [], total: 0, isPaused: false, waiting: 0 };

/** Nothing is asked before `start`. */
export const createFeed = (source: TrafficSource, { schedule, wait }: FeedOptions): TrafficFeed => {
  const list = createList(schedule);
  /** Reads one stream to its end. Returns true when the server counts from 1 again, because another has taken its place. */
  const follow = async (signal: AbortSignal): Promise<boolean> => {
    const body = await source.open(list.lastId(), signal);
    list.change({ phase: 'live', error: undefined });
    for await (const events of eventsOf(body)) {
      for (const { data } of events) {
        const entry = JSON.parse(data) as TrafficEntry; // the document says so
        if (entry.id <= list.lastId()) return true;
        list.add(entry);
      }
    }
    return false;
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    let isNew = true;
    while (!signal.aborted) {
      try {
        if (isNew) list.begin(await source.load(signal));
        isNew = false;
        isNew = await follow(signal);
        if (isNew || isEnded(signal)) continue;
        list.change({ phase: 'stopped', error: undefined });
      } catch (error) {
        if (isEnded(signal)) return;
        list.change({ phase: 'stopped', error });
      }
      await wait(signal);
    }
  };
  return {
    state: list.state,
    subscribe: list.subscribe,
    start: () => {
      const controller = new AbortController();
      void run(controller.signal);
      return () => controller.abort();
    },
    pause: (isPaused) => {
      list.change({ isPaused });
      list.show();
    },
    clear: list.clear,
  };
};

/** The entries, with those that have arrived and are not shown yet. */
const createList = (schedule: FeedOptions['schedule']) => {
  const listeners = new Set<() => void>();
  let state = initial;
  let arrived: TrafficEntry[] = []; // the oldest first
  let arrivedCount = 0;
  let lastId = 0;
  let isScheduled = false;

  const change = (next: Partial<FeedState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const restart = (entries: readonly TrafficEntry[], total: number): void => {
    arrived = [];
    arrivedCount = 0;
    change({ entries, total, waiting: 0 });
  };
  const show = (): void => {
    isScheduled = false;
    if (arrivedCount === 0) return;
    if (state.isPaused) change({ waiting: arrivedCount });
    else restart([...arrived.reverse(), ...state.entries].slice(0, maxEntries), state.total + arrivedCount);
  };
  return {
    state: () => state,
    lastId: () => lastId,
    change,
    show,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: ({ entries, total }: TrafficPage): void => {
      lastId = entries.at(-1)?.id ?? 0;
      restart(entries.toReversed(), total);
    },
    add: (entry: TrafficEntry): void => {
      lastId = entry.id;
      arrived.push(entry);
      arrivedCount += 1;
      if (arrived.length > 2 * maxEntries) arrived = arrived.slice(-maxEntries);
      if (isScheduled) return;
      isScheduled = true;
      schedule(show);
    },
    clear: (): void => restart([], 0),
  };
};

/** A function, because the compiler would keep what it knew of the signal before an `await`. */
const isEnded = (signal: AbortSignal): boolean => signal.aborted;
