/** Leads clients that follow links and keep cookies back to the proxy. Without it, bytes pass as they are. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { PlainRequest } from '../../openapi/openapi-host.ts';
import { type RawLines, valueIn } from './header-lines.ts';

type ReplaceUrl = ReturnType<typeof createUrlReplacement>;

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `from` and `to` are base URLs without a slash at the end. The scheme of `from` may be http or https in the text. */
const createUrlReplacement = (from: string, to: string) => {
  const place = from.replace(/^https?:/, '');
  const escaped = (text: string): string => text.replaceAll('/', '\\/');
  // Another port, or a longer name, is another server.
  const words = `https?:(?:(${quoted(place)})|${quoted(escaped(place))})(?![\\w.:@-])`;
  // What may be the begin of a match, with the character after it.
  const longest = `https:${escaped(place)}`.length + 1;
  const replacement = (plain: string | undefined): string => (plain === undefined ? escaped(to) : to);
  return {
    text: (text: string): string =>
      text.replace(new RegExp(words, 'g'), (_all, plain: string | undefined) => replacement(plain)),
    /** A stream that changes the text that passes, one character for each byte. */
    stream: (): Transform => {
      let rest = '';
      const take = (text: string, isEnd: boolean): string => {
        const limit = isEnd ? text.length : Math.max(0, text.length - longest);
        let done = '';
        let at = 0;
        for (const match of text.matchAll(new RegExp(words, 'g'))) {
          if (match.index >= limit) break;
          done += text.slice(at, match.index) + replacement(match[1]);
          at = match.index + match[0].length;
        }
        const end = Math.max(at, limit);
        rest = text.slice(end);
        return done + text.slice(at, end);
      };
      return new Transform({
        transform: (piece: Buffer, _encoding, done) => {
          done(null, Buffer.from(take(rest + piece.toString('latin1'), false), 'latin1'));
        },
        flush: (done) => {
          done(null, Buffer.from(take(rest, true), 'latin1'));
        },
      });
    },
  };
};

/** `links`: URLs in headers. `cookies`: which host a cookie is for. `bodies`: URLs in JSON. */
export const rewritables = ['links', 'cookies', 'bodies'] as const;
export type Rewritable = (typeof rewritables)[number];

type RewriteOptions = {
  readonly what: readonly Rewritable[] | undefined;
  /** Both without a slash at the end. */
  readonly targetUrl: string;
  readonly ownUrl: string;
};

type RewrittenReply = {
  readonly lines: string[];
  readonly changed: ((body: Readable) => Readable) | undefined;
};

export type Rewriting = NonNullable<ReturnType<typeof createRewriting>>;

/** Headers with URLs of the server, in requests and replies. */
const urlHeaders: ReadonlySet<string> = new Set([
  ...['location', 'content-location', 'link', 'refresh', 'access-control-allow-origin'],
  ...['origin', 'referer', 'destination'],
]);

/** Headers that are about the very bytes of a body. */
const bodyHeaders: ReadonlySet<string> = new Set([
  ...['content-length', 'content-md5', 'digest', 'content-digest', 'repr-digest', 'transfer-encoding'],
]);

const isJson = (mediaType: string | undefined): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType ?? '');

