/**
 * Walks the control interface by its document: every right, every operation, and of the following operations every fourth, each time
 * others; the suite `crawl` takes every one. No answer on the way, and none afterwards, has what the right alone is refused.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { isLong, someOf } from '../../support/long-run.ts';
import { basic, nodeBody, putContent } from '../../support/requests.ts';
import { controlOperations, type ControlOperation } from './control-operations.ts';

/** What nobody wrote into a fixture, so that only who reads a world or a copy of it can know it. */
const marks = { main: 'minutes-of-main', other: 'minutes-of-another-world', bytes: 'bytes-of-a-guarded-file' };
const own = 'ci-x';
/** The name of a snapshot of the main world, and of a world that a token may make. */
const shadow = 'ci-shadow';
/** What an operation may be asked to copy, act on or make. */
const names = ['main', 'other', 'of-main', 'of-other', shadow, own];

let atoll: TestAtoll;
let archive: Buffer;
/** The token that an administrator sends. The others are those of who asks, each with their right. */
let administrator: string;
const secrets = new Map<string, string | undefined>([['none', undefined]]);
beforeAll(async () => {
  atoll = await createTestAtoll({ fixture: 'empty' });
  administrator = await makeToken({ name: 'lead', right: 'everything' });
  secrets.set('everything', administrator);
  secrets.set('read', await makeToken({ name: 'dashboard', right: 'read' }));
  secrets.set('worlds', await makeToken({ name: 'ci', right: 'worlds', prefix: 'ci-' }));
  await atoll.worlds.fork({ name: 'other' });
  for (const [prefix, mark] of [
    ['', marks.main],
    ['/~other', marks.other],
  ] as const) {
    const admin = basic('admin');
    const node = { ...nodeBody(mark), status: [{ value: false }] };
    await atoll.send('POST', `${prefix}/node?_format=json`).set(admin.headers).send(node).expect(201);
    const path = `${prefix}/node/1/media/file/24`;
    await putContent(atoll, admin, path, 'fedora://a.txt', Buffer.from(marks.bytes), 'text/plain').expect(201);
  }
  atoll.worlds.saveSnapshot('main', 'of-main');
  atoll.worlds.saveSnapshot('main', shadow);
  atoll.worlds.saveSnapshot('other', 'of-other');
  // Traffic shows who may read it what clients sent and got.
  for (const prefix of ['', '/~other']) await atoll.send('DELETE', `${prefix}/_atoll/traffic`).expect(204);
  await atoll.send('GET', '/_atoll/clock').set('Atoll-Control', administrator).expect(200);
  await startAgain();
  archive = Buffer.from(await textOf(ask('worlds', { method: 'GET', path: `/~${own}/_atoll/export` })), 'latin1');
});

const makeToken = async (token: object): Promise<string> => {
  const made = await atoll.send('POST', '/_atoll/tokens').send(token).expect(201);
  return (made.body as { secret: string }).secret; // held to the schema by the engine
};

/** Everything that the walk may have changed is as before. */
const startAgain = async (): Promise<void> => {
  for (const { name } of atoll.worlds.list()) if (!['main', 'other'].includes(name)) atoll.worlds.drop(name);
  await atoll.worlds.fork({ name: own, from: 'empty' });
};

/** One request that an operation may be asked with. */
type Step = { readonly method: string; readonly path: string; readonly body?: object | 'archive' };

/** As from another machine, behind a proxy: only the token lets it in. */
const ask = (right: string, { method, path, body }: Step) => {
  const secret = secrets.get(right);
  const asked = atoll.send(method, path).set('X-Forwarded-For', '192.0.2.1');
  if (secret !== undefined) asked.set('Atoll-Control', secret);
  if (body === 'archive') return asked.type('application/x-tar').send(archive);
  return body === undefined ? asked : asked.send(body);
};

const readWhole = async (asked: ReturnType<typeof ask>): Promise<Response> =>
  asked.buffer(true).parse((stream, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      done(null, Buffer.concat(chunks));
    });
  });
const textOf = async (asked: ReturnType<typeof ask>): Promise<string> =>
  ((await readWhole(asked)).body as Buffer).toString('latin1'); // what the parser makes

/** In which world an operation is asked: its own, the main one and another. */
const prefixes = [`/~${own}`, '', '/~other'];

/** The bodies that an operation may be sent: those of the document's examples, with each name in the place of what is copied. */
const bodiesOf = ({ id, examples, copies }: ControlOperation): readonly (object | 'archive' | undefined)[] => {
  if (id === 'importRepository') return ['archive'];
  if (examples.length === 0) return [undefined];
  if (id === 'forkWorld') {
    return [...names, 'empty'].flatMap((from) => [shadow, 'mine'].map((name) => ({ name, from })));
  }
  return copies === undefined ? examples : [...examples, ...names.map((name) => ({ [copies]: name }))];
};

