/** Makes the reply out of a recorded one: with the addresses of this server, and the range that was asked for. */
import parseRange from 'range-parser';
import { headerValue, type HeaderLine, type WireRequest } from '../../../exchange/exchange.ts';
import type { ReadExchange } from '../../../exchange/exchange-files.ts';
import { utf8Text } from '../../../basics/formats/utf8-text.ts';
import { literalPattern } from '../../../basics/formats/literal-pattern.ts';

/** `body` is bytes, or a part of a file. */
export type ReplayedReply = {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly HeaderLine[];
  readonly trailers: readonly HeaderLine[];
  readonly body: Uint8Array | { readonly file: string; readonly start: number; readonly end: number };
};

/** From the recorded base URL to that of this server. */
type Addresses = { readonly recorded: string; readonly served: string };

/** They belong to one connection, or are made for each reply. */
const ownHeaders = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|content-length|trailer|te)$/i;

export const replayedReply = (
  { request: recorded, reply, bodyFiles, file }: ReadExchange,
  request: WireRequest,
  addresses: Addresses,
): ReplayedReply => {
  const { status, reason, body } = reply;
  const headers = reply.headers.filter(([name]) => !ownHeaders.test(name)).map((line) => servedHeader(line, addresses));
  const traced: HeaderLine[] = [...headers, ['Atoll-Replay', file]];
  const plain = { status, reason, headers: traced, trailers: reply.trailers };
  const isHead = request.method === 'HEAD';
  if (isHead) {
    const length = recorded.method === 'HEAD' ? headerValue(reply.headers, 'content-length') : String(body.bytes);
    return {
      ...plain,
      headers: length === undefined ? traced : [...traced, ['Content-Length', length]],
      body: nothing,
    };
  }
  if (!body.isWhole && bodyFiles.reply === undefined) return cutReply(file, body.kept.byteLength, body.bytes);
  const bytes = body.isWhole ? servedBody(body.kept, addresses) : undefined;
  const size = bytes?.byteLength ?? body.bytes;
  const range = status === 200 && request.method === 'GET' ? rangeOf(request, size) : undefined;
  if (range === 'unsatisfiable') {
    const lines: HeaderLine[] = [
      ['Content-Range', `bytes */${size}`],
      ['Atoll-Replay', file],
    ];
    return messageReply(416, 'The range lies outside the content.', lines);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const part = bytes?.subarray(start, end + 1) ?? { file: bodyFiles.reply ?? '', start, end };
  if (range === undefined) return { ...plain, body: part };
  const partial: HeaderLine = ['Content-Range', `bytes ${start}-${end}/${size}`];
  return { ...plain, status: 206, reason: 'Partial Content', headers: [...traced, partial], body: part };
};

const nothing = new Uint8Array();

/** A refusal of the replay itself. */
export const messageReply = (status: number, message: string, headers: readonly HeaderLine[] = []): ReplayedReply => ({
  ...{ status, reason: '', trailers: [] },
  headers: [['Content-Type', 'application/json'], ...headers],
  body: Buffer.from(JSON.stringify({ message })),
});

const cutReply = (file: string, kept: number, bytes: number): ReplayedReply =>
  messageReply(501, `The recording has ${kept} of the ${bytes} bytes of this answer (${file}).`);

const rangeOf = (
  { headers }: WireRequest,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined => {
  const asked = headerValue(headers, 'range');
  if (asked === undefined || headerValue(headers, 'if-range') !== undefined) return undefined;
  const ranges = parseRange(size, asked);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
};

const servedHeader = ([name, value]: HeaderLine, addresses: Addresses): HeaderLine => {
  const served = withServedAddresses(value, addresses);
  if (name.toLowerCase() !== 'set-cookie') return [name, served];
  // The cookie would not come back: another host answers here, perhaps without TLS.
  return [name, served.replace(/;\s*(?:domain=[^;]*|secure|samesite=none|partitioned)(?=;|$)/gi, '')];
};

const servedBody = (bytes: Uint8Array, addresses: Addresses): Uint8Array => {
  const text = utf8Text(bytes);
  if (text === undefined) return bytes;
  const served = withServedAddresses(text, addresses);
  return served === text ? bytes : Buffer.from(served);
};

/** Replaces the recorded base URL, plain, with the slashes of JSON that PHP writes, and percent-encoded. */
export const withServedAddresses = (text: string, { recorded, served }: Addresses): string => {
  const spellings: readonly ((url: string) => string)[] = [
    (url) => url,
    (url) => url.replaceAll('/', '\\/'),
    (url) => encodeURIComponent(url),
  ];
  return spellings.reduce((left, spell) => {
    const [, host = ''] = /^https?:(.*)$/.exec(recorded) ?? [];
    const pattern = literalPattern(spell(`https:${host}`).replace(/^https/, ''));
    return left.replace(new RegExp(`https?${pattern}(?![\\w-]|\\.\\w|:\\d)`, 'gi'), () => spell(served));
  }, text);
};
