/** Waits for a request of a client, over HTTP, on the command line and by the library. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectAtoll, type AtollServer } from '../../src/cli/entries/atoll.ts';
import { createWorldObserver } from '../../src/server/server-start.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { type Served, serveOnPort } from '../support/server.ts';
import { until } from '../support/until.ts';

let served: Served;
let observer: ReturnType<typeof createWorldObserver>;
let atoll: AtollServer;
beforeAll(async () => {
  observer = createWorldObserver({ entries: 100 });
  served = await serveOnPort(await createTestAtoll({ app: { observer }, open: { intercept: [observer.intercept] } }));
  atoll = connectAtoll(served.url);
});
afterAll(() => served.stop());

const wait = (query: string, url = served.url): Promise<Response> => fetch(`${url}/_atoll/traffic/wait?${query}`);
const read = (path: string): Promise<Response> => fetch(`${served.url}${path}?_format=json`);
/** A world with a client of its own: the server of the test has another address than its records say. */
const forkWorld = async () => {
  const world = await atoll.world();
  return { ...connectAtoll(`${served.url}/~${world.name}`), name: world.name, drop: () => world.drop() };
};
const isAwaited = (world = 'main'): Promise<void> =>
  until(() => observer.of(world).traffic.listeners() === 1, 'a command waits for a request');

describe('Waiting for a request', () => {
  it('ends with the request that comes, and with no other: 200', async () => {
    const answer = wait('operation=getNode&status=404&within=60');
    await isAwaited();
    await read('/node/1');
    await read('/media/1');
    await read('/node/999');
    const response = await answer;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ operation: 'getNode', status: 404, path: '/node/999?_format=json' });
    expect(observer.of('main').traffic.listeners()).toBe(0);
  });

  it('ends at once with the oldest request that is remembered, and with a later one where that is wanted: 200', async () => {
    await atoll.clearTraffic();
    await read('/node/1');
    await read('/node/2');
    const first = (await (await wait('operation=getNode&within=1')).json()) as { id: number; path: string }; // an entry
    expect(first.path).toBe('/node/1?_format=json');
    expect(await (await wait(`operation=getNode&within=1&since=${first.id}`)).json()).toMatchObject({
      path: '/node/2?_format=json',
    });
  });

  it('ends without one after the time that it was given: 404', async () => {
    const response = await wait('operation=deleteNode&within=1');
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: 'No matching request arrived within 1 s.' },
    ]);
    expect(observer.of('main').traffic.listeners()).toBe(0);
  });

  it('ends when its world does: 503', async () => {
    const { name, url, drop } = await forkWorld();
    const answer = wait('within=60', url);
    await isAwaited(name);
    await drop();
    const response = await answer;
    expect([response.status, await response.json()]).toEqual([
      503,
      { message: 'No more requests come: the world or the server has ended.' },
    ]);
  });

  it('is a function of the library, which rejects when the time is over', async () => {
    const { name, drop, ...world } = await forkWorld();
    const request = world.waitForRequest({ method: 'GET', path: '/node/*', within: '60' });
    await isAwaited(name);
    await world.fetch('/node/5?_format=json');
    expect(await request).toMatchObject({ world: name, path: '/node/5?_format=json', status: 200 });
    await expect(world.waitForRequest({ status: '500', within: '1' })).rejects.toMatchObject({ status: 404 });
    await drop();
  });

  it('is a command, which ends with 0, or with 6 when the time is over', async () => {
    const command = ['traffic', 'wait', '--url', served.url, '--operation', 'getTerm'];
    const running = runHere([...command, '--within', '60']);
    await isAwaited();
    await read('/taxonomy/term/1');
    const { code, out } = await running;
    expect([code, out]).toEqual([0, expect.stringMatching(/GET +\/taxonomy\/term\/1\S+ +200 +getTerm/)]);
    expect(await runHere([...command, '--status', '5xx', '--within', '1'])).toEqual({
      ...{ code: 6, out: '' },
      error: 'atoll: No matching request arrived within 1 s.\n',
    });
    const refused = await runHere([...command, '--within', '61']);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('Seconds to wait are from 1 to 60.')]);
  });
});
