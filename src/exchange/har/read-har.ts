/** Reads an HTTP Archive as the developer tools of Chromium and Firefox write it, and mitmproxy, as exchanges. */
import * as v from 'valibot';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { readJson } from '../../basics/yaml/read-yaml.ts';
import type { HeaderLine, WireBody, WireExchange } from '../wire-exchange.ts';
import { wholeBody, withLength } from '../redaction/decoded-body.ts';

const pair = v.looseObject({ name: v.string(), value: v.string() });
const count = v.optional(v.nullable(v.number()));
const words = v.optional(v.nullable(v.string()));

const harEntry = v.looseObject({
  startedDateTime: v.string(),
  time: count,
  _account: v.optional(v.string()),
  request: v.looseObject({
    method: v.string(),
    url: v.string(),
    headers: v.array(pair),
    postData: v.optional(
      v.nullable(
        v.looseObject({
          mimeType: words,
          text: words,
          encoding: words,
          params: v.optional(v.nullable(v.array(v.looseObject({ name: v.string(), value: words })))),
        }),
      ),
    ),
    bodySize: count,
  }),
  response: v.looseObject({
    status: v.number(),
    statusText: words,
    headers: v.array(pair),
    content: v.optional(v.looseObject({ size: count, text: words, encoding: words, compression: count })),
  }),
});

const harFile = v.looseObject({ log: v.looseObject({ entries: v.array(harEntry) }) });

type Entry = v.InferOutput<typeof harEntry>;

type ReadHar = {
  /** The base URL that the exchanges are below. */
  readonly target: string;
  readonly exchanges: readonly WireExchange[];
  /** Requests to other servers. */
  readonly elsewhere: number;
  /** Requests without a whole answer: blocked, failed, answered by WebSocket. */
  readonly unanswered: number;
};

/**
 * Reads the entries of one server: of `target`, or else of the origin with the most entries. Throws `ConfigurationError` with file
 * and line for what is not an archive, and for one without such an entry.
 */
export const readHar = async (file: string, target?: string): Promise<ReadHar> => {
  const { entries } = (await readJson(file, harFile, kind)).log;
  const base = target ?? mostCommonOrigin(entries);
  const own = entries.filter(({ request: { url } }) => base !== undefined && pathBelow(url, base) !== undefined);
  if (base === undefined || own.length === 0) {
    throw new ConfigurationError(
      `${file}: it has no request to ${base ?? 'any server'}. Name another file or --target.`,
    );
  }
  const answered = own.filter(({ response: { status } }) => status >= 200 && status <= 599);
  return {
    target: base,
    exchanges: answered.map((entry) => exchangeOf(entry, base)),
    elsewhere: entries.length - own.length,
    unanswered: own.length - answered.length,
  };
};

const kind = { rule: 'har', remedy: 'Name an HTTP Archive.', correction: 'Name an HTTP Archive (HAR 1.2).' };

const mostCommonOrigin = (entries: readonly Entry[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const { request } of entries) {
    if (!/^https?:/i.test(request.url) || !URL.canParse(request.url)) continue;
    const { origin } = new URL(request.url);
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
};

/** Path and query below a base URL. Undefined for another server. */
const pathBelow = (url: string, base: string): string | undefined => {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)([^#]*)/i.exec(url) ?? [];
  const [, ownOrigin = '', prefix = ''] = /^(https?:\/\/[^/?#]+)(.*)$/i.exec(base) ?? [];
  if (!URL.canParse(origin) || !URL.canParse(ownOrigin) || new URL(origin).origin !== new URL(ownOrigin).origin)
    return undefined;
  if (rest === prefix || rest.startsWith(`${prefix}?`)) return `/${rest.slice(prefix.length)}`;
  return rest.startsWith(`${prefix}/`) ? rest.slice(prefix.length) : undefined;
};

const exchangeOf = (entry: Entry, base: string): WireExchange => {
  const { request, response } = entry;
  const body = requestBody(request);
  const content = response.content ?? {};
  const reply = bodyFrom(content.text, content.encoding, content.size, content.compression);
  const at = Date.parse(entry.startedDateTime);
  return {
    at: Number.isNaN(at) ? 0 : at,
    durationMs: Math.max(entry.time ?? 0, 0),
    account: entry._account,
    request: {
      method: request.method.toUpperCase(),
      path: (pathBelow(request.url, base) ?? '/').replace(/\s/g, (blank) => encodeURIComponent(blank)),
      headers: headerLines(request.headers, body),
      body,
    },
    reply: {
      status: response.status,
      reason: response.statusText ?? '',
      headers: headerLines(response.headers, reply),
      trailers: [],
      body: request.method === 'HEAD' ? wholeBody(new Uint8Array()) : reply,
    },
  };
};

const requestBody = ({ postData, bodySize }: Entry['request']): WireBody => {
  const { text, encoding, params } = postData ?? {};
  if (text !== undefined && text !== null && text !== '') return bodyFrom(text, encoding, null, null);
  if (params !== undefined && params !== null && params.length > 0) {
    const pairs = params.map(({ name, value }): [string, string] => [name, value ?? '']);
    return wholeBody(Buffer.from(new URLSearchParams(pairs).toString()));
  }
  return bodyFrom(undefined, undefined, bodySize, null);
};

/** A tool may leave out a long body, or its end. `size` counts what the client has seen, unless it is compressed. */
const bodyFrom = (
  text: string | null | undefined,
  encoding: string | null | undefined,
  size: number | null | undefined,
  compression: number | null | undefined,
): WireBody => {
  const kept = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8');
  const whole = wholeBody(kept);
  const expected = size ?? 0;
  if (expected <= kept.byteLength || (kept.byteLength > 0 && (compression ?? 0) > 0)) return whole;
  return { ...whole, bytes: expected, isWhole: false };
};

/** The tools show bodies unpacked and in one piece, and names of HTTP/2 that begin with a colon. Firefox joins lines by line feeds. */
const headerLines = (headers: Entry['request']['headers'], body: WireBody): HeaderLine[] => {
  const lines = headers.flatMap(({ name, value }): HeaderLine[] => {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /^(?:content-encoding|transfer-encoding)$/i.test(name)) return [];
    return value.split(/\r?\n/).map((one): HeaderLine => [name, oneByteEach(one)]);
  });
  return body.isWhole && body.bytes > 0 ? withLength(lines, body.kept) : lines;
};

/** The tools show the bytes of headers as Latin-1 or as UTF-8. */
const oneByteEach = (value: string): string =>
  /[^\u0000-\u00ff]/.test(value) ? Buffer.from(value).toString('latin1') : value.replaceAll('\0', '');
