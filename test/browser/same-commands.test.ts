/** What a client does with the engine without Node over several requests ends as with the server. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AtollServer, AtollWorld } from '../../src/cli/entries/atoll.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { baseUrl, serverAndEngine, type ServerAndEngine } from './support/server-and-engine.ts';

// A loaded machine takes long to build the engine and to hash passwords.
jest.setTimeout(120_000);

let both: ServerAndEngine;
beforeAll(async () => {
  both = await serverAndEngine();
});
afterAll(() => both.close());

const admin = { authorization: basicCredentials('admin', 'islandora') };
const json = { 'content-type': 'application/json' };
const titled = (title: string): string =>
  JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });

/** Does the same with a world of each, and compares what comes out. Returns what the engine gave. */
const inBoth = async <T>(name: string, use: (world: AtollWorld, atoll: AtollServer) => Promise<T>): Promise<T> => {
  const [ofServer, ofEngine] = await Promise.all(
    [both.server, both.engine].map(async (atoll) => {
      const world = await atoll.world(name);
      const result = await use(world, atoll);
      await world.drop();
      return result;
    }),
  );
  expect(ofEngine).toEqual(ofServer);
  return ofEngine as T; // both have run
};

const rename = async (world: AtollWorld, title: string, headers: Record<string, string>): Promise<number> =>
  (
    await world.fetch('/node/1?_format=json', {
      method: 'PATCH',
      headers: { ...json, ...headers },
      body: titled(title),
    })
  ).status;

const titleIn = async (world: AtollWorld): Promise<string> => {
  const node = (await (await world.fetch('/node/1?_format=json')).json()) as { title: [{ value: string }] };
  return node.title[0].value;
};

