/** The coverage of a world that several processes serve: their sum is what one process would have counted. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CoverageRecord,
  type CoverageCounts,
  createCoverageTally,
  sumOfCounts,
} from '../../../src/contract/contract-coverage.ts';
import {
  countsOf,
  createPartTally,
  sumOfStored,
  type StoredCounts,
} from '../../../src/team/observations/stored-counts.ts';
import { createWorldObserver } from '../../../src/server/server-start.ts';
import type { RecordedExchange } from '../../../src/exchange/exchange.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { createObservingProcesses, type ObservingProcess, type ObservingProcesses } from './observing-processes.ts';

let processes: ObservingProcesses;
let one: ObservingProcess;
let other: ObservingProcess;
/** Has all requests. */
let alone: TestAtoll;
const ownObserver = createWorldObserver();

beforeAll(async () => {
  processes = await createObservingProcesses();
  [one, other] = [await processes.start(), await processes.start()];
  alone = await createTestAtoll({ app: { observer: ownObserver }, open: { intercept: [ownObserver.intercept] } });
});

beforeEach(async () => {
  processes.shared.mode = 'work';
  await Promise.all([one.observer.flush(), other.observer.flush()]);
  for (const atoll of [one, alone]) await atoll.send('delete', '/_atoll/coverage').expect(204);
});

const coverage = async (atoll: TestAtoll, world = ''): Promise<CoverageRecord> =>
  (await atoll.send('get', `${world}/_atoll/coverage`).expect(200)).body as CoverageRecord;
const answersOf = async (atoll: TestAtoll): Promise<number> =>
  (await coverage(atoll)).answers.reduce((sum, { count }) => sum + count, 0);

type Asked = { readonly method?: string; readonly path: string; readonly as?: string; readonly body?: object };

/** The same requests to both processes in turns, and to the one that has all of them. */
const ask = async (requests: readonly Asked[]): Promise<void> => {
  for (const [at, { method = 'get', path, as, body }] of requests.entries()) {
    for (const atoll of [at % 2 === 0 ? one : other, alone]) {
      const sent = atoll.send(method, path, as);
      await (body === undefined ? sent : sent.send(body));
    }
  }
};

const json = (path: string, as?: string): Asked => ({
  path: `${path}?_format=json`,
  ...(as === undefined ? {} : { as }),
});

/** The links of the nodes are shown before they are followed, most of them by another process. */
const browsing: readonly Asked[] = [
  ...[1, 2, 3, 4, 5].map((id) => json(`/node/${id}`)),
  ...[1, 2, 3].map((id) => json(`/node/${id}`, 'editor')),
  ...[{ path: '/node/1?_format=jsonld' }, { path: '/node/2?_format=jsonld' }, { path: '/node/3?_format=jsonld' }],
  ...[json('/node/2'), json('/node/1'), json('/node/2/media'), json('/node/1/media')],
  ...[json('/node/999'), json('/nothing'), { method: 'head', path: '/node/1?_format=json' }],
];

describe('The coverage of several processes', () => {
  it('is what one process counts that has all requests: answers, links and advice', async () => {
    const advised = {
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A letter' }] },
      ...{ field_model: [{ target_id: 23 }], field_linked_agent: [{ target_id: 34 }] },
    };
    const post: Asked = { method: 'post', path: '/node?_format=json', as: 'admin', body: advised };
    await ask([...browsing, post, post, { ...post, body: { title: [{ value: 7 }] } }]);
    const expected = await coverage(alone);
    expect(expected.relations.filter(({ followed }) => followed > 0).length).toBeGreaterThan(1);
    expect(expected.advice).not.toEqual([]);
    await Promise.all([one.observer.flush(), other.observer.flush()]);
    expect(await coverage(one)).toEqual(expected);
    expect(await coverage(other)).toEqual(expected);
  });

  it('stays when a process is gone, and when its parts are added up', async () => {
    for (let times = 0; times < 100; times += 1) {
      await one.send('get', '/node/1?_format=json').expect(200);
      await one.observer.flush();
    }
    const third = await processes.start();
    expect(await answersOf(third)).toBe(100);
    expect((await processes.shared.store().readCoverage()).length).toBeLessThanOrEqual(65);
    await third.send('get', '/node/1?_format=json').expect(200);
    expect(await answersOf(third)).toBe(101);
    expect(await answersOf(other)).toBe(101);
  });

  it('is cleared at all of them: links that they have shown before count again', async () => {
    await ask(browsing);
    await Promise.all([one.observer.flush(), other.observer.flush()]);
    await one.send('delete', '/_atoll/coverage').expect(204);
    await alone.send('delete', '/_atoll/coverage').expect(204);
    expect((await coverage(other)).answers).toEqual([]);
    await ask(browsing);
    await Promise.all([one.observer.flush(), other.observer.flush()]);
    expect(await coverage(one)).toEqual(await coverage(alone));
  });

  it('of a dropped world stays in the total, also what another process had not written', async () => {
    for (const atoll of [one, other]) await atoll.send('post', '/_atoll/worlds').send({ name: 'side' }).expect(201);
    await one.send('get', '/~side/node/1?_format=json').expect(200);
    await other.send('get', '/~side/node/1?_format=json').expect(200);
    await other.send('get', '/node/2?_format=json').expect(200);
    await one.observer.flush();
    expect((await coverage(one, '/~side')).answers).toMatchObject([{ operation: 'getNode' }]);
    await one.send('delete', '/_atoll/worlds/side').expect(204);
    await processes.shared.dropWorld(2);
    await other.send('delete', '/_atoll/worlds/side').expect(204);
    await other.observer.flush();
    expect([await answersOf(one), await answersOf(other)]).toEqual([3, 3]);
    await other.send('delete', '/_atoll/coverage').expect(204);
    expect(await answersOf(one)).toBe(0);
  });

  it('loses nothing while the database cannot be reached', async () => {
    processes.shared.mode = 'refuse';
    for (let times = 0; times < 70; times += 1) await one.send('get', '/node/1?_format=json').expect(200);
    await one.send('get', '/_atoll/coverage').expect(503);
    await one.send('get', '/node/1?_format=json').expect(200);
    await expect(one.observer.flush()).rejects.toMatchObject({ status: 503 });
    processes.shared.mode = 'work';
    expect(await answersOf(one)).toBe(71);
  });
});

