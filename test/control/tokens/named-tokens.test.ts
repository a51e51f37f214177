/** The life of a named control token: made, listed, used, expired, revoked. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ControlTokenStore, StoredControlToken } from '../../../src/openapi/openapi-host.ts';
import { createMemoryControlTokens } from '../../../src/storage/storage.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { outOfSpace, unavailable } from '../../../src/openapi/openapi-terms.ts';

const start = Date.parse('2026-03-01T22:00:00Z');

let atoll: TestAtoll;
let store: ControlTokenStore;
let time = start;
beforeAll(async () => {
  const controlTokens: ControlTokenStore = {
    load: () => store.load(),
    put: (...asked) => store.put(...asked),
    remove: (name) => store.remove(name),
    markUsed: (...asked) => store.markUsed(...asked),
  };
  atoll = await createTestAtoll({ app: { controlTokens, controlTime: () => time } });
});
beforeEach(() => {
  time = start;
  store = createMemoryControlTokens();
  atoll.events.length = 0;
});

const create = (token: object) => atoll.send('POST', '/_atoll/tokens').send(token);
const secretOf = async (token: object): Promise<string> =>
  ((await create(token).expect(201)).body as { secret: string }).secret;
const list = async (): Promise<readonly Record<string, unknown>[]> =>
  ((await atoll.send('GET', '/_atoll/tokens').expect(200)).body as { tokens: Record<string, unknown>[] }).tokens;
const worldsFor = (secret: string) =>
  atoll.send('GET', '/_atoll/worlds').set({ 'Atoll-Control': secret, 'X-Forwarded-For': '192.0.2.1' });
const message = (text: string) => ({ message: text });

describe('A token', () => {
  it('is answered once with its secret, of which only the hash is kept', async () => {
    const made = await create({ name: 'ci', right: 'worlds', prefix: 'ci-', ttl: 60 }).expect(201);
    const { secret, ...told } = made.body as Record<string, string>;
    expect(told).toEqual({
      ...{ name: 'ci', right: 'worlds', prefix: 'ci-', lastUsed: null },
      ...{ created: '2026-03-01T22:00:00.000Z', expires: '2026-03-01T22:01:00.000Z' },
    });
    expect(secret).toMatch(/^atoll_[\w-]{43}$/);
    const [kept] = await store.load();
    expect(kept?.secretHash).toBe(
      createHash('sha256')
        .update(secret ?? '')
        .digest('hex'),
    );
    expect(JSON.stringify([await list(), await store.load()])).not.toContain(secret);
    expect(await list()).toEqual([told]);
  });

  it('has another secret each time', async () => {
    const secrets = await Promise.all(['a', 'b', 'c'].map((name) => secretOf({ name, right: 'read' })));
    expect(new Set(secrets).size).toBe(3);
    expect((await list()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('lets in from another machine until it is revoked', async () => {
    const secret = await secretOf({ name: 'ci', right: 'read' });
    const other = await secretOf({ name: 'other', right: 'read' });
    await worldsFor(secret).expect(200);
    await atoll.send('DELETE', '/_atoll/tokens/ci').expect(204);
    await worldsFor(secret).expect(403, message('The control token is not the right one.'));
    // Also on this machine, where a caller without a token is let in.
    await atoll.send('GET', '/_atoll/worlds').set('Atoll-Control', secret).expect(403);
    await atoll.send('GET', '/_atoll/worlds').expect(200);
    await worldsFor(other).expect(200);
    await atoll.send('DELETE', '/_atoll/tokens/ci').expect(404, message('There is no control token "ci".'));
  });

  it('is refused when it has expired, is not listed then, and gives its name free', async () => {
    const secret = await secretOf({ name: 'ci', right: 'read', ttl: 60 });
    time += 59_999;
    await worldsFor(secret).expect(200);
    time += 1;
    await worldsFor(secret).expect(403, message('The control token "ci" has expired.'));
    expect(await list()).toEqual([]);
    const next = await secretOf({ name: 'ci', right: 'read' });
    await worldsFor(secret).expect(403, message('The control token is not the right one.'));
    await worldsFor(next).expect(200);
  });

  it('says on which day it was used, and is written once a day', async () => {
    const days: string[] = [];
    const kept = store;
    store = {
      ...kept,
      markUsed: async (name, day) => {
        days.push(`${name} ${day}`);
        await kept.markUsed(name, day);
      },
    };
    const secret = await secretOf({ name: 'ci', right: 'read' });
    await worldsFor(secret).expect(200);
    await worldsFor(secret).expect(200);
    time += 3 * 3_600_000;
    await worldsFor(secret).expect(200);
    expect(days).toEqual(['ci 2026-03-01', 'ci 2026-03-02']);
    expect((await list())[0]).toMatchObject({ lastUsed: '2026-03-02' });
  });

  it('lets in also when its use cannot be noted', async () => {
    store = { ...store, markUsed: () => Promise.reject(new Error('the disk is gone')) };
    const secret = await secretOf({ name: 'ci', right: 'read' });
    await worldsFor(secret).expect(200);
    expect(atoll.events.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
  });

  it.each(['atoll_', `atoll_${'A'.repeat(43)}`, 'atoll', 'x'])('no other text lets in: %s', async (wrong) => {
    const secret = await secretOf({ name: 'ci', right: 'read' });
    await worldsFor(wrong).expect(403);
    await worldsFor(`${secret}x`).expect(403);
    await worldsFor(secret.slice(0, -1)).expect(403);
    await worldsFor(secret.replace('atoll_', 'ATOLL_')).expect(403);
  });

  it('from elsewhere without a token is told that one is needed, once there is one', async () => {
    const elsewhere = () => atoll.send('GET', '/_atoll/worlds').set('X-Forwarded-For', '192.0.2.1').expect(403);
    expect((await elsewhere()).body).toEqual(message('The control interface answers this machine only.'));
    await secretOf({ name: 'ci', right: 'read' });
    expect((await elsewhere()).body).toEqual(
      message('The control interface needs the header "Atoll-Control" with the control token.'),
    );
  });

  it('is beside the token of the server, which may do everything', async () => {
    const closed = await createTestAtoll({ app: { controlToken: 'let-me-in-here' } });
    const ask = (method: string, path: string, token: string) => closed.send(method, path).set('Atoll-Control', token);
    const own = 'let-me-in-here';
    const made = await ask('POST', '/_atoll/tokens', own).send({ name: 'ci', right: 'read' }).expect(201);
    const { secret } = made.body as { secret: string };
    await ask('GET', '/_atoll/worlds', secret).expect(200);
    await closed.send('GET', '/_atoll/worlds').expect(403);
    await ask('DELETE', '/_atoll/tokens/ci', own).expect(204);
    await ask('GET', '/_atoll/worlds', secret).expect(403);
  });
});

describe('POST /_atoll/tokens', () => {
  it.each([
    [{ name: 'ci', right: 'worlds' }, 'The right "worlds" needs a prefix: with what the names of its worlds begin.'],
    [{ name: 'ci', right: 'read', prefix: 'ci-' }, 'A prefix goes with the right "worlds". The right "read" has none.'],
    [
      { name: 'loopback', right: 'read' },
      '"loopback" cannot be the name of a control token: the log calls callers without a token so.',
    ],
  ])('refuses %j with 422', async (token, words) => {
    await create(token).expect(422, message(words));
  });

  it.each([
    {},
    { name: 'CI', right: 'read' },
    { name: '--control-token', right: 'read' },
    { name: 'constructor', right: 'read' },
    { name: 'ci', right: 'all' },
    { name: 'ci', right: 'worlds', prefix: '' },
    { name: 'ci', right: 'worlds', prefix: 'C' },
    { name: 'ci', right: 'read', ttl: 0 },
    { name: 'ci', right: 'read', secret: 'atoll_mine' },
  ])('refuses %j by its schema with 422', async (token) => {
    await create(token).expect(422);
    expect(await list()).toEqual([]);
  });

  it('refuses a name in use with 409, a body that is no JSON with 400 and 415', async () => {
    await create({ name: 'ci', right: 'read' }).expect(201);
    await create({ name: 'ci', right: 'everything' }).expect(
      409,
      message('There is a control token "ci" already. Revoke it first.'),
    );
    await atoll.send('POST', '/_atoll/tokens').set('Content-Type', 'application/json').send('{').expect(400);
    await atoll.send('POST', '/_atoll/tokens').set('Content-Type', 'text/plain').send('{}').expect(415);
  });

  it('refuses more than 500 with 503', async () => {
    const token = (name: string): StoredControlToken => ({
      ...{
        name,
        right: 'read',
        prefix: null,
        secretHash: '0'.repeat(64),
        created: start,
        expires: null,
        lastUsed: null,
      },
    });
    const limits = { now: start, most: 500 };
    for (let number = 0; number < 500; number += 1) expect(await store.put(token(`t${number}`), limits)).toBe('kept');
    await create({ name: 'ci', right: 'read' }).expect(
      503,
      message('There are 500 control tokens already. Revoke some.'),
    );
  });

  it.each([
    [503, unavailable('Writing is not possible at the moment.')],
    [507, outOfSpace()],
  ])('is %d when it cannot be kept, and so is a revocation', async (status, problem) => {
    store = { ...store, put: () => Promise.reject(problem), remove: () => Promise.reject(problem) };
    await create({ name: 'ci', right: 'read' }).expect(status);
    await atoll.send('DELETE', '/_atoll/tokens/ci').expect(status);
  });
});

describe('Tokens that cannot be read', () => {
  it.each([
    [
      503,
      unavailable('The database cannot be reached at the moment.'),
      'The database cannot be reached at the moment.',
    ],
    [500, new Error('the secret of the machine'), 'The website encountered an unexpected error. Try again later.'],
  ])('let nobody in who sends one: %d', async (status, error, words) => {
    store = { ...store, load: () => Promise.reject(error) };
    await worldsFor(`atoll_${'A'.repeat(43)}`).expect(status, message(words));
    await atoll.send('GET', '/_atoll/worlds').expect(200);
    await atoll.send('GET', '/_atoll/health').expect(200);
  });
});
