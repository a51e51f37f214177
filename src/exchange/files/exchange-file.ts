/** Defines the file of one exchange: its schema, and how it becomes an exchange and is made from one. */
import * as v from 'valibot';
import { digest } from '../../basics/secrets/digest.ts';
import { wholeBody } from '../redaction/decoded-body.ts';
import { utf8Text } from '../../basics/formats/utf8-text.ts';
import type { HeaderLine, WireBody, WireExchange } from '../wire-exchange.ts';
import { jsonStyles, styleOf, writeJson } from '../redaction/json-style.ts';
import type { Json } from '../../basics/json.ts';

export const recordingFileName = 'recording.json';
export const exchangesFolder = 'exchanges';
export const bodiesFolder = 'bodies';
export const recordingFormat = 1;

export const recordingFile = v.looseObject({
  format: v.number(),
  /** The base URL of the server that answered, without a slash at its end. */
  target: v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/, 'must be a URL without a query')),
  /** When the recording was begun. */
  begun: v.pipe(v.string(), v.isoTimestamp()),
  /** The program that began it. */
  by: v.string(),
});

export type RecordingFile = v.InferOutput<typeof recordingFile>;

/** `000012-PATCH-node-5.json`: the number gives the order, the rest is for people. */
export const exchangeName = (number: number, method: string, path: string): string => {
  const words = path
    .replace(/[?#].*$/s, '')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return `${String(number).padStart(6, '0')}-${method.replace(/[^A-Z]/g, '')}-${words === '' ? 'root' : words}.json`;
};

/** The number in the name of an exchange; undefined for other names. */
export const numberIn = (name: string): number | undefined => {
  const [, digits] = /^(\d{1,15})(?:-[^/\\]*)?\.json$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** The path of a body below the recording. `extension` begins with a dot, or is empty. */
export const bodyName = (sha256: string, extension: string): string => `${bodiesFolder}/${sha256}${extension}`;

const headerLine = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~\w-]+:(?: [^\r\n\0]*)?$/, 'must be a header such as "Content-Type: text/plain"'),
  v.check((line) => !/[^\u0000-\u00ff]/.test(line), 'must have one character for each byte, up to U+00FF'),
);

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a hash of 64 digits'));

/** One of `json`, `text` and `file`, or none when no byte was kept. */
const storedBody = v.pipe(
  v.strictObject({
    json: v.optional(v.unknown()),
    style: v.optional(v.picklist(jsonStyles)),
    text: v.optional(v.union([v.string(), v.array(v.string())])),
    file: v.optional(
      v.pipe(v.string(), v.regex(/^bodies\/[0-9a-f]{64}(?:\.[a-z0-9]{1,16})?$/, 'must be a file in bodies/')),
    ),
    /** The figures of the whole body, where it is not all here. */
    bytes: v.optional(wholeNumber),
    sha256: v.optional(sha256),
    cut: v.optional(v.literal(true)),
  }),
  v.check(
    ({ json, text, file }) => [json, text, file].filter((content) => content !== undefined).length <= 1,
    'must have one of json, text and file',
  ),
  v.check(
    ({ json, text, file, cut, bytes, sha256: sum }) =>
      cut === true ? bytes !== undefined && sum !== undefined : (json ?? text ?? file) !== undefined || json === null,
    'must have json, text or file, or cut, bytes and sha256 for the missing part',
  ),
);

const message = {
  headers: v.array(headerLine),
  body: v.optional(storedBody),
};