describe('The sum of what processes write', () => {
  let exchanges: readonly RecordedExchange[];
  beforeAll(async () => {
    await alone.send('delete', '/_atoll/traffic').expect(204);
    for (const { method = 'get', path, as } of browsing) await alone.send(method, path, as);
    await new Promise((resolve) => setImmediate(resolve));
    exchanges = ownObserver.of('main').traffic.entries();
  });

  const countedAlone = (all: readonly RecordedExchange[]): CoverageCounts => {
    const tally = createCoverageTally();
    all.forEach(tally.add);
    return sumOfCounts([tally.countsNow()]);
  };

  /** Each process writes after so many requests. */
  const partsOf = (all: readonly RecordedExchange[], count: number, each: number): StoredCounts[] => {
    let time = 0;
    const tallies = Array.from({ length: count }, (_, at) => createPartTally(`p${at}`, () => (time += 1000)));
    const parts: StoredCounts[] = [];
    for (const [at, exchange] of all.entries()) {
      tallies[at % count]?.add(exchange);
      if (at % each === each - 1) parts.push(...tallies.flatMap((tally) => tally.take() ?? []));
    }
    return [...parts, ...tallies.flatMap((tally) => tally.take() ?? [])].map(
      (part) => JSON.parse(JSON.stringify(part)) as StoredCounts,
    );
  };

  it.each([
    [1, 3],
    [2, 1],
    [2, 4],
    [3, 5],
    [4, 100],
  ])('of %i processes that write after %i requests is that of one, however it is added up', (count, each) => {
    const expected = countedAlone(exchanges);
    expect(expected.relations.some(({ followed }) => followed > 0)).toBe(true);
    const parts = partsOf(exchanges, count, each);
    expect(countsOf(sumOfStored(parts))).toEqual(expected);
    const middle = Math.ceil(parts.length / 2);
    const halves = [parts.slice(0, middle), parts.slice(middle)].map(sumOfStored);
    expect(countsOf(sumOfStored(halves))).toEqual(expected);
    const oneByOne = parts.reduce((sum, part) => sumOfStored([sum, part]));
    expect(countsOf(oneByOne)).toEqual(expected);
  });

  it('stays small and keeps its counts, however many addresses there are', () => {
    const [exchange] = exchanges;
    if (exchange === undefined) throw new Error('There is one.');
    const links = (from: number): readonly string[] =>
      Array.from({ length: 1000 }, (_, at) => `<${exchange.baseUrl}/x/${from + at}>; rel="item"`);
    const showing = (from: number): RecordedExchange => ({
      ...exchange,
      replyHeaders: { ...exchange.replyHeaders, Link: links(from) },
    });
    const parts = Array.from({ length: 12 }, (_, at) =>
      partsOf([showing(at * 1000), { ...exchange, path: `/x/${at * 1000}` }], 2, 2),
    );
    const sum = parts.flat().reduce((known, part) => sumOfStored([known, part]));
    expect(sum.notes.length).toBeLessThanOrEqual(4000);
    const item = countsOf(sum).relations.find(({ relation }) => relation === 'item');
    expect(item).toEqual({ operation: 'getNode', relation: 'item', seen: 12_000, followed: 12 });
  });
});
