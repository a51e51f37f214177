/** Writes a recording as an HTTP Archive. */
import { headerValue, type HeaderLine, type WireBody } from '../wire-exchange.ts';
import type { Message } from '../redaction/decoded-body.ts';
import { utf8Text } from '../../basics/formats/utf8-text.ts';
import { harEntry, harLog, type HarMessage, type HarText, type NameValue } from './har-entry.ts';
import type { ReadExchange, Recording } from '../files/read-recording.ts';

/** `version` is Atoll's. */
export const harOfRecording = ({ exchanges, target }: Recording, version: string) =>
  harLog(
    exchanges.map((exchange) => entryOf(exchange, target)),
    version,
  );

const entryOf = ({ at, durationMs, account, request, reply }: ReadExchange, baseUrl: string) => ({
  ...harEntry({
    ...{ startedDateTime: new Date(at).toISOString(), durationMs, method: request.method, baseUrl, path: request.path },
    request: {
      ...messageOf(request, 'cookie'),
      body: request.body.bytes === 0 ? undefined : (textOf(request.body) ?? { text: '' }),
    },
    ...{ status: reply.status, statusText: reply.reason, redirectURL: headerValue(reply.headers, 'location') },
    response: messageOf(reply, 'set-cookie'),
  }),
  // A member of our own, as the format allows: it begins with an underscore.
  ...(account === undefined ? {} : { _account: account }),
});

const messageOf = ({ headers, body }: Message, cookieHeader: 'cookie' | 'set-cookie'): HarMessage => ({
  cookies: cookiesIn(headers, cookieHeader),
  headers: headers.map(([name, value]) => ({ name, value })),
  ...{ bytes: body.bytes, mimeType: headerValue(headers, 'content-type') ?? '', body: textOf(body) },
});

/** Their values are placeholders. */
const cookiesIn = (headers: readonly HeaderLine[], header: 'cookie' | 'set-cookie'): NameValue[] =>
  headers
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => (header === 'cookie' ? value.split(/;\s*/) : [value.replace(/;.*$/s, '')]))
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('=') };
    });

/** The kept part of a body that was cut off the beginning. Undefined when nothing was. */
const textOf = ({ kept, bytes }: WireBody): HarText | undefined => {
  if (kept.byteLength === 0) return bytes === 0 ? { text: '' } : undefined;
  const text = utf8Text(kept);
  return text === undefined ? { text: Buffer.from(kept).toString('base64'), encoding: 'base64' } : { text };
};
