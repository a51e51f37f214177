/** Says which metrics there are, and reads each of them from the plain numbers that the work leaves behind. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Histogram } from '../../basics/histogram.ts';
import {
  type PoolState,
  type UploadTally,
  type WriteTally,
  replyCacheUsage,
  type ReplyCacheTally,
} from '../../basics/work-tally.ts';
import type { ReadHealth } from '../worlds/store-health.ts';
import type { RequestTally, Tallies } from './tallies.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** The sources of the metrics. The functions are called at each reading. */
export type MetricsSources = Tallies & {
  readonly version: string;
  readonly worlds: () => Awaitable<number>;
  readonly health: ReadHealth;
  /** Undefined without a database. */
  readonly pool?: (() => PoolState) | undefined;
  /** Requests that the traffic log should have kept and did not. Undefined where none can be lost. */
  readonly lostTraffic?: (() => number) | undefined;
};

type Labels = Readonly<Record<string, string | number>>;

/** One line. `metricName` differs from the family's name in a histogram. */
type MetricValue = { readonly labels: Labels; readonly value: number; readonly metricName?: string };

type MetricFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly read: () => Awaitable<readonly MetricValue[]>;
};

/** No line while nobody knows, as when the database cannot be reached. The other metrics are of this process. */
const countIfKnown = async (count: () => Awaitable<number>): Promise<number | readonly MetricValue[]> => {
  try {
    return await count();
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
};

/** A row of the table of metrics. */
const metric = (
  type: MetricFamily['type'],
  name: string,
  help: string,
  read: () => Awaitable<number | readonly MetricValue[]>,
): MetricFamily => ({
  ...{ name: `atoll_${name}`, help, type },
  read: async () => {
    const value = await read();
    return typeof value === 'number' ? [{ labels: {}, value }] : value;
  },
});

/** A metric whose lines are the buckets of histograms, each with its labels. */
const histograms = (
  name: string,
  help: string,
  read: () => readonly (readonly [labels: Labels, histogram: Histogram])[],
): MetricFamily =>
  metric('histogram', name, help, () =>
    read().flatMap(([labels, histogram]) => histogramValues(`atoll_${name}`, histogram, labels)),
  );

const counter = metric.bind(undefined, 'counter');
const gauge = metric.bind(undefined, 'gauge');

export const metricFamilies = (sources: MetricsSources): readonly MetricFamily[] => [
  gauge('info', 'Always 1; the labels say which program this is', () => [
    { labels: { version: sources.version }, value: 1 },
  ]),
  ...requestFamilies(sources.requests),
  ...cacheFamilies(sources.replyCache),
  ...writeFamilies(sources.writes),
  ...uploadFamilies(sources.uploads),
  gauge('worlds', 'Worlds, the main one among them', () => countIfKnown(sources.worlds)),
  gauge('health_problems', 'Reasons why the health is not ok, by code; no line when it is', () =>
    problemValues(sources.health),
  ),
  ...poolFamilies(sources.pool),
  ...trafficFamilies(sources.lostTraffic),
];

const problemValues = async (health: ReadHealth): Promise<readonly MetricValue[]> => {
  const counts = new Map<string, number>();
  for (const { code } of await health()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, value]) => ({ labels: { code }, value }));
};

const requestFamilies = (requests: RequestTally): readonly MetricFamily[] => [
  counter(
    'requests_total',
    'Requests that were answered, by the id of the operation (empty: none answered) and the status',
    () =>
      [...requests.operations].flatMap(([operation, { answers }]) =>
        [...answers].map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
  ),
  histograms(
    'request_duration_seconds',
    'Seconds from the head of a request until its answer was ready, without the sending of a body',
    () => [...requests.operations].map(([operation, { seconds }]) => [{ operation }, seconds]),
  ),
  gauge('requests_in_progress', 'Requests that have no answer yet', () => requests.inProgress),
];

const cacheFamilies = (tally: ReplyCacheTally): readonly MetricFamily[] => [
  counter('reply_cache_hits_total', 'Requests that a kept reply answered', () => tally.hits),
  counter('reply_cache_misses_total', 'Requests whose reply could have been kept and was not', () => tally.misses),
  gauge('reply_cache_replies', 'Replies that are kept', () => replyCacheUsage(tally).replies),
  gauge('reply_cache_bytes', 'Bytes of the replies that are kept, about', () => replyCacheUsage(tally).bytes),
];

const writeFamilies = (tally: WriteTally): readonly MetricFamily[] => [
  histograms('batch_size', 'Change sets that were written together in one batch', () => [[{}, tally.batchSizes]]),
  histograms('batch_duration_seconds', 'Seconds until a batch was durable', () => [[{}, tally.seconds]]),
  counter('batches_failed_total', 'Batches that could not be written', () => tally.failed),
];

const uploadFamilies = (uploads: UploadTally): readonly MetricFamily[] => [
  gauge('uploads_in_progress', 'Uploads that arrive or wait for their turn', () => uploads.running),
  counter('uploads_total', 'Uploads that have ended, by what came of them: stored or failed', () => [
    { labels: { result: 'stored' }, value: uploads.stored },
    { labels: { result: 'failed' }, value: uploads.failed },
  ]),
  counter('upload_bytes_total', 'Bytes of the uploads that were stored', () => uploads.bytes),
];

const poolFamilies = (pool: MetricsSources['pool']): readonly MetricFamily[] => {
  if (pool === undefined) return [];
  const connections = (): readonly MetricValue[] => {
    const { total, idle } = pool();
    return [
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'busy' }, value: total - idle },
    ];
  };
  const waitingHelp = 'Pieces of work that wait for a connection to the database';
  return [
    gauge('database_connections', 'Connections to the database, by state: idle or busy', connections),
    gauge('database_waiting', waitingHelp, () => pool().waiting),
  ];
};

const trafficFamilies = (lost: MetricsSources['lostTraffic']): readonly MetricFamily[] => {
  const help = 'Requests that the traffic log did not keep because they could not be written behind';
  return lost === undefined ? [] : [counter('traffic_lost_total', help, lost)];
};

/** The lines of a histogram: how many values were at most so large, their sum and their number. */
const histogramValues = (name: string, { bounds, counts, sum }: Histogram, labels: Labels): readonly MetricValue[] => {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
};
