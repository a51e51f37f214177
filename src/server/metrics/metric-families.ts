/** Says which metrics there are, and reads each of them from the plain numbers that the work leaves behind. */
import { replyCacheUsage, type ReplyCacheTally } from '../../core/engine/reply-cache.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Histogram } from '../../basics/histogram.ts';
import { Problem } from '../../core/problem.ts';
import type { PoolState, UploadTally, WriteTally } from '../../basics/work-tally.ts';
import type { ReadHealth } from '../worlds/store-health.ts';
import type { RequestTally, Tallies } from './tallies.ts';

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

const single = (value: number): readonly MetricValue[] => [{ labels: {}, value }];

/** No line while nobody knows, as when the database cannot be reached. The other metrics are of this process. */
const countIfKnown = async (count: () => Awaitable<number>): Promise<readonly MetricValue[]> => {
  try {
    return single(await count());
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
};

export const metricFamilies = (sources: MetricsSources): readonly MetricFamily[] => [
  {
    name: 'atoll_info',
    help: 'Always 1; the labels say which program this is',
    type: 'gauge',
    read: () => [{ labels: { version: sources.version }, value: 1 }],
  },
  ...requestFamilies(sources.requests),
  ...cacheFamilies(sources.replyCache),
  ...writeFamilies(sources.writes),
  ...uploadFamilies(sources.uploads),
  {
    name: 'atoll_worlds',
    help: 'Worlds, the main one among them',
    type: 'gauge',
    read: () => countIfKnown(sources.worlds),
  },
  {
    name: 'atoll_health_problems',
    help: 'Reasons why the health is not ok, by code; no line when it is',
    type: 'gauge',
    read: () => problemValues(sources.health),
  },
  ...poolFamilies(sources.pool),
  ...trafficFamilies(sources.lostTraffic),
];

const problemValues = async (health: ReadHealth): Promise<readonly MetricValue[]> => {
  const counts = new Map<string, number>();
  for (const { code } of await health()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, value]) => ({ labels: { code }, value }));
};

const requestFamilies = (requests: RequestTally): readonly MetricFamily[] => [
  {
    name: 'atoll_requests_total',
    help: 'Requests that were answered, by the id of the operation (empty: none answered) and the status',
    type: 'counter',
    read: () =>
      [...requests.operations].flatMap(([operation, { answers }]) =>
        [...answers].map(([status, value]) => ({ labels: { operation, status }, value })),
      ),
  },
  {
    name: 'atoll_request_duration_seconds',
    help: 'Seconds from the head of a request until its answer was ready, without the sending of a body',
    type: 'histogram',
    read: () =>
      [...requests.operations].flatMap(([operation, { seconds }]) =>
        histogramValues('atoll_request_duration_seconds', seconds, { operation }),
      ),
  },
  {
    name: 'atoll_requests_in_progress',
    help: 'Requests that have no answer yet',
    type: 'gauge',
    read: () => single(requests.inProgress),
  },
];

const cacheFamilies = (tally: ReplyCacheTally): readonly MetricFamily[] => [
  {
    name: 'atoll_reply_cache_hits_total',
    help: 'Requests that a kept reply answered',
    type: 'counter',
    read: () => single(tally.hits),
  },
  {
    name: 'atoll_reply_cache_misses_total',
    help: 'Requests whose reply could have been kept and was not',
    type: 'counter',
    read: () => single(tally.misses),
  },
  {
    name: 'atoll_reply_cache_replies',
    help: 'Replies that are kept',
    type: 'gauge',
    read: () => single(replyCacheUsage(tally).replies),
  },
  {
    name: 'atoll_reply_cache_bytes',
    help: 'Bytes of the replies that are kept, about',
    type: 'gauge',
    read: () => single(replyCacheUsage(tally).bytes),
  },
];

const writeFamilies = (tally: WriteTally): readonly MetricFamily[] => [
  {
    name: 'atoll_batch_size',
    help: 'Change sets that were written together in one batch',
    type: 'histogram',
    read: () => histogramValues('atoll_batch_size', tally.batchSizes, {}),
  },
  {
    name: 'atoll_batch_duration_seconds',
    help: 'Seconds until a batch was durable',
    type: 'histogram',
    read: () => histogramValues('atoll_batch_duration_seconds', tally.seconds, {}),
  },
  {
    name: 'atoll_batches_failed_total',
    help: 'Batches that could not be written',
    type: 'counter',
    read: () => single(tally.failed),
  },
];

const uploadFamilies = (uploads: UploadTally): readonly MetricFamily[] => [
  {
    name: 'atoll_uploads_in_progress',
    help: 'Uploads that arrive or wait for their turn',
    type: 'gauge',
    read: () => single(uploads.running),
  },
  {
    name: 'atoll_uploads_total',
    help: 'Uploads that have ended, by what came of them: stored or failed',
    type: 'counter',
    read: () => [
      { labels: { result: 'stored' }, value: uploads.stored },
      { labels: { result: 'failed' }, value: uploads.failed },
    ],
  },
  {
    name: 'atoll_upload_bytes_total',
    help: 'Bytes of the uploads that were stored',
    type: 'counter',
    read: () => single(uploads.bytes),
  },
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
  return [
    {
      name: 'atoll_database_connections',
      help: 'Connections to the database, by state: idle or busy',
      type: 'gauge',
      read: connections,
    },
    {
      name: 'atoll_database_waiting',
      help: 'Pieces of work that wait for a connection to the database',
      type: 'gauge',
      read: () => single(pool().waiting),
    },
  ];
};

const trafficFamilies = (lost: MetricsSources['lostTraffic']): readonly MetricFamily[] =>
  lost === undefined
    ? []
    : [
        {
          name: 'atoll_traffic_lost_total',
          help: 'Requests that the traffic log did not keep because they could not be written behind',
          type: 'counter',
          read: () => single(lost()),
        },
      ];

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