const pathsOf = ({ template }: ControlOperation): readonly string[] =>
  /\{(?:world|snapshot)_name\}/.test(template)
    ? names.map((name) => template.replaceAll(/\{[^}]*\}/g, name))
    : [template.replaceAll(/\{[^}]*\}/g, '1')];

/**
 * An event stream never ends. The requests for a coverage are made from the document alone, which takes seconds. Both are
 * reads that need the right "read".
 */
const leftOut = ['streamTraffic', 'streamEvents', 'listCoverageRequests'];

/** Every plausible request of every operation. An operation on a named world is the same in each. */
const steps: readonly Step[] = controlOperations
  .filter(({ id }) => !leftOut.includes(id))
  .flatMap((one) =>
    (one.right === 'named-world' ? [''] : prefixes).flatMap((prefix) =>
      pathsOf(one).flatMap((path) =>
        bodiesOf(one).map((body) => ({
          ...{ method: one.method, path: prefix + path },
          ...(body === undefined ? {} : { body }),
        })),
      ),
    ),
  );

/** What follows: everything that changes something, and what reads the world of one's own. */
const followingSteps = steps.filter(({ method, path }) => method !== 'GET' || path.startsWith(`/~${own}/`));

/** What an answer shows that no right below "everything" gets. */
const shownBy = (text: string, { path }: Step, right: string): readonly string[] =>
  [
    ['a password hash', text.includes('scrypt$')],
    ['bytes of a guarded file', text.includes(marks.bytes)],
    ['a control token', text.includes(administrator)],
    // Who has "read" reads every world as it is; a copy in a world of one's own is more.
    ['text of another world', [marks.main, marks.other].some((mark) => text.includes(mark)) && isCopy(path, right)],
  ].flatMap(([what, isShown]) => (isShown === true ? [String(what)] : []));

const isCopy = (path: string, right: string): boolean => right === 'none' || path.startsWith('/~ci-');

/** What a caller reads of the worlds of its own after each step that changed something. */
const looks: readonly Step[] = [own, shadow].flatMap((name) =>
  ['export', 'entities', 'repository'].map((path) => ({ method: 'GET', path: `/~${name}/_atoll/${path}` })),
);

type Found = { readonly isChange: boolean; readonly shown: readonly string[] };
const take = async (right: string, step: Step): Promise<Found> => {
  const answer = await readWhole(ask(right, step));
  const text = (answer.body as Buffer).toString('latin1'); // what the parser makes
  const isChange = step.method !== 'GET' && answer.status < 300;
  const shown = shownBy(text, step, right).map((what) => `${what} by ${step.method} ${step.path}`);
  return { isChange, shown };
};

const look = async (right: string): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (const step of looks) seen.push(...(await take(right, step)).shown);
  return seen;
};

const lines = (way: readonly Step[], shown: readonly string[]): readonly string[] => {
  const said = way.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? null)}`).join(', then ');
  return shown.map((what) => `${said}: ${what}`);
};

/** The ways up of a right, by one operation and by two. */
const waysUp = async (right: string): Promise<{ readonly ways: readonly string[]; readonly changes: number }> => {
  const ways: string[] = [];
  const changing: Step[] = [];
  for (const first of steps) {
    const { isChange, shown } = await take(right, first);
    ways.push(...lines([first], [...shown, ...(isChange ? await look(right) : [])]));
    if (!isChange) continue;
    changing.push(first);
    await startAgain();
  }
  for (const [at, first] of changing.entries()) {
    await take(right, first);
    for (const second of isLong ? followingSteps : someOf(followingSteps.slice(at % 4))) {
      const { isChange, shown } = await take(right, second);
      ways.push(...lines([first, second], [...shown, ...(isChange ? await look(right) : [])]));
      if (!isChange) continue;
      await startAgain();
      await take(right, first);
    }
    await startAgain();
  }
  return { ways, changes: changing.length };
};

it('The right to everything gets what no other right gets, and a copy shows it', async () => {
  await ask('everything', { method: 'POST', path: '/_atoll/worlds', body: { name: shadow, from: 'main' } }).expect(201);
  const { shown } = await take('everything', { method: 'GET', path: `/~${shadow}/_atoll/export` });
  expect(shown.map((what) => what.split(' by ')[0])).toEqual([
    'a password hash',
    'bytes of a guarded file',
    'text of another world',
  ]);
  await startAgain();
});

describe('By two operations of the control interface, one after another,', () => {
  it.each(['none', 'read', 'worlds'])(
    'the right %s gets nothing that it is refused alone',
    async (right) => {
      const before = ['main', 'other'].map((name) => atoll.worlds.revision(name));
      const { ways, changes } = await waysUp(right);
      expect(ways).toEqual([]);
      expect(changes > 0).toBe(right === 'worlds');
      expect(['main', 'other'].map((name) => atoll.worlds.revision(name))).toEqual(before);
    },
    120_000,
  );
});
