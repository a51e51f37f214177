/** Traffic as a stream of server-sent events. What an entry says stands in `traffic.test.ts`. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { createWorldObserver } from '../../src/server/server-start.ts';
import { followEvents } from '../support/followed-events.ts';
import { type Served, serveOnPort } from '../support/server.ts';

let atoll: TestAtoll;
let served: Served;
let url: string;
let observer: ReturnType<typeof createWorldObserver>;

beforeAll(async () => {
  observer = createWorldObserver({ entries: 1200 });
  atoll = await createTestAtoll({ app: { observer: observer }, open: { intercept: [observer.intercept] } });
  served = await serveOnPort(atoll);
  ({ url } = served);
});

afterAll(() => served.stop());

type Event = { readonly id: number; readonly path: string; readonly status: number };

/** The events of a stream as they come. */
const follow = (path: string, headers: Record<string, string> = {}) => followEvents<Event>(`${url}${path}`, headers);

const listeners = (): number => observer.of('main').traffic.listeners();

describe('The stream of traffic', () => {
  it('tells each request as it is answered, in order, as server-sent events: 200', async () => {
    const { response, next, leave } = await follow('/_atoll/traffic/stream');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('content-length')).toBeNull();
    await fetch(`${url}/node/1?_format=json`);
    await fetch(`${url}/node/999?_format=json`);
    expect(await next()).toMatchObject({ path: '/node/1?_format=json', status: 200, operation: 'getNode' });
    expect(await next()).toMatchObject({ path: '/node/999?_format=json', status: 404 });
    leave();
  });

  it('tells only what is asked for', async () => {
    const { next, leave } = await follow('/_atoll/traffic/stream?status=404');
    await fetch(`${url}/node/1?_format=json`);
    await fetch(`${url}/node/998?_format=json`);
    expect(await next()).toMatchObject({ path: '/node/998?_format=json' });
    leave();
  });

  it('goes on after the last event that a client has seen', async () => {
    await fetch(`${url}/node/1?_format=json`);
    await fetch(`${url}/node/2?_format=json`);
    const [before, last] = observer.of('main').traffic.entries().slice(-2);
    const byHeader = await follow('/_atoll/traffic/stream', { 'Last-Event-ID': String(before?.id) });
    expect(await byHeader.next()).toMatchObject({ id: last?.id, path: '/node/2?_format=json' });
    byHeader.leave();
    const byQuery = await follow(`/_atoll/traffic/stream?since=${before?.id}`);
    expect(await byQuery.next()).toMatchObject({ id: last?.id });
    byQuery.leave();
  });

  it('begins with an instant, and with more than may wait while it goes on', async () => {
    await fetch(`${url}/node/3?_format=json`);
    const last = observer.of('main').traffic.entries().at(-1);
    const since = encodeURIComponent(new Date(last?.at ?? 0).toISOString());
    const byInstant = await follow(`/_atoll/traffic/stream?since=${since}&operation=getNode`);
    // The clock of the tests stands still.
    expect(await byInstant.next()).toMatchObject({ operation: 'getNode' });
    byInstant.leave();
    for (let asked = 0; asked < 1100; asked += 100) {
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/nothing`).then((answer) => answer.text())));
    }
    const all = await follow('/_atoll/traffic/stream?since=0');
    const begun = await all.next();
    for (let event = 1; event < 1050; event += 1) await all.next();
    expect((await all.next()).id).toBe(begun.id + 1050);
    all.leave();
  });

  it('is cleaned up when the client leaves', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => follow('/_atoll/traffic/stream')));
    expect(listeners()).toBeGreaterThanOrEqual(3);
    for (const { leave } of streams) leave();
    for (let tries = 0; tries < 100 && listeners() > 0; tries += 1) await wait(20);
    expect(listeners()).toBe(0);
  });

  it('holds nobody for a HEAD', async () => {
    const response = await fetch(`${url}/_atoll/traffic/stream`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    for (let tries = 0; tries < 100 && listeners() > 0; tries += 1) await wait(20);
    expect(listeners()).toBe(0);
  });

  it('ends when its world is dropped, and when the server stops', async () => {
    await atoll.send('post', '/_atoll/worlds').send({ name: 'heard' }).expect(201);
    const { next } = await follow('/~heard/_atoll/traffic/stream');
    await atoll.send('delete', '/_atoll/worlds/heard').expect(204);
    await expect(next()).rejects.toThrow('The stream has ended.');
    const main = await follow('/_atoll/traffic/stream');
    observer.end();
    await expect(main.next()).rejects.toThrow('The stream has ended.');
  });
});
