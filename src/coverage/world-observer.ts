/** Watches every world: stands around each repository, outermost, and writes down what passes in a log and a tally of its own. */
import { emptyObservations } from '../engine/observations.ts';
import { createCoverageTally, sumOfCounts, type CoverageCounts, type CoverageTally } from './coverage-tally.ts';
import { nothingSeen, seeReply, seeRequest } from '../traffic/seen-bodies.ts';
import { createTrafficLog, type Exchanged, type TrafficLog } from '../traffic/traffic-log.ts';
import type { Interceptor } from '../worlds/interceptor.ts';
import type { InterceptWorld } from '../worlds/named-world.ts';

/** What has been seen of one world. It survives the world's reset. */
export type WorldObservations = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

export type WorldObserver = {
  /** What lies around a new world; belongs outermost. A dropped world's coverage stays in the total. */
  readonly intercept: InterceptWorld;
  /** What has been seen of a world, by its name; nothing of one that is gone, or never was. */
  of(world: string): WorldObservations;
  /** The sum over all worlds, those included that are gone. */
  total(): Promise<CoverageCounts>;
  clearTotal(): void;
  /** Ends every stream, so that the server can stop. */
  end(): void;
};

export type WorldObserverOptions = {
  /** Requests that are remembered in each world; 0 watches nothing, coverage included. */
  readonly entries?: number | undefined;
  /** Memory for the requests of one world, in bytes. */
  readonly bytes?: number | undefined;
  /** Real time that passes, in milliseconds from anywhere. */
  readonly stopwatch?: (() => number) | undefined;
};

const defaults = { entries: 1000, bytes: 4 * 1024 * 1024, stopwatch: () => performance.now() };

/** Nothing has been seen yet. */
export const createWorldObserver = (options: WorldObserverOptions = {}): WorldObserver => {
  const { entries = defaults.entries, bytes = defaults.bytes, stopwatch = defaults.stopwatch } = options;
  const watches = new Map<string, WorldObservations>();
  let gone: CoverageCounts = sumOfCounts([]);
  const nothing = (): WorldObservations => ({
    traffic: createTrafficLog({ entries, bytes }),
    coverage: createCoverageTally(),
  });
  const drop = (world: string): void => {
    const watch = watches.get(world);
    if (watch === undefined) return;
    watches.delete(world);
    watch.traffic.end();
    gone = sumOfCounts([gone, watch.coverage.countsNow()]);
  };
  return {
    of: (world) => watches.get(world) ?? nothing(),
    intercept: (world) => {
      const watch = nothing();
      watches.set(world, watch);
      return {
        interceptors: entries === 0 ? [] : [observe(watch, stopwatch)],
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
const observe =
  ({ traffic, coverage }: WorldObservations, stopwatch: () => number): Interceptor =>
  (next, operationOf) =>
  (request, world) => {
    const started = stopwatch();
    const findings = emptyObservations();
    const { method, path, query, headers, address, connection } = request;
    const sent = seeRequest(request);
    const body = sent === undefined ? request.body : sent.body;
    return next({ method, path, query, headers, body, address, connection, observations: findings }, world).then(
      (reply) => {
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
          isLasting: reply.isReused === true,
          disturbance: reply.transmissionFault,
        };
        traffic.add(exchanged);
        coverage.add(exchanged);
        return reply;
      },
    );
  };