describe('Without Node as with the server', () => {
  it('a token is accepted until it expires, and a changed one never', async () => {
    const statuses = await inBoth('tokens', async (world) => {
      const token = await world.token('admin');
      const withToken = (text: string) => rename(world, 'By a token', { authorization: `Bearer ${text}` });
      const [head, claims = '', signature] = token.split('.');
      const forged = Buffer.from(claims, 'base64url').toString().replace('"iat":', '"iat":1');
      const seen = [
        await withToken(token),
        await withToken([head, Buffer.from(forged).toString('base64url'), signature].join('.')),
        await withToken(`${token}x`),
        await withToken('no token'),
      ];
      await world.clock.advance(100 * 24 * 60 * 60);
      return [
        ...seen,
        await withToken(token),
        await rename(world, 'x', { authorization: basicCredentials('admin', 'y') }),
      ];
    });
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403]);
  });

  it('a session writes with its CSRF token alone, and ends with its logout', async () => {
    const statuses = await inBoth('sessions', async (world) => {
      const begun = await world.fetch('/user/login?_format=json', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ name: 'admin', pass: 'islandora' }),
      });
      const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
      const { csrf_token: csrf, logout_token: logout } = (await begun.json()) as Record<string, string>;
      const end = await world.fetch(`/user/logout?_format=json&token=${logout}`, {
        method: 'POST',
        headers: { cookie },
      });
      // The cookie of another login, as the first has ended.
      return [
        begun.status,
        cookie.startsWith('S'),
        csrf?.length,
        end.status,
        await rename(world, 'a', { cookie }),
        await rename(world, 'a', { cookie, 'x-csrf-token': csrf ?? '' }),
      ];
    });
    expect(statuses.slice(0, 4)).toEqual([200, true, 43, 204]);
    const written = await inBoth('sessions-2', async (world) => {
      const begun = await world.fetch('/user/login?_format=json', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ name: 'admin', pass: 'islandora' }),
      });
      const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
      const { csrf_token: csrf = '' } = (await begun.json()) as Record<string, string>;
      return [
        await rename(world, 'a', { cookie }),
        await rename(world, 'a', { cookie, 'x-csrf-token': 'wrong' }),
        await rename(world, 'a', { cookie, 'x-csrf-token': csrf }),
      ];
    });
    expect(written).toEqual([403, 403, 200]);
  });

  it('worlds keep apart, are saved, loaded and reset, and begin with any fixture of the site', async () => {
    const outcome = await inBoth('states', async (world, atoll) => {
      const before = await titleIn(world);
      await rename(world, 'First', admin);
      await world.snapshots.save('first');
      await rename(world, 'Second', admin);
      const titles = [await titleIn(world)];
      const copy = await atoll.world({ name: 'copy', from: 'states' });
      await world.snapshots.load('first');
      titles.push(await titleIn(world), await titleIn(copy));
      const differences = await world.differences();
      await world.reset();
      titles.push(await titleIn(world));
      const empty = await atoll.world({ name: 'empty-one', from: 'empty' });
      const entities = await empty.entities();
      const named = (await atoll.worlds()).map(({ name }) => name);
      await copy.drop();
      await empty.drop();
      // When it was saved is the real time, which the two need not share.
      const snapshots = (await world.snapshots.list()).map(({ name }) => name);
      const gone = (await copy.fetch('/node/1?_format=json')).status;
      return { isBack: titles[3] === before, titles, differences, entities, named, snapshots, gone };
    });
    expect(outcome.titles.slice(0, 3)).toEqual(['Second', 'First', 'Second']);
    expect([outcome.isBack, outcome.gone]).toEqual([true, 404]);
    expect(outcome.named).toEqual(['main', 'states', 'copy', 'empty-one']);
  });

  it('faults strike as often as they are told to, and are listed', async () => {
    const outcome = await inBoth('faults', async (world) => {
      await world.faults.add({ fault: 'maintenance-page', count: 2 });
      const listed = await world.faults.list();
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent += 1) statuses.push((await world.fetch('/node/1?_format=json')).status);
      const struck = (await world.faults.list()).map((fault) => fault.struck);
      await world.faults.clear();
      return {
        statuses,
        struck,
        listed: listed.map((fault) => ({ ...fault, id: '' })),
        left: await world.faults.list(),
      };
    });
    expect([outcome.statuses, outcome.struck, outcome.left]).toEqual([[503, 503, 200], [2], []]);
  });

  it('requests are remembered, counted and judged', async () => {
    const outcome = await inBoth('traffic', async (world) => {
      await titleIn(world);
      await rename(world, 'Seen', admin);
      await world.fetch('/node?_format=json', { method: 'POST', headers: { ...json, ...admin }, body: '{"a":1}' });
      const { entries } = withoutTimes(await world.traffic()) as { entries: unknown[] };
      const archive = withoutTimes(await world.httpArchive());
      const counted = await world.countTraffic({ status: '422' });
      return { entries, archive, counted };
    });
    expect([outcome.entries.length, outcome.counted.count]).toEqual([3, 1]);
  });
});

/** What is measured, and what the engine without Node leaves out: the check of the replies, and lines of `openapi.yaml`. */
const apart: ReadonlySet<string> = new Set([
  'duration',
  'time',
  'timings',
  'wait',
  'startedDateTime',
  'reply',
  'document',
]);

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (apart.has(key) ? undefined : member)));

describe('The documents', () => {
  it('are those of the server, apart from the description of the address', async () => {
    for (const path of ['/openapi.json', '/openapi-3.0.json']) {
      const [ours, theirs] = await Promise.all(
        [both.engine, both.server].map(async ({ fetch }) => (await fetch(baseUrl + path)).json() as Promise<object>),
      );
      expect(ours).toMatchObject({ servers: [{ url: baseUrl }] });
      expect({ ...ours, servers: [] }).toEqual({ ...theirs, servers: [] });
    }
  });

  it('are written as YAML in the form of JSON, which YAML contains', async () => {
    for (const path of ['/openapi.yaml', '/_atoll/openapi.yaml']) {
      const response = await both.engine.fetch(baseUrl + path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/yaml']);
      const json = (await (await both.engine.fetch(baseUrl + path.replace('.yaml', '.json'))).json()) as unknown;
      expect(JSON.parse(await response.text())).toEqual(json);
    }
  });
});
