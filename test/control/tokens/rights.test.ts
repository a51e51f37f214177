/** Which right each operation of the control interface needs, for each kind of token. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { controlOperations, type ControlOperation } from './control-operations.ts';

const needs = ['none', 'read', 'this-world', 'named-world', 'new-world', 'everything'];
const guarded = controlOperations.filter(({ right }) => right !== 'none').map((one) => [one.id, one] as const);
const needing = (...rights: readonly string[]) => guarded.filter(([, { right }]) => rights.includes(right ?? ''));

let atoll: TestAtoll;
const secrets = { read: '', worlds: '', everything: '' };
beforeAll(async () => {
  atoll = await createTestAtoll();
  secrets.read = await makeToken({ name: 'dashboard', right: 'read' });
  secrets.worlds = await makeToken({ name: 'ci', right: 'worlds', prefix: 'ci-' });
  secrets.everything = await makeToken({ name: 'lead', right: 'everything' });
});

const makeToken = async (token: object): Promise<string> => {
  const made = await atoll.send('POST', '/_atoll/tokens').send(token).expect(201);
  return (made.body as { secret: string }).secret;
};

/** As from another machine, behind a proxy: only the token lets it in. */
const ask = (secret: string, method: string, path: string) =>
  atoll.send(method, path).set({ 'Atoll-Control': secret, 'X-Forwarded-For': '192.0.2.1' });

const messageOf = async (asked: ReturnType<typeof ask>): Promise<readonly [number, string]> => {
  const answer = await asked;
  return [answer.status, String((answer.body as { message?: unknown }).message)];
};

/** Without an event stream, which never ends. */
const ends = ([id]: readonly [string, ControlOperation]): boolean => !id.startsWith('stream');

describe('The control document', () => {
  it.each(controlOperations)('$id says which right it needs', ({ id, right, method, template }) => {
    expect([id, needs.includes(right ?? '')]).toEqual([id, true]);
    if (right === 'read') expect(method).toBe('GET');
    if (right === 'named-world') expect(template).toContain('{world_name}');
  });

  it('leaves nothing that changes something to a token that only reads', () => {
    expect(guarded.filter(([, { method, right }]) => method !== 'GET' && right === 'read')).toEqual([]);
  });
});

describe('A token with the right "read"', () => {
  it.each(needing('read').filter(ends))('is let in to %s', async (_id, { method, path }) => {
    expect((await ask(secrets.read, method, path)).status).not.toBe(403);
  });

  it.each(needing('this-world', 'named-world', 'new-world'))('is refused at %s: 403', async (_id, one) => {
    expect(await messageOf(ask(secrets.read, one.method, one.path))).toEqual([
      403,
      'The control token "dashboard" has the right "read". This needs the right "worlds" or "everything".',
    ]);
  });

  it.each(needing('everything'))('is refused at %s: 403', async (_id, one) => {
    expect(await messageOf(ask(secrets.read, one.method, one.path))).toEqual([
      403,
      'The control token "dashboard" has the right "read". This needs the right "everything".',
    ]);
  });
});

const refusedWorld = (name: string): string =>
  `The control token "ci" has the right to worlds whose names begin with "ci-", and "${name}" is none of them. ` +
  'That needs the right "everything", or this one with another prefix.';

const bodies: Readonly<Record<string, object>> = {
  setClock: { mode: 'real' },
  advanceClock: { seconds: 1 },
  changeWorld: { ttl: null },
  addFault: { fault: 'unexpected-error' },
};

const asImport = (asked: ReturnType<typeof ask>, type: string) => asked.type(type).send('an archive');

const withBody = (asked: ReturnType<typeof ask>, id: string) => {
  if (id === 'importRepository') return asImport(asked, 'application/x-tar');
  return id in bodies ? asked.send(bodies[id]) : asked;
};

