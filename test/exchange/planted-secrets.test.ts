/** A secret that is planted in an exchange reaches nobody: no recording, no report, no traffic, no agent. */
import { describe, expect, it } from '@jest/globals';
import { createTally } from '../../src/checks/twin/tally.ts';
import { showExchange as showVerified } from '../../src/checks/verify/reports/shown-exchange.ts';
import { createRouter } from '../../src/core/engine/router.ts';
import { emptyObservations } from '../../src/core/engine/observations.ts';
import type { Backend } from '../../src/core/engine/backend.ts';
import { harOf } from '../../src/exchange/har/write-har.ts';
import type { RecordedExchange } from '../../src/exchange/recorded-exchange.ts';
import { createPlaceholders } from '../../src/exchange/redaction/placeholders.ts';
import { redactExchange } from '../../src/exchange/redaction/redact-exchange.ts';
import { createRedaction } from '../../src/exchange/redaction/redaction.ts';
import { builtInRules } from '../../src/exchange/redaction/redaction-rules.ts';
import type { HeaderLine, WireExchange } from '../../src/exchange/wire-exchange.ts';
import { headersOf, textOf } from '../../src/mcp/sandbox/answer-text.ts';
import { httpArchive } from '../../src/exchange/har/http-archive.ts';
import { restoredExchange, storedExchange } from '../../src/server/traffic/stored-exchange.ts';
import { showExchange as showTraffic } from '../../src/server/traffic/traffic-entry.ts';
import { exchange, target, type Parts } from '../recording/exchanges.ts';

const secret = 's3cret-Planted-9';
const basic = Buffer.from(`editor:${secret}`).toString('base64');
const json: HeaderLine = ['Content-Type', 'application/json'];
/** The answer says the secret again, where nothing names it. */
const echo = {
  headers: [json, ['X-Note', `got ${secret}`] as const],
  body: JSON.stringify({ message: `"${secret}"?` }),
};

/** Where it is planted. `ofReply`: the reply alone tells that it is secret. */
const places: readonly (readonly [place: string, parts: Parts, ofReply?: true])[] = [
  ['Basic credentials', { request: { headers: [['Authorization', `Basic ${basic}`]] }, reply: echo }],
  ['a bearer token', { request: { headers: [['Authorization', `Bearer ${secret}`]] }, reply: echo }],
  ['a cookie', { request: { headers: [['Cookie', `a=b; SESSabc=${secret}; atoll_world=w1`]] }, reply: echo }],
  ['a CSRF token', { request: { headers: [['X-CSRF-Token', secret]] }, reply: echo }],
  ['a key of another server', { request: { headers: [['X-Api-Key', secret]] }, reply: echo }],
  ['a parameter', { path: `/node/1?_format=json&token=${secret}`, reply: echo }],
  ['a parameter with an encoded name', { path: `/node/1?%74oken=${secret}`, reply: echo }],
  [
    'a login',
    {
      ...{ method: 'POST', path: '/user/login?_format=json', reply: echo },
      request: { headers: [json], body: JSON.stringify({ name: 'editor', pass: secret }) },
    },
  ],
  [
    'a new password',
    {
      ...{ method: 'PATCH', path: '/user/2?_format=json', reply: echo },
      request: { headers: [json], body: JSON.stringify({ pass: [{ existing: `old-${secret}`, value: secret }] }) },
    },
  ],
  ['a new cookie', { reply: { ...echo, headers: [...echo.headers, ['Set-Cookie', `S=${secret}; path=/`]] } }, true],
  [
    'the answer to a login',
    { reply: { ...echo, body: JSON.stringify({ csrf_token: secret, note: [`again ${secret}`] }) } },
    true,
  ],
  [
    'a token as text',
    {
      path: '/session/token',
      reply: {
        headers: [
          ['Content-Type', 'text/plain'],
          ['X-Note', secret],
        ],
        body: secret,
      },
    },
  ],
  ['an address with a password', { reply: { headers: [['Location', `https://jo:${secret}@host.test/a`]] } }, true],
];

const recordOf = (headers: readonly HeaderLine[]) =>
  Object.fromEntries(headers.map(([name, value]): [string, string] => [name, value]));

