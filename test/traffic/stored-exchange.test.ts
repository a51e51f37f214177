/** A request that another process has observed is shown as the one that this process has observed itself, and holds no secret. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorldObserver, createFaultsByWorld } from '../../src/server/server-start.ts';
import { createPathRouter, readSourceLines, resolveReferences } from '../../src/openapi/openapi-parts.ts';
import { createBackend } from '../../src/repository/repository-engine.ts';
import { httpArchive, type RecordedExchange } from '../../src/exchange/exchange.ts';
import { restoredExchange, storedExchange } from '../team/observations/stored.ts';
import { showEntry, showExchange, type EntryContext } from '../../src/server/traffic/traffic-entry.ts';
import { queryPredicate } from '../../src/server/traffic/traffic-query.ts';
import { createTestAtoll, root, sources, type TestAtoll } from '../support/atoll.ts';

const observer = createWorldObserver();
let atoll: TestAtoll;
let context: EntryContext;
let live: readonly RecordedExchange[];
let stored: readonly string[];
let restored: readonly RecordedExchange[];
/** What must not leave the process. */
const secrets: string[] = [];

const collection = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A box' }],
  field_model: [{ target_id: 23, target_type: 'taxonomy_term' }],
};

const secret = (text: string): string => {
  secrets.push(text);
  return text;
};