describe('A token with the right "worlds"', () => {
  it.each(needing('read').filter(ends))('is let in to %s', async (_id, { method, path }) => {
    expect((await ask(secrets.worlds, method, path)).status).not.toBe(403);
  });

  it.each(needing('this-world'))('is refused at %s of another world: 403', async (id, { method, path }) => {
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'cicada' });
    for (const [prefix, world] of [
      ['', 'main'],
      ['/~main', 'main'],
      ['/~cicada', 'cicada'],
    ] as const) {
      const asked = withBody(ask(secrets.worlds, method, prefix + path), id);
      expect(await messageOf(asked)).toEqual([403, refusedWorld(world)]);
    }
    const byHeader = withBody(ask(secrets.worlds, method, path).set('Atoll-World', 'cicada'), id);
    expect(await messageOf(byHeader)).toEqual([403, refusedWorld('cicada')]);
  });

  it('is refused another world before its body is looked at: 403, not 415', async () => {
    expect((await asImport(ask(secrets.worlds, 'POST', '/_atoll/import'), 'text/plain')).status).toBe(403);
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'ci-1' });
    expect((await asImport(ask(secrets.worlds, 'POST', '/~ci-1/_atoll/import'), 'text/plain')).status).toBe(415);
  });

  it.each(needing('this-world'))('is let in to %s of a world of its own', async (id, { method, path }) => {
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'ci-1' });
    expect((await withBody(ask(secrets.worlds, method, `/~ci-1${path}`), id)).status).not.toBe(403);
  });

  it.each(needing('named-world'))('is refused at %s of another world, however it is written: 403', async (id, one) => {
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'cicada' });
    for (const [written, world] of [
      ['main', 'main'],
      ['cicada', 'cicada'],
      ['%63icada', 'cicada'],
      ['nowhere', 'nowhere'],
    ] as const) {
      const asked = ask(secrets.worlds, one.method, one.template.replace('{world_name}', written));
      expect(await messageOf(withBody(asked, id))).toEqual([403, refusedWorld(world)]);
    }
    const own = ask(secrets.worlds, one.method, one.template.replace('{world_name}', 'ci-none'));
    expect((await withBody(own, id)).status).toBe(404);
  });

  it('makes worlds of its prefix, by a name or without one, and no other', async () => {
    const fork = (body: object) => ask(secrets.worlds, 'POST', '/_atoll/worlds').send(body);
    expect(await messageOf(fork({ name: 'mine' }))).toEqual([403, refusedWorld('mine')]);
    expect(await messageOf(fork({ name: 'main' }))).toEqual([403, refusedWorld('main')]);
    const named = await fork({ name: 'ci-named', from: 'empty' }).expect(201);
    const invented = await fork({}).expect(201);
    expect((named.body as { name: string }).name).toBe('ci-named');
    const { name } = invented.body as { name: string };
    expect(name).toMatch(/^ci-[0-9a-f]{8}$/);
    await ask(secrets.worlds, 'DELETE', `/_atoll/worlds/${name}`).expect(204);
    const { worlds } = (await atoll.send('GET', '/_atoll/worlds')).body as { worlds: { name: string }[] };
    expect(worlds.map((world) => world.name)).not.toContain('mine');
  });

  it('never reaches the main world, also where its name begins with the prefix', async () => {
    const secret = await makeToken({ name: 'm', right: 'worlds', prefix: 'm' });
    await ask(secret, 'POST', '/_atoll/reset').expect(403);
    await ask(secret, 'POST', '/_atoll/worlds').send({ name: 'mine-too' }).expect(201);
    await ask(secret, 'POST', '/~mine-too/_atoll/reset').expect(204);
  });

  it.each(needing('everything'))('is refused at %s: 403', async (_id, one) => {
    expect(await messageOf(ask(secrets.worlds, one.method, one.path))).toEqual([
      403,
      'The control token "ci" has the right "worlds". This needs the right "everything".',
    ]);
  });
});

describe('A token with the right "everything"', () => {
  it.each(guarded.filter(ends))('is let in to %s', async (_id, { method, path }) => {
    expect((await ask(secrets.everything, method, path)).status).not.toBe(403);
  });
});

describe('What is no operation', () => {
  it('is answered to every token, and to nobody from elsewhere without one', async () => {
    await ask(secrets.read, 'GET', '/_atoll/openapi.json').expect(200);
    await ask(secrets.read, 'GET', '/_atoll/nothing').expect(404);
    await atoll.send('GET', '/_atoll/openapi.json').set('X-Forwarded-For', '192.0.2.1').expect(403);
  });

  it('the files of a page are answered from elsewhere as soon as there is a token', async () => {
    await atoll.send('GET', '/_atoll/').set('X-Forwarded-For', '192.0.2.1').expect(200);
    const without = await createTestAtoll();
    await without.send('GET', '/_atoll/').set('X-Forwarded-For', '192.0.2.1').expect(403);
    // A page of another server could otherwise embed the console of who works at this machine.
    const embedding = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
    await atoll.send('GET', '/_atoll/').set(embedding).expect(403);
  });
});
