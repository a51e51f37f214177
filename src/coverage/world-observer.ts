/** Records the traffic and the coverage of each world with an interceptor, the outermost one of the world. */
import { emptyObservations } from '../engine/observations.ts';
import { createCoverageTally, sumOfCounts, type CoverageCounts, type CoverageTally } from './coverage-tally.ts';
import { noBody, recordReplyBody, recordRequestBody } from '../traffic/recorded-bodies.ts';
import { isOwnRequest } from '../traffic/own-request.ts';
import { createTrafficLog, type RecordedExchange, type TrafficLog } from '../traffic/traffic-log.ts';
import type { Interceptor } from '../worlds/interceptor.ts';
import type { CreateWorldInterceptors } from '../worlds/named-world.ts';

/** The traffic and coverage of one world. A reset of the world keeps them. */
export type WorldRecord = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

export type WorldObserver = {
  /** Gives each new world its interceptor, which must be the outermost. When a world is dropped, its coverage stays in the total. */
  readonly intercept: CreateWorldInterceptors;
  /** The traffic and coverage of a world by name. Empty for a world that does not exist. */
  of(world: string): WorldRecord;
  /** The sum over all worlds, including dropped ones. */
  total(): Promise<CoverageCounts>;
  clearTotal(): void;
  /** Ends every stream, so that the server can stop. */
  end(): void;
};

type WorldObserverOptions = {
  /** The number of requests kept for each world. With 0 nothing is recorded, not even coverage. */
  readonly entries?: number | undefined;
};

/** The memory for so many requests of one world, in bytes. Long ones take from what short ones leave; few ones may be long. */
export const memoryOf = (entries: number): number => Math.max(entries, 1000) * 4096;

export const createWorldObserver = ({ entries = 1000 }: WorldObserverOptions = {}): WorldObserver => {
  const records = new Map<string, WorldRecord>();
  let dropped: CoverageCounts = sumOfCounts([]);
  const createRecord = (): WorldRecord => ({
    traffic: createTrafficLog({ entries, bytes: memoryOf(entries) }),
    coverage: createCoverageTally(),
  });
  const drop = (world: string): void => {
    const record = records.get(world);
    if (record === undefined) return;
    records.delete(world);
    record.traffic.end();
    dropped = sumOfCounts([dropped, record.coverage.countsNow()]);
  };
  return {
    of: (world) => records.get(world) ?? createRecord(),
    intercept: (world) => {
      const record = createRecord();
      records.set(world, record);
      return {
        interceptors: entries === 0 ? [] : [observe(record)],
        reset: () => undefined,
        drop: () => drop(world),
      };
    },
    total: async () => {
      const counts = await Promise.all([...records.values()].map(({ coverage }) => coverage.counts()));
      return sumOfCounts([dropped, ...counts]);
    },
    clearTotal: () => {
      dropped = sumOfCounts([]);
      for (const { coverage } of records.values()) coverage.clear();
    },
    end: () => records.forEach(({ traffic }) => traffic.end()),
  };
};

/** This runs for every request, so work that can wait is done when traffic or coverage is read. */
const observe =
  ({ traffic, coverage }: WorldRecord): Interceptor =>
  (next, operationOf) =>
  (request, world) => {
    if (isOwnRequest(request)) return next(request, world);
    const started = performance.now();
    const observations = emptyObservations();
    const { method, path, query, headers, address, connection } = request;
    const recorder = recordRequestBody(request);
    const body = recorder === undefined ? request.body : recorder.body;
    return next({ method, path, query, headers, body, address, connection, observations }, world).then((reply) => {
      const exchange: RecordedExchange = {
        id: traffic.nextId(),
        world: world.name,
        baseUrl: world.baseUrl,
        at: world.clock.now(),
        durationMs: performance.now() - started,
        method,
        path,
        query,
        headers,
        requestBody: recorder === undefined ? noBody : recorder.recorded(),
        observations,
        operation: observations.isPage ? undefined : (observations.operation ?? operationOf(request)),
        status: reply.status,
        replyHeaders: reply.headers,
        replyBody: recordReplyBody(reply),
        isReused: reply.isReused === true,
        transmissionFault: reply.transmissionFault,
      };
      traffic.add(exchange);
      coverage.add(exchange);
      return reply;
    });
  };