const sendRequests = async (): Promise<void> => {
  const post = (body: object | string, path = '/node?_format=json') =>
    atoll.send('post', path, 'admin').set('Content-Type', 'application/json').send(body);
  await atoll.send('get', '/node/1?_format=json');
  await atoll.send('get', '/node/1?_format=json');
  await atoll.send('get', '/node/1?_format=xml&name=%5Bx%5D');
  await atoll.send('get', '/node/1');
  await atoll.send('get', '/node/1').set('Accept', 'text/html');
  await atoll.send('head', '/node/1?_format=json');
  // A handler breaks the document.
  await atoll.send('get', '/media/1?_format=json');
  await atoll.send('get', '/node/999?_format=json', 'editor');
  await atoll.send('get', '/nothing/here').set('Referer', `http://me:${secret('in-the-referer')}@other.site/?q=1`);
  await atoll.send('put', '/node/1', 'admin').send({});
  await atoll.send('get', `/node/1?_format=json&token=${secret('query-token-1')}`);
  await atoll.send('get', `/node/1?api_key=${secret('query-key-2')}&_format=nothing`, 'editor');
  // Bodies: kept, broken by the schema in several ways, broken by the validation, no JSON, none, the wrong type, too long.
  await post(collection);
  await post({ ...collection, title: [{ value: 7 }] });
  await post({ ...collection, title: 'A box', nothing_known: 1 });
  await post({ title: [{ value: 'No type' }] });
  await post({ ...collection, title: [{ value: '' }] });
  await post({ ...collection, field_model: [{ target_id: 99_999 }] });
  await post({ ...collection, field_linked_agent: [{ target_id: 34 }] });
  await post('{"title": [');
  await post('7');
  await atoll.send('post', '/node?_format=json', 'admin').set('Content-Type', 'text/plain').send('a text');
  await post({ ...collection, field_description: [{ value: 'y'.repeat(20_000) }] });
  await atoll.send('post', '/node?_format=json', 'admin');
  await post({ ...collection, field_rights: [{ value: `see http://u:${secret('in-a-url')}@host/ pass` }] });
  await atoll.send('patch', '/node/1?_format=json', 'editor').send({ title: [{ value: 1 }] });
  // Secrets in bodies, headers and answers.
  const password = secret('islandora-not');
  await atoll.send('post', '/user/login?_format=json').send({ name: 'admin', pass: password });
  await atoll.send('post', '/user/login?_format=json').send({ name: 'admin', pass: 123_456_789_012 });
  secret('123456789012');
  await atoll
    .send('post', '/user/login?_format=json')
    .set('Content-Type', 'application/json')
    .send(`"${secret('a-bare-text')}"`);
  await atoll
    .send('post', '/user/login?_format=json')
    .set('Content-Type', 'application/json')
    .send(`pass=${secret('no-json')}`);
  const session = await logIn();
  await atoll.send('post', '/node?_format=json').set('Cookie', session.cookie).send({ title: 1 });
  await atoll
    .send('post', '/node?_format=json')
    .set('Cookie', session.cookie)
    .set('X-CSRF-Token', session.token)
    .send({ title: 1 });
  const token = await atoll.send('get', '/session/token').set('Cookie', session.cookie);
  secret(token.text);
  await atoll
    .send('post', '/node?_format=json')
    .set('Authorization', `Bearer ${secret('a.bad.token')}`)
    .send({ title: 1 });
  await atoll
    .send('post', '/node?_format=json')
    .set('Authorization', `Basic ${secret(base64('no-colon-password'))}`)
    .send([]);
  await atoll.send('post', '/node?_format=json').auth('admin', secret('wrong-password')).send({ title: 1 });
  secret(base64('admin:wrong-password'));
  await atoll
    .send('get', '/node/1?_format=json')
    .set('Atoll-Fault', 'cut-answer')
    .catch(() => undefined);
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const logIn = async (): Promise<{ readonly cookie: string; readonly token: string }> => {
  const account = atoll.site.accounts.find(({ name }) => name === 'admin');
  const pass = account?.demoPassword ?? '';
  const response = await atoll.send('post', '/user/login?_format=json').send({ name: 'admin', pass });
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
  const body = response.body as { readonly csrf_token: string; readonly logout_token: string };
  secrets.push(cookie.split('=')[1] ?? '', body.csrf_token, body.logout_token);
  return { cookie, token: body.csrf_token };
};

beforeAll(async () => {
  const faults = createFaultsByWorld();
  atoll = await createTestAtoll({
    app: {
      ...{ observer, faults, checkReplies: 'log' },
      handlers: {
        getMedia: () => () => ({ status: 200 as const, mediaType: 'application/json' as const, body: { mid: 1 } }),
      },
    },
    open: { intercept: [observer.intercept, faults.intercept] },
  });
  await sendRequests();
  await new Promise((resolve) => setImmediate(resolve));
  const documents = await sources();
  const document = resolveReferences(documents.document);
  const backend = createBackend(document, []);
  const operations = new Map(backend.operations.map((each) => [each.id, each]));
  context = {
    router: createPathRouter(backend.operations),
    lines: await readSourceLines(await readFile(join(root, 'openapi.yaml'), 'utf8')),
    contract: { backend, document, passwordOf: () => undefined },
    areRepliesChecked: true,
  };
  live = observer.of('main').traffic.entries();
  stored = live.map(storedExchange);
  restored = stored.map((text, at) => restoredExchange(text, live[at]?.id ?? 0, (id) => operations.get(id)));
});

const titles = (exchanges: readonly RecordedExchange[]): string[] =>
  exchanges.map(({ id, method, path, status }) => `${id} ${method} ${path} ${status}`);

describe('A restored request', () => {
  it('is of requests of every kind', () => {
    expect(new Set(live.map(({ status }) => status)).size).toBeGreaterThanOrEqual(9);
    expect(live.filter(({ observations }) => observations.requestViolations.length > 0).length).toBeGreaterThan(4);
    expect(live.some(({ observations }) => observations.advice.length > 0)).toBe(true);
    expect(live.some(({ observations }) => observations.replyViolations.length > 0)).toBe(true);
    expect(live.some(({ transmissionFault }) => transmissionFault !== undefined)).toBe(true);
    expect(titles(restored)).toEqual(titles(live));
  });

  it('is shown as the one in memory, with verdicts, violations, lines, corrections and bodies', async () => {
    const shownLive = await Promise.all(live.map((each) => showExchange(each, context)));
    expect(shownLive.filter(({ corrected }) => corrected !== undefined).length).toBeGreaterThan(8);
    const shown = await Promise.all(restored.map((each) => showExchange(each, context)));
    for (const [at, one] of shown.entries()) expect(one).toEqual(shownLive[at]);
    expect(httpArchive(shown, 'http://localhost:8000', '1')).toEqual(
      httpArchive(shownLive, 'http://localhost:8000', '1'),
    );
    for (const [at, one] of restored.entries()) {
      const { request, response, correction, ...entry } = shownLive[at] ?? {};
      expect([request, response]).not.toContain(undefined);
      expect(correction === undefined).toBe(!('corrected' in entry));
      expect(await showEntry(one, context)).toEqual(entry);
    }
  });

  it.each([
    { operation: 'createNode' },
    { status: '4xx' },
    { method: 'get', path: '/node/*' },
    { identity: 'anonymous' },
    { identity: 'editor' },
    { verdict: 'broken' },
    { verdict: 'lenient' },
    { verdict: 'reply-broken' },
    { advice: 'some' },
    { since: '5' },
  ] as const)('is found by %o as the one in memory', (query) => {
    const matches = queryPredicate(query, context);
    expect(titles(restored.filter(matches))).toEqual(titles(live.filter(matches)));
  });

  it('does not change when it is stored once more', () => {
    const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text) as unknown);
    expect(parsed(restored.map(storedExchange))).toEqual(parsed(stored));
  });

  it('has no operation when the document has it no more', async () => {
    const [text = ''] = stored;
    const orphan = restoredExchange(text, 1, () => undefined);
    expect(await showEntry(orphan, context)).toMatchObject({
      operation: null,
      path: '/node/1?_format=json',
      status: 200,
    });
  });
});

describe('What is stored of a request', () => {
  it('has no password, token or cookie in any form', () => {
    const all = stored.join('\n');
    const isStored = (text: string): boolean => all.includes(text) || all.includes(encodeURIComponent(text));
    expect(secrets.length).toBeGreaterThan(12);
    expect(secrets.filter((each) => each.length < 5)).toEqual([]);
    expect(secrets.filter(isStored)).toEqual([]);
    // The accounts of the fixture have known passwords.
    for (const { name, demoPassword } of atoll.site.accounts) {
      if (demoPassword === undefined) continue;
      expect(isStored(base64(`${name}:${demoPassword}`))).toBe(false);
      // The password of the demo is a word of the content too.
      expect(isStored(JSON.stringify(`"pass":"${demoPassword}"`).slice(1, -1))).toBe(false);
    }
  });
});
