/** Watches every world: stands around each repository, outermost, and writes down what passes in a log and a tally of its own. */
import { noFindings } from '../contract/findings.ts';
import { createCoverageTally, sumOfCounts, type CoverageCounts, type CoverageTally } from './coverage-tally.ts';
import { nothingSeen, seeReply, seeRequest } from './traffic-bodies.ts';
import { createTrafficLog, type Exchanged, type TrafficLog } from './traffic-log.ts';
import type { Around } from './world-place.ts';
import type { SurroundWorld } from './worlds-place.ts';

/** What has been seen of one world. It survives the world's reset. */
export type Watch = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

export type Watching = {
  /** What lies around a new world; belongs outermost. A dropped world's coverage stays in the total. */
  readonly surround: SurroundWorld;
  /** What has been seen of a world, by its name; nothing of one that is gone, or never was. */
  of(world: string): Watch;
  /** The sum over all worlds, those included that are gone. */
  total(): Promise<CoverageCounts>;
  clearTotal(): void;
  /** Ends every stream, so that the server can stop. */
  end(): void;
};

export type WatchingOptions = {
  /** Requests that are remembered in each world; 0 watches nothing, coverage included. */
  readonly entries?: number | undefined;
  /** Memory for the requests of one world, in bytes. */
  readonly bytes?: number | undefined;
  /** Real time that passes, in milliseconds from anywhere. */
  readonly stopwatch?: (() => number) | undefined;
};

const defaults = { entries: 1000, bytes: 4 * 1024 * 1024, stopwatch: () => performance.now() };

/** Nothing has been seen yet. */
export const createWatching = (options: WatchingOptions = {}): Watching => {
  const { entries = defaults.entries, bytes = defaults.bytes, stopwatch = defaults.stopwatch } = options;
  const watches = new Map<string, Watch>();
  let gone: CoverageCounts = sumOfCounts([]);
  const nothing = (): Watch => ({ traffic: createTrafficLog({ entries, bytes }), coverage: createCoverageTally() });
  const drop = (world: string): void => {
    const watch = watches.get(world);
    if (watch === undefined) return;
    watches.delete(world);
    watch.traffic.end();
    gone = sumOfCounts([gone, watch.coverage.countsNow()]);
  };
  return {
    of: (world) => watches.get(world) ?? nothing(),
    surround: (world) => {
      const watch = nothing();
      watches.set(world, watch);
      return {
        around: entries === 0 ? [] : [watchAround(watch, stopwatch)],
        // What clients have met stays met.
        reset: () => undefined,
        drop: () => drop(world),
      };
    },
    total: async () => {
      const counts = await Promise.all([...watches.values()].map(({ coverage }) => coverage.counts()));
      return sumOfCounts([gone, ...counts]);
    },
    clearTotal: () => {
      gone = sumOfCounts([]);
      for (const { coverage } of watches.values()) coverage.clear();
    },
    end: () => watches.forEach(({ traffic }) => traffic.end()),
  };
};

/** Every request comes by here: what can wait until somebody looks, waits. */
const watchAround =
  ({ traffic, coverage }: Watch, stopwatch: () => number): Around =>
  (request, world, next, operationOf) => {
    const started = stopwatch();
    const findings = noFindings();
    const { method, path, query, headers, address, connection } = request;
    const sent = seeRequest(request);
    const body = sent === undefined ? request.body : sent.body;
    return next({ method, path, query, headers, body, address, connection, findings }, world).then((reply) => {
      const exchanged: Exchanged = {
        id: traffic.nextId(),
        world: world.name,
        baseUrl: world.baseUrl,
        at: world.clock.now(),
        durationMs: stopwatch() - started,
        method,
        path,
        query,
        headers,
        sent: sent === undefined ? nothingSeen : sent.seen(),
        findings,
        operation: findings.operation ?? operationOf(request),
        status: reply.status,
        replyHeaders: reply.headers,
        reply: seeReply(reply),
        isLasting: reply.isLasting === true,
        disturbance: reply.disturbance,
      };
      traffic.add(exchanged);
      coverage.add(exchanged);
      return reply;
    });
  };
