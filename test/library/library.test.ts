/** The library in somebody's own process: its worlds and commands, and where it can be mounted. What `fetch` answers: beside. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type Express } from 'express';
import { connectAtoll, startAtoll, type Atoll, type AtollServer } from '../../src/cli/entries/atoll.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { root } from '../support/atoll.ts';
import { freePort } from '../support/free-port.ts';
import { withDirectory } from '../support/program.ts';
import { scryptCallsIn } from '../support/scrypt-count.ts';

const admin = basicCredentials('admin', 'islandora');
const retitle = (fetch: Atoll['fetch'], title: string): Promise<Response> =>
  fetch('/node/1?_format=json', {
    method: 'PATCH',
    headers: { authorization: admin, 'content-type': 'application/json' },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });
const titleOf = async (fetch: Atoll['fetch']): Promise<string> => {
  const node = (await (await fetch('/node/1?_format=json')).json()) as { title: [{ value: string }] }; // contract: Node
  return node.title[0].value;
};

let atoll: Atoll;
beforeAll(async () => {
  atoll = await startAtoll();
});
afterAll(() => atoll.close());

describe('startAtoll', () => {
  it('answers 200 at its address with the starter fixture, in memory', async () => {
    expect((await fetch(`${atoll.url}/node/1?_format=json`)).status).toBe(200);
    const health = await fetch(`${atoll.url}/_atoll/health`);
    expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ durability: 'memory' })]);
  });

  it('rejects with what to change when a fixture, a site or a port cannot be had', async () => {
    await expect(startAtoll({ fixture: 'nowhere' })).rejects.toThrow('There is no fixture "nowhere"');
    await expect(startAtoll({ site: '/nowhere' })).rejects.toThrow('/nowhere');
    await expect(startAtoll({ port: Number(new URL(atoll.url).port) })).rejects.toThrow('EADDRINUSE');
  });

  it('commands itself, and lets nobody else, behind the address of another machine: 200 and 403', async () => {
    await withDirectory(async (site) => {
      await cp(join(root, 'data/site'), site, { recursive: true });
      const accounts = await readFile(join(site, 'accounts.yml'), 'utf8');
      await writeFile(join(site, 'accounts.yml'), accounts.replaceAll(/^ *demo_password:.*\n/gm, ''));
      const told: unknown[] = [];
      const onError = (error: unknown): unknown => told.push(error);
      const port = await freePort();
      const proxied = await startAtoll({ site, port, baseUrl: 'https://repository.test', onError });
      try {
        const other = await proxied.world();
        expect((await other.fetch('/node/1?_format=json')).status).toBe(200);
        expect((await fetch(`http://localhost:${port}/_atoll/worlds`)).status).toBe(403);
        expect(told).toEqual([expect.stringContaining('there is no control token')]);
      } finally {
        await proxied.close();
      }
    });
  });

  it('answers 200 and 404 although whoever listens to it throws', async () => {
    const listener = (): never => {
      throw new Error('The listener has failed.');
    };
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const strict = await startAtoll({ port: false, onEvent: listener, onError: listener });
    try {
      expect((await strict.fetch('/node/1?_format=json')).status).toBe(200);
      expect((await strict.fetch('/node/999?_format=json')).status).toBe(404);
      expect(write.mock.calls.flat().join('')).toContain('The listener has failed.');
    } finally {
      write.mockRestore();
      await strict.close();
    }
  });

  it('knows in every world the password that one has checked, and not the one that a world has replaced', async () => {
    const statusIn = async ({ fetch }: Pick<Atoll, 'fetch'>): Promise<number> =>
      (await fetch('/user/1?_format=json', { headers: { authorization: admin } })).status;
    expect(await statusIn(atoll)).toBe(200);
    const worlds = await Promise.all(Array.from({ length: 20 }, () => atoll.world()));
    const calls = await scryptCallsIn(async () => {
      for (const world of worlds) expect(await statusIn(world)).toBe(200);
    });
    expect(calls).toBe(0);
    await Promise.all(worlds.map((world) => world.drop()));
  });

  it('warns inside `atoll exec`, which counts nothing of a second server', async () => {
    const warnings: unknown[] = [];
    process.env['ATOLL_EXEC'] = 'http://localhost:8123';
    try {
      await (await startAtoll({ port: false, onError: (error) => warnings.push(error) })).close();
    } finally {
      delete process.env['ATOLL_EXEC'];
    }
    expect(warnings).toEqual([
      expect.stringMatching(/connectAtoll\(process\.env\.ATOLL_URL\).*http:\/\/localhost:8123/),
    ]);
  });

  it('gives tokens of its demo accounts, and refuses the blocked one and strangers', async () => {
    const token = await atoll.token('editor');
    const status = await atoll.fetch('/user/2?_format=json', { headers: { authorization: `Bearer ${token}` } });
    expect(status.status).toBe(200);
    await expect(atoll.token('blocked')).rejects.toThrow(/401|403/);
    await expect(atoll.token('nobody')).rejects.toThrow('"nobody" is not a demo account');
  });
});

const servers: [string, () => AtollServer][] = [
  ['in this process', () => atoll],
  ['by its address', () => connectAtoll(atoll.url)],
];

describe.each(servers)('The worlds of a server met %s', (_how, server) => {
  it('are apart: a change in one is seen in no other', async () => {
    const [one, other] = await Promise.all([server().world(), server().world()]);
    expect((await retitle(one.fetch, 'Changed')).status).toBe(200);
    expect([await titleOf(one.fetch), await titleOf(other.fetch), await titleOf(atoll.fetch)]).toEqual([
      'Changed',
      await titleOf(server().fetch),
      await titleOf(server().fetch),
    ]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('have addresses of their own that any client can use, and links that stay inside', async () => {
    const world = await server().world({ name: 'linked', ttl: 60, caches: 'reference' });
    expect([world.name, world.url]).toEqual(['linked', `${atoll.url}/~linked`]);
    expect(Date.parse(world.expires ?? '')).toBeGreaterThan(Date.now());
    const response = await fetch(`${world.url}/node/1?_format=json`);
    expect(response.headers.get('link')).toContain(`<${world.url}/node/1>; rel="canonical"`);
    expect(response.headers.get('X-Drupal-Cache')).toBe('MISS');
    await expect(server().world('linked')).rejects.toMatchObject({ status: 409 });
    await world.drop();
    expect((await fetch(`${world.url}/node/1?_format=json`)).status).toBe(404);
    await expect(world.drop()).rejects.toMatchObject({ status: 404 });
  });

  it('tell what was asked of them, as a page, a number, one whole, an archive', async () => {
    const world = await server().world();
    await world.fetch('/node/1?_format=json');
    await world.fetch('/node/999?_format=json');
    const { total, entries } = await world.traffic({ status: '4xx' });
    expect([total, entries[0]?.path]).toEqual([1, '/node/999?_format=json']);
    expect(await world.countTraffic({ operation: 'getNode' })).toEqual({ count: 2, dropped: 0, lost: 0 });
    const whole = await world.exchange(entries[0]?.id ?? 0);
    expect([whole.status, JSON.parse(whole.response.body ?? '')]).toEqual([404, { message: expect.any(String) }]);
    expect((await world.httpArchive({ status: '404' })).log.entries).toHaveLength(1);
    await expect(world.exchange(9999)).rejects.toMatchObject({ status: 404 });
    await world.drop();
  });

  it('tell what they hold, and which faults there are', async () => {
    const world = await server().world({ from: 'starter' });
    const [missing] = await world.coverageRequests({ operation: 'getNode', status: '404' });
    expect(missing?.curl).toContain(`${world.url}/node/999999999`);
    expect((await world.differences({ type: 'node', change: 'added' })).entries).toEqual([]);
    const { total, entities } = await world.entities({ type: 'media', bundle: 'image' });
    expect(total).toBeGreaterThan(1);
    expect(entities.every(({ type, bundle }) => type === 'media' && bundle === 'image')).toBe(true);
    expect((await world.faults.kinds()).map(({ name }) => name)).toContain('connection-reset');
    await world.drop();
  });

  it('are listed by their server, which tells how it is and reads its files anew', async () => {
    const world = await server().world('listed');
    expect((await server().worlds()).map(({ name }) => name)).toEqual(expect.arrayContaining(['main', 'listed']));
    await world.drop();
    expect(await server().health()).toMatchObject({ status: 'ok', durability: 'memory' });
    expect(await server().ready()).toEqual({ status: 'ready', checks: [] });
    const read = await server().reload();
    expect(read).toMatchObject({ served: true, flaws: [] });
    expect(await server().lastReload()).toEqual(read);
  });

  it('go back to their fixture or to a snapshot', async () => {
    const world = await server().world();
    const before = await titleOf(world.fetch);
    await retitle(world.fetch, 'First');
    await world.snapshots.save('first');
    await retitle(world.fetch, 'Second');
    await world.snapshots.load('first');
    expect(await titleOf(world.fetch)).toBe('First');
    await world.reset();
    expect(await titleOf(world.fetch)).toBe(before);
    await world.reset('first');
    expect(await titleOf(world.fetch)).toBe('First');
    expect((await world.snapshots.list()).map(({ name }) => name)).toEqual(['first']);
    await world.snapshots.remove('first');
    await expect(world.reset('first')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('first'),
    });
    await world.drop();
  });

  it('have clocks that stand, go on and drive the dates', async () => {
    const world = await server().world();
    await world.clock.set({ now: '2030-01-01T00:00:00Z', mode: 'frozen' });
    expect(await world.clock.advance(60)).toMatchObject({ now: '2030-01-01T00:01:00.000Z', mode: 'frozen' });
    await retitle(world.fetch, 'Later');
    const { changed } = (await (await world.fetch('/node/1?_format=json')).json()) as { changed: [{ value: string }] }; // contract: Node
    expect(Date.parse(changed[0].value)).toBe(Date.parse('2030-01-01T00:01:00Z'));
    expect((await atoll.clock.get()).mode).toBe('real');
    await world.drop();
  });

  it('give tokens that are valid at their own time; one of another time is refused, and traffic says why', async () => {
    const world = await server().world();
    const today = await world.token('editor', 'editor');
    await world.clock.set({ now: '2030-01-01T00:00:00Z', mode: 'frozen' });
    const statusWith = async (token: string): Promise<number> =>
      (await world.fetch('/user/2?_format=json', { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusWith(await world.token('editor', 'editor'))).toBe(200);
    expect(await statusWith(today)).toBe(403);
    const { entries } = await world.traffic({ status: '403' });
    expect(entries[0]?.identity).toMatchObject({
      credentials: 'refused',
      advice: expect.stringContaining('2030-01-01'),
    });
    await world.drop();
  });

  it('keep nobody waiting when they are dropped, nor the process when the server is closed: 200 at once', async () => {
    const server = await startAtoll({ port: false });
    const dropped = await server.world('dropped');
    const started = performance.now();
    const late = [server, dropped].map(async (world) => {
      await world.faults.add({ fault: 'latency', parameters: { ms: 60_000 } });
      return world.fetch('/node/1?_format=json');
    });
    while ((await Promise.all([server.faults.list(), dropped.faults.list()])).some(([fault]) => fault?.struck !== 1));
    await dropped.drop();
    await server.close();
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([200, 200]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('answer with the faults that they are told to have', async () => {
    const world = await server().world();
    const id = await world.faults.add({ fault: 'status', parameters: { status: 503 }, operations: ['getNode'] });
    expect((await world.fetch('/node/1?_format=json')).status).toBe(503);
    expect((await atoll.fetch('/node/1?_format=json')).status).toBe(200);
    expect((await world.faults.list()).map((fault) => fault.id)).toEqual([id]);
    await world.faults.remove(id);
    expect((await world.fetch('/node/1?_format=json')).status).toBe(200);
    await world.faults.add({ fault: 'latency', parameters: { ms: 1 } });
    await world.faults.clear();
    expect(await world.faults.list()).toEqual([]);
    await world.drop();
  });
});

/** Somebody's own application, with something of theirs beside the repository. */
const hosted = async (mount: (app: Express) => void): Promise<{ url: string; close: () => void }> => {
  const app = express();
  app.get('/own', (_request, response) => void response.send('own'));
  mount(app);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`, // it listens on a port
    close: () => server.close(),
  };
};

describe('The middleware', () => {
  let mounted: Atoll;
  let host: Awaited<ReturnType<typeof hosted>>;
  beforeAll(async () => {
    host = await hosted((app) => {
      app.use('/repo', (request, response) => mounted.middleware(request, response));
    });
    mounted = await startAtoll({ port: false, baseUrl: `${host.url}/repo` });
  });
  afterAll(async () => {
    await mounted.close();
    host.close();
  });

  it('answers 200 below the path where it is mounted, and leaves the rest alone', async () => {
    expect(await (await fetch(`${host.url}/own`)).text()).toBe('own');
    const response = await fetch(`${host.url}/repo/node/1?_format=json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('link')).toContain(`<${host.url}/repo/node/1>; rel="canonical"`);
    expect((await fetch(`${host.url}/node/1?_format=json`)).status).toBe(404);
  });

  it('keeps every Link line of an answer that is spoiled, whatever Express has set before: 200', async () => {
    const plain = await fetch(`${host.url}/repo/node/2?_format=json`);
    const slow = await fetch(`${host.url}/repo/node/2?_format=json`, {
      headers: { 'Atoll-Fault': 'slow-answer; bytesPerSecond=100000' },
    });
    expect([slow.status, slow.headers.get('atoll-fault')]).toEqual([200, 'slow-answer']);
    expect(slow.headers.get('link')).toBe(plain.headers.get('link'));
  });

  it('creates with 201 at an address below that path, over HTTP as without a socket', async () => {
    for (const send of [mounted.fetch, fetch]) {
      const response = await send(`${host.url}/repo/node?_format=json`, {
        method: 'POST',
        headers: { authorization: admin, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: [{ target_id: 'islandora_object' }],
          title: [{ value: 'Mounted' }],
          field_model: [{ target_id: 23 }],
        }),
      });
      expect([response.status, response.headers.get('location')]).toEqual([
        201,
        expect.stringMatching(new RegExp(`^${host.url}/repo/node/\\d+`)),
      ]);
      expect((await fetch(`${response.headers.get('location') ?? ''}?_format=json`)).status).toBe(200);
    }
  });

  it('has worlds below that path', async () => {
    const world = await mounted.world('below');
    expect(world.url).toBe(`${host.url}/repo/~below`);
    expect((await retitle(world.fetch, 'In the world')).status).toBe(200);
    expect(await titleOf(() => fetch(`${world.url}/node/1?_format=json`))).toBe('In the world');
    expect(await titleOf(mounted.fetch)).not.toBe('In the world');
  });
});
