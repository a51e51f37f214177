/** `/_atoll/metrics`: the format, what is counted, and that the page says the same of each metric. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { createTallies } from '../../src/server/metrics/tallies.ts';
import { createTestAtoll, root } from '../support/atoll.ts';
import { send, startServer, type TestServer } from '../support/server.ts';
import { readExposition, type Family } from './exposition.ts';

jest.setTimeout(60_000);

const full = createMetrics({
  ...createTallies(),
  version: '1',
  worlds: () => 3,
  pool: () => ({ total: 7, idle: 5, waiting: 2 }),
  lostTraffic: () => 4,
  health: async () => [{ code: 'disk_full', message: 'The disk is full.' }],
});

describe('a server on disk', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ onDisk: true });
  });
  afterAll(() => server.stop());

  const families = async (): Promise<ReadonlyMap<string, Family>> => {
    const reply = await fetch(`${server.url}/_atoll/metrics`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    return readExposition(await reply.text());
  };
  const valueOf = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> => {
    const family = [...(await families())].find(([own]) => name.startsWith(own))?.[1];
    const isMeant = (own: Readonly<Record<string, string>>): boolean =>
      JSON.stringify(Object.entries(own).sort()) === JSON.stringify(Object.entries(labels).sort());
    return family?.samples.find((each) => each.name === name && isMeant(each.labels))?.value;
  };

  it('counts answers by operation and status, and times them, also those of the cache', async () => {
    const path = '/node/1?_format=json';
    for (let times = 0; times < 4; times += 1) expect((await send(server, 'GET', path)).status).toBe(200);
    expect((await send(server, 'HEAD', path)).status).toBe(200);
    expect((await send(server, 'GET', '/node/99999?_format=json')).status).toBe(404);
    expect((await send(server, 'GET', '/nowhere')).status).toBe(404);
    expect(await valueOf('atoll_requests_total', { operation: 'getNode', status: '200' })).toBe(4);
    expect(await valueOf('atoll_requests_total', { operation: 'headNode', status: '200' })).toBe(1);
    expect(await valueOf('atoll_requests_total', { operation: 'getNode', status: '404' })).toBe(1);
    expect(await valueOf('atoll_requests_total', { operation: '', status: '404' })).toBe(1);
    expect(await valueOf('atoll_request_duration_seconds_count', { operation: 'getNode' })).toBe(5);
    expect(await valueOf('atoll_reply_cache_hits_total')).toBeGreaterThan(0);
    expect(await valueOf('atoll_reply_cache_replies')).toBeGreaterThan(0);
    expect(await valueOf('atoll_reply_cache_bytes')).toBeGreaterThan(1000);
    // This request itself.
    expect(await valueOf('atoll_requests_in_progress')).toBe(1);
  });

  it('counts what is written, uploads and worlds', async () => {
    const upload = (body: string) =>
      send(server, 'PUT', '/node/1/media/file/16', {
        body,
        headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://counted.txt' },
      });
    expect((await upload('four')).status).toBe(201);
    expect((await upload('')).status).toBe(400);
    await fetch(`${server.url}/_atoll/worlds`, { method: 'POST' });
    expect(await valueOf('atoll_uploads_total', { result: 'stored' })).toBe(1);
    expect(await valueOf('atoll_uploads_total', { result: 'failed' })).toBe(1);
    expect(await valueOf('atoll_upload_bytes_total')).toBe(4);
    expect(await valueOf('atoll_uploads_in_progress')).toBe(0);
    expect(await valueOf('atoll_batch_size_count')).toBeGreaterThan(0);
    expect(await valueOf('atoll_batch_duration_seconds_count')).toBe(await valueOf('atoll_batch_size_count'));
    expect(await valueOf('atoll_worlds')).toBe(2);
  });

  it('says of its process what Node knows', async () => {
    expect([...(await families()).keys()]).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'nodejs_eventloop_lag_seconds',
        'nodejs_heap_size_used_bytes',
      ]),
    );
  });
});

it('has the connections of a database, and lost traffic, where there is a database', async () => {
  const families = readExposition(await full());
  const values = (name: string) => families.get(name)?.samples.map(({ labels, value }) => [labels['state'], value]);
  expect(values('atoll_database_connections')).toEqual([
    ['idle', 5],
    ['busy', 2],
  ]);
  expect(values('atoll_database_waiting')).toEqual([[undefined, 2]]);
  expect(values('atoll_traffic_lost_total')).toEqual([[undefined, 4]]);
});

it('has a line in docs/use/metrics.md for each metric of its own, with its type', async () => {
  const page = readFileSync(join(root, 'docs/use/metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(atoll_\w+)`[^|]*\| (\w+) /gm)].map(([, name, type]) => [name, type]);
  const own = [...readExposition(await full())].filter(([name]) => name.startsWith('atoll_'));
  expect(rows).toEqual(own.map(([name, { type }]) => [name, type]));
});

it('is 404 where there is no server, as in a page', async () => {
  const atoll = await createTestAtoll();
  const reply = await atoll.send('GET', '/_atoll/metrics').expect(404);
  expect(reply.body).toEqual({ message: 'There are no metrics here: this is not a server.' });
});

describe('the reader of the format', () => {
  const head = '# HELP a_total A\n# TYPE a_total counter\n';
  it.each([
    ['no end of line', `${head}a_total 1`],
    ['no HELP', 'a_total 1\n'],
    ['another name', `${head}b_total 1\n`],
    ['a value that is no number', `${head}a_total one\n`],
    ['a quote in a label', `${head}a_total{b="""} 1\n`],
    ['a label twice', `${head}a_total{b="1",b="2"} 1\n`],
    ['a sample twice', `${head}a_total{b="1"} 1\na_total{b="1"} 2\n`],
    [
      'a bucket that shrinks',
      '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
    ],
    ['no last bucket', '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_sum 1\nh_count 1\n'],
  ])('finds %s', (_what, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});
