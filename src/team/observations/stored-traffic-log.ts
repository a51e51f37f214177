/** The traffic of a world that several processes observe: each of them writes its requests to a store and reads those of all. */
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import { createListeners } from '../../basics/listeners.ts';
import { shareNextRun } from '../../basics/semaphore.ts';
import type { ObservationStore } from './observation-store.ts';
import { restoredExchange } from './stored-exchange.ts';
import { sizeOf, type TrafficLimits, type TrafficLog } from '../../server/server-worlds.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

/** What this process has observed in the world and not written yet. */
export type UnwrittenTraffic = {
  readonly add: (exchange: RecordedExchange) => void;
  /** Writes everything. Rejects with a Problem when it cannot. */
  flush(): Promise<void>;
  /** The number of requests that are given up, as long as the store does not know. */
  lost(): number;
};

type StoredTrafficOptions = {
  readonly world: number;
  readonly limits: TrafficLimits;
  readonly store: ObservationStore;
  readonly unwritten: UnwrittenTraffic;
  /** The operations of the document served now. */
  readonly operations: () => readonly HostedOperation[];
};

/** How often the store is asked while a stream listens, in milliseconds. */
const pollMs = 250;

/** Every entry is read from the store, also those of this process: so all processes show the same. */
export const createStoredTrafficLog = (options: StoredTrafficOptions): TrafficLog => {
  const { store, world, limits, unwritten } = options;
  const known = createKnownEntries(limits.bytes);
  const listeners = createListeners<RecordedExchange>();
  let polling: NodeJS.Timeout | undefined;
  const read = async (): Promise<void> => {
    const stored = await store.readTraffic(world, known.last(), limits.entries);
    const operations = new Map(options.operations().map((each) => [each.id, each]));
    const added = stored.entries.map(({ id, text }) => restoredExchange(text, id, (name) => operations.get(name)));
    known.update(stored, added, limits.entries);
    added.forEach(listeners.tell);
  };
  const refresh = shareNextRun(async () => {
    await unwritten.flush();
    await read();
  });
  const stopPolling = (): void => {
    clearInterval(polling);
    polling = undefined;
  };
  // The next poll tries again.
  const poll = (): void => void refresh().catch(() => undefined);
  return {
    nextId: () => 0,
    add: unwritten.add,
    refresh,
    entries: known.entries,
    dropped: known.dropped,
    lost: () => known.lost() + unwritten.lost(),
    clear: async () => {
      // What waits is from before.
      await unwritten.flush();
      await store.clearTraffic(world);
      await refresh();
    },
    listen: (listener) => {
      const stop = listeners.listen(listener);
      polling ??= setInterval(poll, pollMs).unref();
      return () => {
        stop();
        if (listeners.present.size === 0) stopPolling();
      };
    },
    listeners: () => listeners.present.size,
    end: () => {
      listeners.end();
      stopPolling();
    },
  };
};

/** The entries that were read so far, within the limits. */
const createKnownEntries = (bytesLimit: number) => {
  let entries: readonly RecordedExchange[] = [];
  let state = { last: 0, cleared: 0, lost: 0 };
  return {
    last: (): number => state.last,
    entries: () => entries,
    /** Ids have no gaps. */
    dropped: (): number => state.last - state.cleared - entries.length,
    lost: (): number => state.lost,
    update: (now: typeof state, added: readonly RecordedExchange[], most: number): void => {
      state = { last: now.last, cleared: now.cleared, lost: now.lost };
      const all = [...entries.filter(({ id }) => id > now.cleared), ...added].slice(-most);
      let bytes = 0;
      const lastTooMany = all.findLastIndex((each) => (bytes += sizeOf(each)) > bytesLimit);
      entries = all.slice(lastTooMany + 1);
    },
  };
};
