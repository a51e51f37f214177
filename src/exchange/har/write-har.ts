/** Writes a recording as an HTTP Archive (HAR 1.2), which the developer tools of browsers read. */
import { valueOf, type HeaderLine, type WireBody } from '../wire-exchange.ts';
import { utf8Text } from '../redaction/redact-body.ts';
import type { ReadExchange, Recording } from '../files/read-recording.ts';

type NameValue = { readonly name: string; readonly value: string };

type HarContent = {
  readonly size: number;
  readonly mimeType: string;
  readonly text?: string;
  readonly encoding?: 'base64';
};

type HarEntry = {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly queryString: readonly NameValue[];
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly encoding?: 'base64' };
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly content: HarContent;
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly cache: object;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** A member of our own, as the format allows: it begins with an underscore. */
  readonly _account?: string;
};

type HarFile = {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
};

/** `version` is Atoll's. Follows http://www.softwareishard.com/blog/har-12-spec/. */
export const harOf = ({ exchanges, target }: Recording, version: string): HarFile => ({
  log: {
    version: '1.2',
    creator: { name: 'atoll', version },
    entries: exchanges.map((exchange) => entryOf(exchange, target)),
  },
});

const entryOf = ({ at, durationMs, account, request, reply }: ReadExchange, target: string): HarEntry => ({
  startedDateTime: new Date(at).toISOString(),
  time: durationMs,
  request: {
    method: request.method,
    url: target + request.path,
    ...unknownSizes,
    cookies: cookiesIn(request.headers, 'cookie'),
    headers: namedValues(request.headers),
    queryString: [...new URLSearchParams(request.path.replace(/^[^?]*/, ''))].map(([name, value]) => ({ name, value })),
    ...(request.body.bytes === 0
      ? {}
      : { postData: { mimeType: typeOf(request.headers), ...(textOf(request.body) ?? { text: '' }) } }),
    bodySize: request.body.bytes,
  },
  response: {
    status: reply.status,
    statusText: reply.reason,
    ...unknownSizes,
    cookies: cookiesIn(reply.headers, 'set-cookie'),
    headers: namedValues(reply.headers),
    content: { size: reply.body.bytes, mimeType: typeOf(reply.headers), ...textOf(reply.body) },
    redirectURL: valueOf(reply.headers, 'location') ?? '',
    bodySize: reply.body.bytes,
  },
  cache: {},
  timings: { send: 0, wait: durationMs, receive: 0 },
  ...(account === undefined ? {} : { _account: account }),
});

/** HAR 1.2 writes -1 for an unknown size. */
const unknownSizes = { httpVersion: 'HTTP/1.1', headersSize: -1 } as const;

const typeOf = (headers: readonly HeaderLine[]): string => valueOf(headers, 'content-type') ?? '';

const namedValues = (headers: readonly HeaderLine[]): NameValue[] => headers.map(([name, value]) => ({ name, value }));

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
const textOf = ({ kept, bytes }: WireBody): { readonly text: string; readonly encoding?: 'base64' } | undefined => {
  if (kept.byteLength === 0) return bytes === 0 ? { text: '' } : undefined;
  const text = utf8Text(kept);
  return text === undefined ? { text: Buffer.from(kept).toString('base64'), encoding: 'base64' } : { text };
};
