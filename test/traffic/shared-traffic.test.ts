/** The traffic of a world that several processes serve: each of them shows the requests of all, and says what is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import {
  createObservingProcesses,
  type ObservingProcess,
  type ObservingProcesses,
} from '../team/observations/observing-processes.ts';
import { serveOnPort, type Served } from '../support/server.ts';
import { until } from '../support/until.ts';

type Page = components['schemas']['TrafficPage'];

let processes: ObservingProcesses;
let one: ObservingProcess;
let other: ObservingProcess;

beforeAll(async () => {
  processes = await createObservingProcesses();
  [one, other] = [await processes.start(), await processes.start()];
});

beforeEach(async () => {
  processes.shared.mode = 'work';
  // What waits is from the test before.
  await Promise.all([one.observer.flush(), other.observer.flush()]);
  await one.send('delete', '/_atoll/traffic').expect(204);
});

const page = async (atoll: ObservingProcess, query = ''): Promise<Page> =>
  (await atoll.send('get', `/_atoll/traffic${query}`).expect(200)).body as Page;
const pathsAt = async (atoll: ObservingProcess, query = ''): Promise<string[]> =>
  (await page(atoll, query)).entries.map(({ path }) => path);
const get = async (atoll: ObservingProcess, path: string): Promise<void> => {
  await atoll.send('get', path);
};

describe('The traffic of several processes', () => {
  it('is shown by each of them: all requests, in one order, none twice', async () => {
    const asked: string[] = [];
    for (let number = 1; number <= 12; number += 1) {
      asked.push(`/node/${number}?_format=json`);
      await get(number % 3 === 0 ? other : one, asked.at(-1) ?? '');
      // Reading in between changes nothing.
      if (number % 4 === 0) await page(number % 8 === 0 ? one : other);
    }
    const [here, there] = [await page(one), await page(other)];
    // What another process has answered comes when it was written.
    await until(async () => (await page(one)).total === 12, 'twelve requests');
    expect((await page(one)).entries.map(({ path }) => path).sort()).toEqual(asked.sort());
    expect(await page(one)).toEqual(await page(other));
    const ids = (await page(one)).entries.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(12);
    for (const early of [here, there]) {
      const known = (await page(one)).entries.slice(0, early.total);
      expect(early.entries).toEqual(known);
    }
  });

  it('has at once what the asked process has answered itself, with violations and corrections', async () => {
    await other
      .send('post', '/node?_format=json', 'admin')
      .send({ title: [{ value: 7 }] })
      .expect(422);
    const [entry] = (await page(other)).entries;
    expect(entry).toMatchObject({ operation: 'createNode', status: 422, verdict: { request: 'broken' } });
    expect(entry?.requestFaults[0]?.document?.line).toBeGreaterThan(1);
    expect(entry?.corrected).toContain('curl -X POST');
    expect((await page(one)).entries).toEqual([entry]);
    const exchange = await one.send('get', `/_atoll/traffic/${entry?.id}`).expect(200);
    expect(exchange.body).toEqual((await other.send('get', `/_atoll/traffic/${entry?.id}`).expect(200)).body);
    expect((exchange.body as components['schemas']['TrafficExchange']).request.body).toBe('{"title":[{"value":7}]}');
    expect((await one.send('get', '/_atoll/traffic.har').expect(200)).text).toBe(
      (await other.send('get', '/_atoll/traffic.har').expect(200)).text,
    );
    expect((await one.send('get', '/_atoll/traffic/count?status=4xx').expect(200)).body).toEqual({
      ...{ count: 1, dropped: 0, lost: 0 },
    });
  });

  it('is written when nobody reads it', async () => {
    const before = processes.shared.texts.length;
    await get(one, '/node/1?_format=json');
    await until(() => processes.shared.texts.length > before, 'written in the background', 30_000);
  });

  it('is forgotten by all when one is told to, and its ids go on', async () => {
    await get(one, '/node/1?_format=json');
    await get(other, '/node/2?_format=json');
    const [last] = (await page(other)).entries.slice(-1);
    await page(one);
    await other.observer.flush();
    await one.observer.flush();
    await one.send('delete', '/_atoll/traffic').expect(204);
    expect(await page(other)).toEqual({ total: 0, dropped: 0, lost: 0, entries: [] });
    await get(other, '/node/3?_format=json');
    const [next] = (await page(other)).entries;
    expect(next?.path).toBe('/node/3?_format=json');
    expect(next?.id).toBeGreaterThan(last?.id ?? Infinity);
  });

  it('is of each world apart, and begins with what was there before a process started', async () => {
    for (const atoll of [one, other]) await atoll.send('post', '/_atoll/worlds').send({ name: 'side' }).expect(201);
    await get(one, '/~side/node/1?_format=json');
    await get(one, '/node/2?_format=json');
    await one.observer.flush();
    const third = await processes.start();
    await third.send('post', '/_atoll/worlds').send({ name: 'side' }).expect(201);
    for (const atoll of [other, third]) {
      const side = (await atoll.send('get', '/~side/_atoll/traffic').expect(200)).body as Page;
      expect(side.entries.map(({ path, world }) => [path, world])).toEqual([['/node/1?_format=json', 'side']]);
      expect(await pathsAt(atoll)).toEqual(['/node/2?_format=json']);
    }
  });
});

describe('The limits of shared traffic', () => {
  it('keep the newest requests of all processes, and count the others as dropped', async () => {
    const few = await createObservingProcesses();
    const [here, there] = [await few.start({ entries: 20 }), await few.start({ entries: 20 })];
    for (let number = 1; number <= 50; number += 1) {
      const atoll = number % 2 === 0 ? here : there;
      await get(atoll, `/node/${number}?_format=json`);
      await atoll.observer.flush();
    }
    const newest = Array.from({ length: 20 }, (_, at) => `/node/${at + 31}?_format=json`);
    for (const atoll of [here, there, await few.start({ entries: 20 })]) {
      expect(await pathsAt(atoll)).toEqual(newest);
      expect(await page(atoll, '?limit=1')).toMatchObject({ total: 20, dropped: 30, lost: 0 });
    }
    // Of many at once only those are written that stay.
    const before = few.shared.texts.length;
    for (let number = 1; number <= 30; number += 1) await get(here, `/node/${number}?_format=json`);
    await until(async () => (await page(here)).dropped === 60, 'thirty more');
    expect(few.shared.texts.length - before).toBeLessThanOrEqual(32 + 30);
    expect((await pathsAt(there)).at(-1)).toBe('/node/30?_format=json');
  });
});

describe('A database that cannot be reached', () => {
  it('holds up no request; what waits is written later, and nothing is lost', async () => {
    processes.shared.mode = 'refuse';
    for (let number = 1; number <= 5; number += 1) {
      await one.send('get', `/node/${number}?_format=json`).expect(200);
    }
    await one.send('get', '/_atoll/traffic').expect(503);
    processes.shared.mode = 'work';
    expect((await pathsAt(one)).length).toBe(5);
    expect(await page(other)).toMatchObject({ total: 5, lost: 0 });
    expect(one.observer.lost()).toBe(0);
  });

  it('loses the oldest requests beyond the memory for them, and says so at every process', async () => {
    const tight = await processes.start({ bytes: 20_000 });
    const before = tight.observer.lost();
    processes.shared.mode = 'refuse';
    for (let number = 1; number <= 30; number += 1) {
      await tight.send('get', `/node/${number % 9}?_format=json`);
    }
    const lost = tight.observer.lost() - before;
    expect(lost).toBeGreaterThan(15);
    expect(lost).toBeLessThan(30);
    processes.shared.mode = 'work';
    const kept = await page(tight);
    expect([kept.total, kept.lost, kept.dropped]).toEqual([30 - lost, lost, 0]);
    expect(kept.entries.at(-1)?.path).toBe('/node/3?_format=json');
    expect(await page(other)).toMatchObject({ total: 30 - lost, lost });
    expect((await other.send('get', '/_atoll/traffic/count').expect(200)).body).toMatchObject({ lost });
    expect(tight.observer.lost()).toBe(lost + before);
    expect(other.observer.lost()).toBe(0);
    await other.send('delete', '/_atoll/traffic').expect(204);
    expect(await page(tight)).toMatchObject({ total: 0, lost: 0 });
  });

  it('that breaks off in the middle of a writing gets nothing twice: what it may not have kept counts as lost', async () => {
    const unsure = await processes.start();
    processes.shared.mode = 'forget';
    await get(unsure, '/node/1?_format=json');
    await get(unsure, '/node/2?_format=json');
    await unsure.observer.flush();
    processes.shared.mode = 'work';
    await get(unsure, '/node/3?_format=json');
    const kept = await page(unsure);
    expect(kept.entries.map(({ path }) => path)).toEqual([1, 2, 3].map((number) => `/node/${number}?_format=json`));
    expect(kept.lost).toBe(2);
    expect(unsure.observer.lost()).toBe(2);
  });

  it.each([
    ['get', '/_atoll/traffic'],
    ['delete', '/_atoll/traffic'],
    ['get', '/_atoll/traffic/1'],
    ['get', '/_atoll/traffic/count'],
    ['get', '/_atoll/traffic/stream'],
    ['get', '/_atoll/traffic.har'],
    ['get', '/_atoll/coverage'],
    ['delete', '/_atoll/coverage'],
    ['get', '/_atoll/coverage/requests'],
  ])('is said: %s %s is 503', async (method, path) => {
    processes.shared.mode = 'refuse';
    const { text } = await one.send(method, path).expect(503);
    expect(text).toBe('{"message":"The database cannot be reached at the moment. Try again."}');
  });
});

describe('The stream of shared traffic', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveOnPort(one);
  });
  afterAll(() => served.stop());

  /** The ids and paths of the events, as they come. */
  const follow = async (path: string, headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const response = await fetch(`${served.url}${path}`, { headers, signal: leaving.signal });
    const seen: { id: number; path: string }[] = [];
    const reading = (async () => {
      let rest = '';
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const events = `${rest}${piece}`.split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (data !== undefined) seen.push(JSON.parse(data) as { id: number; path: string });
        }
      }
    })().catch(() => undefined);
    return {
      seen,
      paths: () => seen.map(({ path: shown }) => shown),
      leave: async () => {
        leaving.abort();
        await reading;
      },
    };
  };

  it('tells the requests of all processes, each once, in the order of their ids', async () => {
    const { seen, paths, leave } = await follow('/_atoll/traffic/stream');
    for (let number = 1; number <= 10; number += 1) {
      await get(number % 2 === 0 ? one : other, `/node/${number}?_format=json`);
      await page(number % 3 === 0 ? one : other);
    }
    await until(() => seen.length >= 10, 'ten events', 30_000);
    await page(one);
    const entries = (await page(one)).entries;
    expect(paths()).toEqual(entries.map(({ path }) => path));
    expect(seen.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
    await leave();
  });

  it('goes on after the last event that a client has seen, whichever process it asks', async () => {
    await get(other, '/node/1?_format=json');
    await get(other, '/node/2?_format=json');
    const [first] = (await page(other)).entries;
    const { seen, paths, leave } = await follow('/_atoll/traffic/stream', { 'Last-Event-ID': String(first?.id) });
    await until(() => seen.length > 0, 'the next event', 30_000);
    await get(other, '/node/3?_format=json');
    await until(() => seen.length > 1, 'the event after it', 30_000);
    expect(paths()).toEqual(['/node/2?_format=json', '/node/3?_format=json']);
    await leave();
  });

  it('outlasts a database that cannot be reached', async () => {
    const { seen, paths, leave } = await follow('/_atoll/traffic/stream');
    processes.shared.mode = 'refuse';
    await get(one, '/node/1?_format=json');
    await expect(one.observer.flush()).rejects.toMatchObject({ status: 503 });
    processes.shared.mode = 'work';
    await get(other, '/node/2?_format=json');
    await until(() => seen.length > 1, 'both events', 30_000);
    expect(paths().sort()).toEqual(['/node/1?_format=json', '/node/2?_format=json']);
    await leave();
  });

  it('ends when the server stops', async () => {
    const { leave } = await follow('/_atoll/traffic/stream');
    one.observer.end();
    expect(one.observer.of('main').traffic.listeners()).toBe(0);
    await leave();
  });
});
