/** Where and when a fault strikes: operations, paths, headers, rates, counts, worlds; and what the control interface refuses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFaultState } from '../../src/server/faults/fault-state.ts';
import { createFaultTrigger } from '../../src/server/faults/fault-trigger.ts';
import { createMemoryState } from '../../src/openapi/openapi-host.ts';
import { createRandomSource } from '../support/random-source.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { basic } from '../support/requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(() => server.worlds.reset('main'));

const control = (path: string, init: RequestInit = {}, base = server.url): Promise<Response> =>
  fetch(`${base}/_atoll/faults${path}`, init);
const add = async (fault: object, base = server.url): Promise<{ status: number; id: string; message: string }> => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await control('', { method: 'POST', headers, body: JSON.stringify(fault) }, base);
  return { status: response.status, ...((await response.json()) as { id: string; message: string }) }; // either of them
};
const statusOf = async (path: string, init: RequestInit = {}): Promise<number> => {
  const url = path.startsWith('/') ? server.url + path : path;
  return (await fetch(url, init)).status;
};
const statuses = async (times: number, path = '/node/5?_format=json'): Promise<number[]> => {
  const met: number[] = [];
  for (let time = 0; time < times; time += 1) met.push(await statusOf(path));
  return met;
};
const unavailable = { fault: 'status', parameters: { status: 503 } };

describe('a fault strikes', () => {
  it('the operations that are named, with 503, and spares the others', async () => {
    expect((await add({ ...unavailable, operations: ['getNode', 'getFile'] })).status).toBe(201);
    expect(await statusOf('/node/5?_format=json')).toBe(503);
    expect(await statusOf('/node/5?_format=json', { method: 'HEAD' })).toBe(503);
    expect(await statusOf('/taxonomy/term/24?_format=json')).toBe(200);
  });

  it.each([
    ['/node/*', '/node/5?_format=json', 503],
    ['/node/{node_id}', '/node/5?_format=json', 503],
    ['/node/6', '/node/5?_format=json', 200],
    ['/node/**', '/node/5/linkset', 503],
    ['/node/*', '/node/5/linkset', 200],
    ['/**', '/no/such/path', 503],
    ['/node/**', '/node', 405],
  ])('the path %s: a GET of %s is %i', async (path, asked, status) => {
    await add({ ...unavailable, path });
    expect(await statusOf(asked)).toBe(status);
  });

  it('one method with 503 and not another', async () => {
    await add({ ...unavailable, method: 'HEAD' });
    expect(await statusOf('/node/5?_format=json')).toBe(200);
    expect(await statusOf('/node/5?_format=json', { method: 'HEAD' })).toBe(503);
  });

  it('an answer that another has made already: a page with 200 in the place of a token', async () => {
    await add({ fault: 'token-expires' });
    await add({ fault: 'maintenance-page', parameters: { status: 200 } });
    const response = await fetch(`${server.url}/jwt/token`, {
      headers: basic('editor').headers,
    });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=UTF-8']);
  });

  it('only requests with its header', async () => {
    await add({ ...unavailable, header: 'slow-day' });
    expect(await statusOf('/node/5?_format=json')).toBe(200);
    expect(await statusOf('/node/5?_format=json', { headers: { 'Atoll-Fault': 'slow-day' } })).toBe(503);
  });

  it('after so many and so many times: 200 200 503 503 200', async () => {
    await add({ ...unavailable, operations: ['getNode'], after: 2, count: 2 });
    expect(await statuses(5)).toEqual([200, 200, 503, 503, 200]);
  });

  it('the same requests of a share when the world is reset and it is added again', async () => {
    const round = async (seed?: string): Promise<number[]> => {
      await server.worlds.reset('main');
      await add({ ...unavailable, rate: 0.4, ...(seed === undefined ? {} : { seed }) });
      return statuses(30);
    };
    const first = await round();
    expect(await round()).toEqual(first);
    expect(await round('another')).not.toEqual(first);
    const struck = first.filter((status) => status === 503).length;
    expect([struck > 3, struck < 25]).toEqual([true, true]);
  });

  it('together with others, the first outermost: both are named in the header of a 503', async () => {
    await add({ fault: 'latency', parameters: { ms: 1 } });
    await add(unavailable);
    const response = await fetch(`${server.url}/node/5?_format=json`);
    expect([response.status, response.headers.get('atoll-fault')]).toEqual([503, 'latency, status']);
  });

  it('its own world and no other, until a reset', async () => {
    const { url, name } = await server.worlds.fork({});
    await add(unavailable, url);
    expect(await statusOf(`${url}/node/5?_format=json`)).toBe(503);
    expect(await statusOf('/node/5?_format=json')).toBe(200);
    await server.worlds.reset(name);
    expect(await statusOf(`${url}/node/5?_format=json`)).toBe(200);
    expect(await server.worlds.drop(name)).toBe(true);
    const again = await server.worlds.fork({ name: 'again' });
    expect(await (await control('', {}, again.url)).json()).toEqual({ faults: [] });
    await server.worlds.drop('again');
  });
});

describe('a rule', () => {
  it('strikes as many as its count, after as many as it spares, at any rate', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.nat(20),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string(),
        (after, count, rate, seed) => {
          const { counts } = createFaultState(createMemoryState()).memory('f1');
          const matcher = createFaultTrigger({ after, count, rate }, createRandomSource(seed), counts);
          const struck = Array.from({ length: 60 }, () => matcher.trigger());
          expect(struck.slice(0, after)).not.toContain(true);
          expect(struck.filter(Boolean).length).toBeLessThanOrEqual(count);
          expect(matcher.triggeredCount()).toBe(struck.filter(Boolean).length);
          if (rate === 1) expect(struck.filter(Boolean).length).toBe(Math.min(count, 60 - after));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a request that asks by its header', () => {
  const asked = (header: string, path = '/node/5?_format=json'): Promise<Response> =>
    fetch(server.url + path, { headers: { 'Atoll-Fault': header } });

  it('is answered with 500, and the next one without the header with 200', async () => {
    expect((await asked('unexpected-error')).status).toBe(500);
    expect(await statusOf('/node/5?_format=json')).toBe(200);
    expect(await (await control('')).json()).toEqual({ faults: [] });
  });

  it('may name several with values, and is told which have struck', async () => {
    const response = await asked('latency;ms=1, status; status=418; message=Short');
    expect([response.status, response.headers.get('atoll-fault')]).toEqual([418, 'latency, status']);
    expect(await response.json()).toEqual({ message: 'Short' });
  });

  it('shows an expired token and a lost role with 403 at once', async () => {
    const editor = basic('editor').headers;
    const { token } = (await (await fetch(`${server.url}/jwt/token?_format=json`, { headers: editor })).json()) as {
      token: string;
    }; // checked by the engine
    const media = `${server.url}/media/1?_format=json`;
    const bearer = { Authorization: `Bearer ${token}` };
    const met = [
      await fetch(media, { headers: bearer }),
      await fetch(media, { headers: { ...bearer, 'Atoll-Fault': 'token-expires' } }),
      await fetch(media, { headers: { ...editor, 'Atoll-Fault': 'role-removed' } }),
    ];
    expect(met.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  it.each([
    ['nope', /There is no fault "nope"/],
    ['latency;ms', /"ms" is not of the form name=value/],
    ['latency;ms=soon', /ms is a number/],
    ['latency;pace=3', /has no parameter "pace"/],
    ['latency;distribution=even', /is one of fixed, uniform, normal, lognormal/],
    ['link-target-deleted', /lasts longer than a request/],
  ])('with "%s" is refused with 400', async (header, message) => {
    const response = await asked(header);
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });
});

describe('the control interface', () => {
  it('lists what was added, in order, with how often it has struck: 200', async () => {
    const first = await add({ ...unavailable, operations: ['getNode'], count: 3 });
    await add({ fault: 'link-target-deleted', header: 'gone', rate: 0.5, after: 1, method: 'GET', path: '/node/*' });
    await statuses(2);
    const response = await control('');
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        faults: [
          {
            id: first.id,
            fault: 'status',
            parameters: { status: 503 },
            operations: ['getNode'],
            rate: 1,
            after: 0,
            count: 3,
            struck: 2,
          },
          {
            ...{ id: 'f2', fault: 'link-target-deleted', parameters: { relation: 'related' }, header: 'gone' },
            ...{ method: 'GET', path: '/node/*', rate: 0.5, after: 1, count: 1, struck: 0 },
          },
        ],
      },
    ]);
  });

  it('removes one with 204, an unknown one with 404, all with 204', async () => {
    const { id } = await add(unavailable);
    await add(unavailable);
    expect((await control(`/${id}`, { method: 'DELETE' })).status).toBe(204);
    const again = await control(`/${id}`, { method: 'DELETE' });
    expect([again.status, await again.json()]).toEqual([404, { message: `There is no fault "${id}".` }]);
    expect((await control('', { method: 'DELETE' })).status).toBe(204);
    expect(await statusOf('/node/5?_format=json')).toBe(200);
  });

  it.each([
    [{}, 'fault'],
    [{ fault: 'nope' }, 'There is no fault "nope"'],
    [{ ...unavailable, operations: ['getNod'] }, 'There is no operation "getNod"'],
    [{ ...unavailable, operations: [] }, 'operations'],
    [{ ...unavailable, rate: 2 }, 'rate'],
    [{ ...unavailable, count: 0 }, 'count'],
    [{ ...unavailable, path: 'node' }, 'path'],
    [{ ...unavailable, header: 'A B' }, 'header'],
    [{ ...unavailable, method: 'get' }, 'method'],
    [{ ...unavailable, when: 'now' }, 'when'],
    [{ fault: 'status', parameters: { status: 99 } }, 'status: status is a number from 200 to 599'],
    [{ fault: 'status', parameters: { code: 503 } }, 'status has no parameter "code"'],
  ])('refuses %j with 422', async (fault, message) => {
    const refused = await add(fault);
    expect([refused.status, refused.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('refuses what is no JSON with 400, and the 101st with 409', async () => {
    const headers = { 'Content-Type': 'application/json' };
    expect((await control('', { method: 'POST', headers, body: '{' })).status).toBe(400);
    for (let number = 0; number < 100; number += 1) await add({ ...unavailable, header: 'never' });
    expect(await add(unavailable)).toMatchObject({
      status: 409,
      message: 'There are 100 faults already. Remove some.',
    });
  });

  it('shows the catalogue: 200', async () => {
    const response = await control('/catalogue');
    expect(response.status).toBe(200);
    const { faults } = (await response.json()) as { faults: { name: string }[] }; // checked by the engine
    expect(faults.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['token-expires', 'cut-upload', 'slow-answer']),
    );
  });
});
