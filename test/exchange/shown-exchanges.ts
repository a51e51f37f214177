/** What each part of the program shows of an exchange, for tests that no secret is left in it. No tests here. */
import { createTally } from '../../src/checks/twin/tally.ts';
import { showExchange as showVerified } from '../../src/checks/verify/reports/shown-exchange.ts';
import { createPathRouter } from '../../src/openapi/openapi-parts.ts';
import { emptyObservations } from '../../src/openapi/openapi-host.ts';
import type { Backend } from '../../src/repository/repository-engine.ts';
import {
  httpArchive,
  type RecordedExchange,
  createRedaction,
  type HeaderLine,
  type WireExchange,
} from '../../src/exchange/exchange.ts';
import { harOfRecording } from '../../src/exchange/exchange-files.ts';
import { createPlaceholders } from '../../src/exchange/redaction/placeholders.ts';
import { redactExchange } from '../../src/exchange/redaction/redact-exchange.ts';
import { builtInRules } from '../../src/exchange/redaction/redaction-rules.ts';
import { restoredExchange, storedExchange } from '../../src/team/observations/stored-exchange.ts';
import { showExchange as showTraffic } from '../../src/server/traffic/traffic-entry.ts';
import { target } from '../recording/exchanges.ts';

export const recordOf = (headers: readonly HeaderLine[]) =>
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
  router: createPathRouter([]),
  lines: undefined,
  backend: {} as Backend,
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

/** What each of them shows of an exchange. `published` are passwords that everybody may read. */
export const users: Readonly<Record<string, (one: WireExchange, published: readonly string[]) => unknown>> = {
  'a recording': (one) => words(redactedForFiles(one)),
  'an archive of a recording': (one) =>
    harOfRecording(
      {
        ...{ directory: '', target, begun: '' },
        exchanges: [
          { ...redactedForFiles(one), number: 1, file: '', bodyFiles: { request: undefined, reply: undefined } },
        ],
      },
      '1',
    ),
  'a report of verify': (one, published) => {
    const redaction = createRedaction({ published });
    redaction.learn(one);
    return showVerified(one, { redaction, sender: { baseUrl: target } });
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

/** Those that show all of an exchange. */
export const showing = ['a recording', 'traffic', 'an archive of traffic', 'traffic that other processes read'];

export const shownBy = async (
  show: (typeof users)[string],
  one: WireExchange,
  published: readonly string[] = [],
): Promise<string> => JSON.stringify(await show(one, published));