/** Undefined when nothing is rewritten. */
export const createRewriting = ({ what = [], targetUrl, ownUrl }: RewriteOptions) => {
  if (what.length === 0) return undefined;
  const outward = createUrlReplacement(targetUrl, ownUrl);
  const inward = createUrlReplacement(ownUrl, targetUrl);
  const prefix = new URL(targetUrl).pathname.replace(/\/+$/, '');
  const isOn = (one: Rewritable): boolean => what.includes(one);
  const isSecure = ownUrl.startsWith('https:');
  const replyLine = (key: string, value: string): string => {
    if (key === 'set-cookie') return isOn('cookies') ? ownCookie(value, prefix, isSecure) : value;
    if (!isOn('links') || !urlHeaders.has(key)) return value;
    return withoutPrefix(outward.text(withOrigin(outward, value, targetUrl, ownUrl)), prefix);
  };
  return {
    requestLines: (lines: RawLines): string[] =>
      changed(lines, (key, value) => {
        // Only a body that is not compressed can be changed.
        if (key === 'accept-encoding' && isOn('bodies')) return 'identity';
        return isOn('links') && urlHeaders.has(key) ? withOrigin(inward, value, ownUrl, targetUrl) : value;
      }),
    /** Undefined when the body passes as it is. */
    requestBody: ({ headers, body }: PlainRequest): Readable | undefined => {
      const isChanged = isOn('bodies') && isJson(headers['content-type']) && headers['content-encoding'] === undefined;
      return isChanged ? inChunks(Readable.from(body, { objectMode: false }), inward) : undefined;
    },
    reply: (lines: RawLines, message: IncomingMessage, client: IncomingMessage): RewrittenReply => {
      const own = changed(lines, replyLine);
      if (!isOn('bodies') || !isChangeable(message)) return { lines: own, changed: undefined };
      return { lines: inChunksFor(client, own), changed: (body) => inChunks(body, outward) };
    },
  };
};

/** The lines of a message whose length is not known any more. */
export const withoutLength = (lines: RawLines): string[] =>
  lines.flatMap((name, at) => (at % 2 === 1 || bodyHeaders.has(name.toLowerCase()) ? [] : [name, lines[at + 1] ?? '']));

const inChunksFor = ({ httpVersion, method }: IncomingMessage, lines: RawLines): string[] => [
  ...withoutLength(lines),
  ...(httpVersion === '1.0' || method === 'HEAD' ? [] : ['Transfer-Encoding', 'chunked']),
];

const inChunks = (body: Readable, replacement: ReplaceUrl): Readable =>
  // The error of the body is that of the result.
  pipeline(body, replacement.stream(), () => undefined);

/** A part of a body begins and ends anywhere, and a compressed one has no text. */
const isChangeable = ({ statusCode, headers, rawHeaders }: IncomingMessage): boolean =>
  isJson(headers['content-type']) &&
  statusCode !== 206 &&
  statusCode !== 204 &&
  statusCode !== 304 &&
  (valueIn(rawHeaders, 'content-encoding') ?? 'identity').toLowerCase() === 'identity';

/** The lines with other values. */
export const changed = (lines: RawLines, change: (key: string, value: string) => string): string[] =>
  lines.map((part, at) => (at % 2 === 0 ? part : change((lines[at - 1] ?? '').toLowerCase(), part)));

/** `Origin` and its answer have no path. */
const withOrigin = (replacement: ReplaceUrl, value: string, from: string, to: string): string =>
  value === new URL(from).origin ? new URL(to).origin : replacement.text(value);

/** Paths of a target that is not at the root of its host: `/base/node/1` is `/node/1` here. */
const withoutPrefix = (value: string, prefix: string): string => {
  if (prefix === '') return value;
  if (value === prefix) return '/';
  const start = value.startsWith(`${prefix}/`) ? value.slice(prefix.length) : value;
  return start.replaceAll(`<${prefix}/`, '</');
};

/** A cookie for the proxy: of its host, below its root, and without `Secure` where it has no TLS. */
const ownCookie = (cookie: string, prefix: string, isSecure: boolean): string => {
  const [pair = '', ...attributes] = cookie.split(';');
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim());
    const key = name.toLowerCase();
    if (key === 'domain') return [];
    // A browser takes `SameSite=None` only together with `Secure`.
    if (!isSecure && (key === 'secure' || (key === 'samesite' && value.toLowerCase() === 'none'))) return [];
    return key === 'path' && prefix !== '' ? [attribute.replace(value, withoutPrefix(value, prefix))] : [attribute];
  });
  return [pair, ...kept].join(';');
};
