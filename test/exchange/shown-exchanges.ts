/** What each part of the program shows of an exchange, for tests that no secret is left in it. No tests here. */
import { httpArchive, type RecordedExchange, type HeaderLine, type WireExchange } from '../../src/exchange/exchange.ts';
import { harOfRecording } from '../../src/exchange/exchange-files.ts';
import { target } from '../recording/exchanges.ts';
import { restoredExchange, storedExchange } from '../team/observations/stored.ts';
import { nothingObserved, shownByTraffic } from '../traffic/shown-by-traffic.ts';
import { shownByTwin } from '../twin/shown-by-twin.ts';
import { shownByVerify } from '../verify/shown-by-verify.ts';
import { redactedForFiles } from './redaction/redacted-for-files.ts';

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
    ...{ status: reply.status, ...nothingObserved() },
    operation: path === '/session/token' ? ({ id: 'getSessionToken' } as RecordedExchange['operation']) : undefined,
  };
};

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
  'a report of verify': (one, published) => shownByVerify(one, target, published),
  'a report of the twin': shownByTwin,
  traffic: (one) => shownByTraffic(remembered(one)),
  'an archive of traffic': async (one) => httpArchive([await shownByTraffic(remembered(one))], target, '1'),
  'traffic that other processes read': async (one) => {
    const stored = storedExchange(remembered(one));
    return [stored, await shownByTraffic(restoredExchange(stored, 1, () => undefined))];
  },
};

/** Those that show all of an exchange. */
export const showing = ['a recording', 'traffic', 'an archive of traffic', 'traffic that other processes read'];

export const shownBy = async (
  show: (typeof users)[string],
  one: WireExchange,
  published: readonly string[] = [],
): Promise<string> => JSON.stringify(await show(one, published));
