/** The control interface of worlds, snapshots and clocks: every operation with every status that its document has. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { snapshotLimit } from '../../src/server/server-worlds.ts';
import { worldLimit } from '../../src/server/worlds/worlds.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, nodeBody, type Send, sendTo, titleBody, titleOf } from '../support/requests.ts';

const admin = basic('admin').headers;
let atoll: TestAtoll;
let send: Send;
/** What was asked to run later, and in how many milliseconds. */
let timers: { ms: number; run: () => void }[];

beforeAll(async () => {
  timers = [];
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  };
  atoll = await createTestAtoll({ open: { schedule: after } });
  send = sendTo(atoll);
});
beforeEach(async () => {
  for (const { name } of atoll.worlds.list()) if (name !== 'main') atoll.worlds.drop(name);
  for (const { name } of atoll.worlds.listSnapshots('main')) atoll.worlds.deleteSnapshot('main', name);
  await atoll.reset();
});

const fork = async (body?: object) =>
  (await send('POST', '/_atoll/worlds', body)).body as { name: string; url: string };

describe('POST /_atoll/worlds', () => {
  it('answers 201 with name, url and expiry, and invents names that never come again', async () => {
    const first = await fork();
    const named = await send('POST', '/_atoll/worlds', { name: 'mine', ttl: 90 });
    const expires = new Date(atoll.clock.now() + 90_000).toISOString();
    const common = {
      created: new Date(atoll.clock.now()).toISOString(),
      from: { kind: 'fixture', name: 'starter', taken: null },
      ...{ durability: 'memory', records: atoll.worlds.main.size(), snapshots: 0 },
    };
    expect(common.records).toBeGreaterThan(50);
    const url = 'http://localhost:8000/~mine';
    expect([named.status, named.body]).toEqual([201, { ...common, name: 'mine', url, expires }]);
    const firstUrl = `http://localhost:8000/~${first.name}`;
    expect(first).toEqual({ ...common, name: expect.stringMatching(/^w\d+$/), url: firstUrl, expires: null });
    await send('DELETE', `/_atoll/worlds/${first.name}`);
    expect((await fork({})).name).not.toBe(first.name);
    const { worlds } = (await send('GET', '/_atoll/worlds')).body as { worlds: { name: string }[] };
    expect(worlds.map(({ name }) => name)).toEqual(['main', 'mine', expect.stringMatching(/^w/)]);
  });

  it('begins with the fixture, with a world as it is, with a snapshot, or with another fixture', async () => {
    await send('PATCH', '/node/2?_format=json', titleBody('in main'), admin);
    await send('PUT', '/_atoll/snapshots/kept');
    await send('PATCH', '/node/2?_format=json', titleBody('later'), admin);
    await fork({ name: 'plain' });
    await fork({ name: 'live', from: 'main' });
    await fork({ name: 'old', from: 'kept' });
    await fork({ name: 'bare', from: 'empty' });
    await send('PATCH', '/node/2?_format=json', titleBody('last'), admin);
    const titles = await Promise.all(['plain', 'live', 'old', 'bare'].map((name) => titleOf(send, `/~${name}/node/2`)));
    expect(titles).toEqual(['Quellan Glass Plates', 'later', 'in main', 404]);
  });

  it('answers 409 for a name that is taken', async () => {
    await fork({ name: 'mine' });
    for (const name of ['mine', 'main']) expect((await send('POST', '/_atoll/worlds', { name })).status).toBe(409);
  });

  it.each([
    [{ name: 'UPPER' }],
    [{ name: 'a.b' }],
    [{ name: '-' }],
    [{ name: '' }],
    [{ ttl: 0 }],
    [{ ttl: 'x' }],
    [{ other: 1 }],
  ])('answers 422 for the unfit body %j', async (body) => {
    const { status, body: refusal } = await send('POST', '/_atoll/worlds', body);
    expect([status, Object.keys(refusal as object)]).toEqual([422, ['message']]);
    expect(atoll.worlds.list()).toHaveLength(1);
  });

  it('answers 422 for an origin that does not exist, and never reads a directory that a client names', async () => {
    for (const from of ['nowhere', '/etc', '../starter', 'data/fixtures/starter']) {
      const { status, body } = await send('POST', '/_atoll/worlds', { from });
      expect([status, body]).toEqual([422, { message: `There is no world, snapshot or fixture "${from}".` }]);
    }
  });

  it('answers 400 for a body that is no JSON and 415 for one that is not announced as JSON', async () => {
    const json = { 'Content-Type': 'application/json' };
    expect((await send('POST', '/_atoll/worlds', '{', json)).status).toBe(400);
    expect((await send('POST', '/_atoll/worlds', 'name=x', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('answers 503 when there are too many, and goes on when some are gone', async () => {
    for (let made = 0; made < worldLimit; made += 1) await atoll.worlds.fork({ name: `many-${made}` });
    const { status, body } = await send('POST', '/_atoll/worlds');
    expect([status, body]).toEqual([
      503,
      { message: `There are ${worldLimit} worlds already. Drop some, or give them a ttl.` },
    ]);
    atoll.worlds.drop('many-0');
    expect((await send('POST', '/_atoll/worlds')).status).toBe(201);
  });
});

describe('a world with a ttl', () => {
  it('is dropped when its time has come, and its timer when it goes before', async () => {
    await fork({ name: 'brief', ttl: 1.5 });
    await fork({ name: 'gone', ttl: 60 });
    expect(timers.map(({ ms }) => ms)).toEqual([1500, 60_000]);
    await send('DELETE', '/_atoll/worlds/gone');
    expect(timers).toHaveLength(1);
    expect((await send('GET', '/~brief/node/1?_format=json')).status).toBe(200);
    timers[0]?.run();
    expect((await send('GET', '/~brief/node/1?_format=json')).status).toBe(404);
    expect([timers.length, atoll.worlds.list().length]).toEqual([0, 1]);
  });
});

describe('GET /_atoll/worlds', () => {
  it('says what each world was made from and when, and how much it holds', async () => {
    await send('PUT', '/_atoll/snapshots/kept');
    const taken = new Date(atoll.clock.now()).toISOString();
    atoll.clock.advance(60);
    await fork({ name: 'live', from: 'main' });
    await fork({ name: 'old', from: 'kept' });
    await fork({ name: 'bare', from: 'empty' });
    await send('DELETE', '/~live/node/2', undefined, admin);
    const now = new Date(atoll.clock.now()).toISOString();
    const { worlds } = (await send('GET', '/_atoll/worlds')).body as { worlds: object[] };
    const all = atoll.worlds.main.size();
    expect(worlds).toEqual([
      expect.objectContaining({
        ...{ name: 'main', from: { kind: 'fixture', name: 'starter', taken: null } },
        ...{ durability: 'memory', records: all, snapshots: 1 },
      }),
      expect.objectContaining({
        ...{ name: 'live', created: now, from: { kind: 'world', name: 'main', taken: now } },
        ...{ records: all - 1, snapshots: 0 },
      }),
      expect.objectContaining({ name: 'old', created: now, from: { kind: 'snapshot', name: 'kept', taken } }),
      expect.objectContaining({ name: 'bare', from: { kind: 'fixture', name: 'empty', taken: null } }),
    ]);
  });
});

describe('PATCH /_atoll/worlds/{name}', () => {
  const expiryOf = async (ttl: number | null) =>
    ((await send('PATCH', '/_atoll/worlds/brief', { ttl })).body as { expires: string | null }).expires;

  it('lets a world stay longer, or for ever, and its old time has no effect any more', async () => {
    await fork({ name: 'brief', ttl: 60 });
    atoll.clock.advance(30);
    expect(await expiryOf(600)).toBe(new Date(atoll.clock.now() + 600_000).toISOString());
    expect(timers.map(({ ms }) => ms)).toEqual([600_000]);
    expect([await expiryOf(null), timers]).toEqual([null, []]);
    expect(await expiryOf(5)).not.toBeNull();
    timers[0]?.run();
    const refused = await send('PATCH', '/_atoll/worlds/brief', { ttl: 60 });
    expect([refused.status, refused.body]).toEqual([404, { message: 'There is no world "brief".' }]);
  });

  it('answers 409 for the main world, and refuses what is no ttl', async () => {
    await fork({ name: 'brief' });
    expect((await send('PATCH', '/_atoll/worlds/main', { ttl: 60 })).status).toBe(409);
    expect((await send('PATCH', '/_atoll/worlds/brief', { ttl: 0 })).status).toBe(422);
    const json = { 'Content-Type': 'application/json' };
    expect((await send('PATCH', '/_atoll/worlds/brief', '{', json)).status).toBe(400);
    expect((await send('PATCH', '/_atoll/worlds/brief', 'ttl=1', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });
});

describe('DELETE /_atoll/worlds/{name}', () => {
  it('answers 204, then 404; what was made from the world stays', async () => {
    await fork({ name: 'parent' });
    await send('PATCH', '/~parent/node/2?_format=json', titleBody('of the parent'), admin);
    await fork({ name: 'child', from: 'parent' });
    expect((await send('DELETE', '/_atoll/worlds/parent')).status).toBe(204);
    expect((await send('DELETE', '/_atoll/worlds/parent')).status).toBe(404);
    expect(await titleOf(send, '/~child/node/2')).toBe('of the parent');
  });

  it('answers 409 for the main world', async () => {
    expect((await send('DELETE', '/_atoll/worlds/main')).status).toBe(409);
  });
});

describe('POST /_atoll/reset', () => {
  it('answers 204 and leaves other worlds alone', async () => {
    await fork({ name: 'other' });
    for (const prefix of ['', '/~other'])
      await send('PATCH', `${prefix}/node/2?_format=json`, titleBody('changed'), admin);
    expect((await send('POST', '/_atoll/reset')).status).toBe(204);
    expect([await titleOf(send, '/node/2'), await titleOf(send, '/~other/node/2')]).toEqual([
      'Quellan Glass Plates',
      'changed',
    ]);
    expect((await send('POST', '/~other/_atoll/reset', {})).status).toBe(204);
    expect(await titleOf(send, '/~other/node/2')).toBe('Quellan Glass Plates');
  });

  it('goes to a snapshot of the world or of the main world, and answers 404 for any other', async () => {
    await fork({ name: 'a' });
    await fork({ name: 'b' });
    await send('PATCH', '/~a/node/2?_format=json', titleBody('in a'), admin);
    await send('PUT', '/~a/_atoll/snapshots/mine');
    await send('PUT', '/_atoll/snapshots/common');
    expect((await send('POST', '/~a/_atoll/reset', { to: 'common' })).status).toBe(204);
    expect(await titleOf(send, '/~a/node/2')).toBe('Quellan Glass Plates');
    expect((await send('POST', '/~a/_atoll/reset', { to: 'mine' })).status).toBe(204);
    expect(await titleOf(send, '/~a/node/2')).toBe('in a');
    const foreign = await send('POST', '/~b/_atoll/reset', { to: 'mine' });
    expect([foreign.status, foreign.body]).toEqual([404, { message: 'There is no snapshot "mine".' }]);
  });

  it('answers 400, 415 and 422 for bodies that are none', async () => {
    expect((await send('POST', '/_atoll/reset', '[', { 'Content-Type': 'application/json' })).status).toBe(400);
    expect(
      (await send('POST', '/_atoll/reset', 'to=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(415);
    expect((await send('POST', '/_atoll/reset', { to: 1 })).status).toBe(422);
  });

  it('ends sessions, forgets failed logins, and gives ids as after the fixture', async () => {
    const login = (pass: string) => send('POST', '/user/login?_format=json', { name: 'editor', pass });
    const [cookie = ''] = (await login('editor')).cookies;
    const session = { Cookie: cookie.split(';')[0] ?? '' };
    for (let attempt = 0; attempt < 6; attempt += 1) await login('wrong');
    expect((await login('editor')).status).toBe(403);
    const made = async () => (await send('POST', '/node?_format=json', nodeBody('one'), admin)).headers['location'];
    expect([await made(), await made()]).toEqual(['http://localhost:8000/node/31', 'http://localhost:8000/node/32']);
    await send('POST', '/_atoll/reset');
    expect(await made()).toBe('http://localhost:8000/node/31');
    expect((await send('GET', '/user/login_status?_format=json', undefined, session)).text).toBe('0');
    expect((await login('editor')).status).toBe(200);
  });

  it('lets a request that is under way end in the old state', async () => {
    const before = atoll.world();
    const writing = send('POST', '/node?_format=json', nodeBody('late'), admin);
    await send('POST', '/_atoll/reset');
    expect((await writing).status).toBe(201);
    const found = async (store: typeof before.store) => (await store.list('node', { offset: 0, limit: 99 })).total;
    expect((await found(before.store)) + (await found(atoll.worlds.main.world.store))).toBe(61);
  });
});

describe('/_atoll/snapshots', () => {
  it('are saved with 201, saved anew with 204, loaded with 204, listed, and deleted with 204 and then 404', async () => {
    expect((await send('PUT', '/_atoll/snapshots/a')).status).toBe(201);
    await send('PATCH', '/node/2?_format=json', titleBody('second'), admin);
    expect((await send('PUT', '/_atoll/snapshots/b.2')).status).toBe(201);
    expect((await send('POST', '/_atoll/snapshots/a')).status).toBe(204);
    expect(await titleOf(send, '/node/2')).toBe('Quellan Glass Plates');
    expect((await send('POST', '/_atoll/snapshots/b.2')).status).toBe(204);
    expect((await send('PUT', '/_atoll/snapshots/a')).status).toBe(204);
    await send('POST', '/_atoll/reset', { to: 'a' });
    expect(await titleOf(send, '/node/2')).toBe('second');
    const saved = new Date(atoll.clock.now()).toISOString();
    const { body } = await send('GET', '/_atoll/snapshots');
    expect(body).toEqual({
      snapshots: [
        { name: 'a', saved },
        { name: 'b.2', saved },
      ],
    });
    expect((await send('DELETE', '/_atoll/snapshots/a')).status).toBe(204);
    expect((await send('DELETE', '/_atoll/snapshots/a')).status).toBe(404);
    expect((await send('POST', '/_atoll/snapshots/a')).status).toBe(404);
  });

  it('answer 400 for a name that cannot be, and 503 when there are too many', async () => {
    expect((await send('PUT', '/_atoll/snapshots/.hidden')).status).toBe(400);
    for (let made = 0; made < snapshotLimit; made += 1) atoll.worlds.saveSnapshot('main', `s${made}`);
    expect((await send('PUT', '/_atoll/snapshots/more')).status).toBe(503);
    expect((await send('PUT', '/_atoll/snapshots/s1')).status).toBe(204);
  });

  it('survive a reset and end with their world', async () => {
    await fork({ name: 'mine' });
    await send('PUT', '/~mine/_atoll/snapshots/a');
    await send('POST', '/~mine/_atoll/reset');
    expect((await send('POST', '/~mine/_atoll/snapshots/a')).status).toBe(204);
    await send('DELETE', '/_atoll/worlds/mine');
    await fork({ name: 'mine' });
    expect((await send('POST', '/~mine/_atoll/snapshots/a')).status).toBe(404);
  });
});

describe('/_atoll/clock', () => {
  it('stands still at the end of 9999, the last year with four digits: 200', async () => {
    await send('PUT', '/_atoll/clock', { now: '9999-12-31T23:59:50Z', mode: 'scaled', scale: 1000 });
    atoll.clock.advance(60);
    expect((await send('GET', '/_atoll/clock')).body).toMatchObject({ now: '9999-12-31T23:59:59.000Z' });
    await atoll.send('get', '/node/1?_format=json').expect(200);
    await atoll.send('get', '/_atoll/traffic?limit=1').expect(200);
    await send('PUT', '/_atoll/clock', { mode: 'real' });
  });

  it('shows the real time until it is set, and again when it is put back', async () => {
    const now = new Date(atoll.clock.now()).toISOString();
    expect((await send('GET', '/_atoll/clock')).body).toEqual({ now, mode: 'real' });
    await send('PUT', '/_atoll/clock', { now: '2031-01-01T00:00:00Z' });
    atoll.clock.advance(5);
    expect((await send('GET', '/_atoll/clock')).body).toEqual({ now: '2031-01-01T00:00:05.000Z', mode: 'real' });
    await send('PUT', '/_atoll/clock', { mode: 'real' });
    expect((await send('GET', '/_atoll/clock')).body).toEqual({
      now: new Date(atoll.clock.now()).toISOString(),
      mode: 'real',
    });
  });

  it('stands still, runs fast and moves on, each world by its own, and dates what is written', async () => {
    await fork({ name: 'mine' });
    await send('PUT', '/~mine/_atoll/clock', { now: '2030-06-01T12:00:00Z', mode: 'frozen' });
    atoll.clock.advance(60);
    const { body } = await send('POST', '/~mine/_atoll/clock/advance', { seconds: 1.5 });
    expect(body).toEqual({ now: '2030-06-01T12:00:01.500Z', mode: 'frozen' });
    await send('PATCH', '/~mine/node/2?_format=json', titleBody('dated'), admin);
    const node = await send('GET', '/~mine/node/2?_format=json');
    expect((node.body as { changed: { value: string }[] }).changed[0]?.value).toBe('2030-06-01T12:00:01+00:00');
    expect((await send('PUT', '/~mine/_atoll/clock', { scale: 60 })).body).toMatchObject({ mode: 'scaled', scale: 60 });
    atoll.clock.advance(2);
    expect((await send('GET', '/~mine/_atoll/clock')).body).toMatchObject({ now: '2030-06-01T12:02:01.500Z' });
    await fork({ name: 'child', from: 'mine' });
    expect((await send('GET', '/~child/_atoll/clock')).body).toMatchObject({
      now: '2030-06-01T12:02:01.500Z',
      scale: 60,
    });
    expect((await send('GET', '/_atoll/clock')).body).toMatchObject({ mode: 'real' });
  });

  it('ends tokens and sessions', async () => {
    const token = (await send('GET', '/jwt/token?_format=json', undefined, admin)).body as { token: string };
    const bearer = { Authorization: `Bearer ${token.token}` };
    expect((await send('GET', '/media/1?_format=json', undefined, bearer)).status).toBe(200);
    expect((await send('POST', '/_atoll/clock/advance', { seconds: 7200 })).status).toBe(200);
    expect((await send('GET', '/media/1?_format=json', undefined, bearer)).status).toBe(403);
    await send('PUT', '/_atoll/clock', { mode: 'real' });
  });

  it('stands as it stood when its world is reset', async () => {
    await send('PUT', '/_atoll/clock', { now: '2030-06-01T12:00:00Z', mode: 'frozen' });
    await send('POST', '/_atoll/reset');
    expect((await send('GET', '/_atoll/clock')).body).toEqual({ now: '2030-06-01T12:00:00.000Z', mode: 'frozen' });
    await send('PUT', '/_atoll/clock', { mode: 'real' });
  });

  it('answers 400, 415 and 422 for what no clock can be', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const [method, path] of [
      ['PUT', '/_atoll/clock'],
      ['POST', '/_atoll/clock/advance'],
    ] as const) {
      expect((await send(method, path, '', json)).status).toBe(400);
      expect((await send(method, path, 'x', { 'Content-Type': 'text/plain' })).status).toBe(415);
    }
    const bodies = [
      {},
      { now: 'soon' },
      { mode: 'fast' },
      { mode: 'scaled' },
      { mode: 'frozen', scale: 2 },
      { scale: 0 },
    ];
    for (const body of [...bodies, { now: '1969-12-31T23:59:59Z' }, { now: '2020-01-01' }]) {
      expect([body, (await send('PUT', '/_atoll/clock', body)).status]).toEqual([body, 422]);
    }
    for (const body of [{}, { seconds: -1 }, { seconds: 1e12 }]) {
      expect([body, (await send('POST', '/_atoll/clock/advance', body)).status]).toEqual([body, 422]);
    }
    for (let step = 0; step < 80; step += 1) await send('POST', '/_atoll/clock/advance', { seconds: 3_153_600_000 });
    expect((await send('POST', '/_atoll/clock/advance', { seconds: 3_153_600_000 })).status).toBe(422);
    await send('PUT', '/_atoll/clock', { mode: 'real' });
  });
});