export const exchangeFile = v.strictObject({
  at: v.pipe(v.string(), v.isoTimestamp()),
  durationMs: v.pipe(v.number(), v.minValue(0)),
  account: v.optional(v.string()),
  request: v.strictObject({
    method: v.pipe(v.string(), v.regex(/^[!#$%&'*+.^_`|~\w-]{1,40}$/, 'must be a method such as GET')),
    path: v.pipe(v.string(), v.regex(/^(?:\/|\*$)\S*$/, 'must begin with a slash and have no blanks')),
    ...message,
  }),
  reply: v.strictObject({
    status: v.pipe(v.number(), v.safeInteger(), v.minValue(100), v.maxValue(599)),
    reason: v.optional(v.string(), ''),
    ...message,
    trailers: v.optional(v.array(headerLine), []),
  }),
});

type ExchangeFile = v.InferOutput<typeof exchangeFile>;
export type StoredBody = NonNullable<ExchangeFile['request']['body']>;

/** A body in the form of the file. `file` is where its bytes are, if they are in a file. Undefined for no body. */
export const storedBodyOf = (body: WireBody, file: string | undefined): StoredBody | undefined => {
  if (body.bytes === 0) return undefined;
  if (file !== undefined && body.isWhole) return { file, bytes: body.bytes };
  const rest = body.isWhole ? {} : ({ cut: true, bytes: body.bytes, sha256: body.sha256 } as const);
  if (file !== undefined) return { file, ...rest };
  const text = utf8Text(body.kept);
  if (body.kept.byteLength === 0 || text === undefined) return rest;
  const json = body.isWhole ? jsonOf(text) : undefined;
  if (json !== undefined) return json;
  const lines = text.split('\n');
  return { text: lines.length === 1 ? text : lines, ...rest };
};

const jsonOf = (text: string): StoredBody | undefined => {
  if (!/^\s*[[{"\dtfn-]/.test(text)) return undefined;
  try {
    const json = JSON.parse(text) as Json; // JSON.parse returns JSON
    const style = styleOf(text, json);
    if (style === undefined) return undefined;
    return style === 'compact' ? { json } : { json, style };
  } catch {
    return undefined;
  }
};

/** The bytes that stand in the file itself; undefined when they are elsewhere or were not kept. */
const inlineBytes = ({ json, style = 'compact', text }: StoredBody): Uint8Array | undefined => {
  if (json !== undefined) return Buffer.from(writeJson(json as Json, style)); // read as JSON
  if (text === undefined) return undefined;
  return Buffer.from(typeof text === 'string' ? text : text.join('\n'));
};

/** The body of an exchange. `bytesOf` gives the bytes of a file that the body names. */
const wireBody = (stored: StoredBody | undefined, bytesOf: (stored: StoredBody) => WireBody): WireBody => {
  if (stored === undefined) return wholeBody(new Uint8Array());
  if (stored.file !== undefined) return bytesOf(stored);
  const kept = inlineBytes(stored) ?? new Uint8Array();
  if (stored.cut !== true) return wholeBody(kept);
  return { bytes: stored.bytes ?? 0, sha256: stored.sha256 ?? hashOf(kept), kept, isWhole: false };
};

export const hashOf = (bytes: Uint8Array): string => digest('sha256', bytes, 'hex');

const lineOf = ([name, value]: HeaderLine): string => (value === '' ? `${name}:` : `${name}: ${value}`);

const headerOf = (line: string): HeaderLine => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 2)];
};

type StoredBodies = { readonly request: StoredBody | undefined; readonly reply: StoredBody | undefined };

/** The content of the file, in the order in which people read it. */
export const fileOf = (
  { at, durationMs, account, request, reply }: WireExchange,
  bodies: StoredBodies,
): ExchangeFile => ({
  at: new Date(at).toISOString(),
  durationMs: Math.max(Math.round(durationMs * 100) / 100, 0),
  ...(account === undefined ? {} : { account }),
  request: {
    method: request.method,
    path: request.path,
    headers: request.headers.map(lineOf),
    ...(bodies.request === undefined ? {} : { body: bodies.request }),
  },
  reply: {
    status: reply.status,
    reason: reply.reason,
    headers: reply.headers.map(lineOf),
    ...(bodies.reply === undefined ? {} : { body: bodies.reply }),
    trailers: reply.trailers.map(lineOf),
  },
});

/** The exchange of a file. */
export const exchangeOf = (
  { at, durationMs, account, request, reply }: ExchangeFile,
  bytesOf: (stored: StoredBody) => WireBody,
): WireExchange => ({
  at: Date.parse(at),
  durationMs,
  account,
  request: {
    method: request.method,
    path: request.path,
    headers: request.headers.map(headerOf),
    body: wireBody(request.body, bytesOf),
  },
  reply: {
    status: reply.status,
    reason: reply.reason,
    headers: reply.headers.map(headerOf),
    trailers: reply.trailers.map(headerOf),
    body: wireBody(reply.body, bytesOf),
  },
});