/** The same as the traffic of a world remembers it. */
const remembered = ({ request, reply, at, durationMs }: WireExchange): RecordedExchange => {
  const [path = '', ...query] = request.path.split('?');
  const textIn = (body: WireExchange['reply']['body']) => ({
    bytes: body.bytes,
    text: Buffer.from(body.kept).toString(),
  });
  return {
    ...{ id: 1, world: 'main', baseUrl: target, at, durationMs, method: request.method, path, query: query.join('?') },
    headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...{ requestBody: textIn(request.body), replyBody: textIn(reply.body), replyHeaders: recordOf(reply.headers) },
    ...{ status: reply.status, observations: emptyObservations(), transmissionFault: undefined, isReused: false },
    operation: path === '/session/token' ? ({ id: 'getSessionToken' } as RecordedExchange['operation']) : undefined,
  };
};

const context = {
  router: createRouter([]),
  lines: undefined,
  contract: {
    backend: {} as Backend,
    passwordOf: () => undefined,
    document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: {} },
  },
  areRepliesChecked: false,
};

const redactedForFiles = (one: WireExchange) =>
  redactExchange(one, { rules: builtInRules, placeholders: createPlaceholders() });

const words = (one: WireExchange): unknown => [
  ...[one.request.path, one.request.headers, one.reply.headers, one.reply.reason],
  ...[one.request.body, one.reply.body].map(({ kept }) => Buffer.from(kept).toString()),
];

/** What each of them shows of an exchange. */
const users: Readonly<Record<string, (one: WireExchange, published: readonly string[]) => unknown>> = {
  'a recording': (one) => words(redactedForFiles(one)),
  'an archive of a recording': (one) =>
    harOf(
      {
        ...{ directory: '', target, begun: '' },
        exchanges: [
          { ...redactedForFiles(one), number: 1, file: '', bodyFiles: { request: undefined, reply: undefined } },
        ],
      },
      '1',
    ),
  'a report of verify': (one, published) => {
    const redaction = createRedaction([], published);
    redaction.learn(one);
    return showVerified(one, { parts: { redaction, sender: { baseUrl: target } } });
  },
  'a report of the twin': (one, published) => {
    const tally = createTally(published);
    const text = Buffer.from(one.reply.body.kept).toString();
    const values = { target: text, atoll: one.reply.headers.map((line) => line.join(': ')).join('\n') };
    const operation = one.request.path.startsWith('/session') ? 'getSessionToken' : 'readNode';
    const judged = { ...values, class: 'new', because: '' } as const;
    const answered = { request: one.request, target: one.reply, atoll: one.reply, operation };
    tally.add(answered, [
      { ...judged, place: '/body' },
      { ...judged, place: '/headers/x-note', target: 'a' },
    ]);
    return tally.outcome();
  },
  traffic: (one) => showTraffic(remembered(one), context),
  'an archive of traffic': async (one) => httpArchive([await showTraffic(remembered(one), context)], target, '1'),
  'traffic that other processes read': async (one) => {
    const stored = storedExchange(remembered(one));
    return [
      stored,
      await showTraffic(
        restoredExchange(stored, 1, () => undefined),
        context,
      ),
    ];
  },
};

const answerFor = ({ reply }: WireExchange, operation: string | undefined) => {
  const headers = new Headers(recordOf(reply.headers));
  const answer = { status: reply.status, headers, bytes: Buffer.from(reply.body.kept) };
  return [headersOf(answer), textOf(answer, operation)];
};

const shownBy = async (show: (typeof users)[string], one: WireExchange, published: readonly string[] = []) =>
  JSON.stringify(await show(one, published));

describe.each(Object.entries(users))('In %s', (_user, show) => {
  it.each(places)('%s is hidden, also where the answer says it again', async (_place, parts) => {
    const shown = await shownBy(show, exchange(parts));
    expect(shown).toContain('[redacted');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(basic);
  });

  it('a word stays, though it is the password of a demo account, too', async () => {
    const word = 'islandora';
    const headers = [['Authorization', `Basic ${Buffer.from(`${word}:${word}`).toString('base64')}`]] as const;
    const reply = { headers: [json], body: JSON.stringify({ message: `An ${word}_object.` }) };
    const shown = await shownBy(show, exchange({ request: { headers }, reply }), [word]);
    expect(shown).toContain(`${word}_object`);
  });
});

describe('In the answer that an agent gets', () => {
  it.each(places.filter(([, , ofReply]) => ofReply === true))('%s is hidden', (_place, parts) => {
    expect(JSON.stringify(answerFor(exchange(parts), undefined))).not.toContain(secret);
  });
});
