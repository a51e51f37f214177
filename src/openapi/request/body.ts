/** Reads the body of a request as a typed value, as its media type and schema say: JSON, forms, texts, bytes. */
import { type ChosenMedia, decoderFor } from './body-media.ts';
import { inTime } from '../../basics/in-time.ts';
import { isJsonType, isTextType, isXmlType } from '../media-type.ts';
import type { KeepFile } from './form-file.ts';
import type { readForm } from './form-body.ts';
import type { Media } from '../document/operation.ts';
import { Refusal } from '../refusal.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { readUrlEncoded } from './url-encoded.ts';
import { createValues, setOwn } from '../schemas/values.ts';
import type { Violation } from '../schemas/violations.ts';

export type BodyLimits = {
  /** For a body that is read whole. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxParts: number;
  /** The deepest JSON. */
  readonly maxDepth: number;
  /** The longest time for a body that is read whole to arrive, in milliseconds. When left out: any time. */
  readonly maxMs?: number | undefined;
};

export const defaultBodyLimits: BodyLimits = {
  maxBytes: 10 * 1024 * 1024,
  maxFileBytes: 1024 * 1024 * 1024,
  maxParts: 1000,
  maxDepth: 500,
};

type Sent = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
};

export type ReadBody = {
  /** The typed value; a stream where the document has bytes. */
  readonly value: unknown;
  /** What of it the schema does not allow. */
  readonly violations: readonly Violation[];
  /** A body that was read whole. */
  readonly isWhole: boolean;
  /** JSON without the defaults of its schema, where these are not wanted. */
  readonly sent?: unknown;
};

export type ReaderOptions = {
  readonly schemas: Schemas;
  readonly limits: BodyLimits;
  readonly keep: KeepFile;
  /** Loads the reader of forms of several parts, which needs a parser. Undefined where there is none: such a form is refused. */
  readonly loadForms: (() => Promise<{ readonly readForm: typeof readForm }>) | undefined;
  /** Whether the value is wanted as it was sent, too: a patch must not have defaults. */
  readonly keepsSent?: boolean | undefined;
};

/** Throws refusals of the kinds `syntax`, `length` and `time`. Bytes are given on as they come, also where they are too many. */
export const readBody = async (chosen: ChosenMedia, sent: Sent, options: ReaderOptions): Promise<ReadBody> => {
  const { media, type } = chosen;
  const { schemas, limits } = options;
  const chunks = decoded(sent);
  const { essence } = type;
  if (essence === 'multipart/form-data') return readParts(chosen, chunks, options);
  if (!isTextual(essence)) return { value: chunks, violations: [], isWhole: false };
  const length = Number(sent.headers['content-length'] ?? 0);
  if (length > limits.maxBytes) throw tooLong(limits);
  const text = textOf(await inTimeOf(limits, collect(chunks, limits)), type.parameters.get('charset'));
  if (essence === 'application/x-www-form-urlencoded') {
    const { value, unreadable } = readUrlEncoded(media, text, schemas);
    const result = checked(value, media, schemas);
    return { ...result, violations: [...unreadable, ...result.violations] };
  }
  if (isJsonType(essence)) {
    const value = parseJson(text, limits);
    const sent = options.keepsSent === true ? structuredClone(value) : undefined;
    return { ...checked(value, media, schemas), sent };
  }
  // No reader of XML is here: a text is not what its schema describes.
  if (isXmlType(essence) || media.schema === undefined) return { value: text, violations: [], isWhole: true };
  return checked(createValues(schemas).fromText(text, media.schema), media, schemas);
};

const isTextual = (essence: string): boolean =>
  isJsonType(essence) || isXmlType(essence) || isTextType(essence) || essence === 'application/x-www-form-urlencoded';

const checked = (value: unknown, { schema }: Media, schemas: Schemas): ReadBody => {
  const found = schema === undefined ? [] : schemas.check(schema, 'request')(value);
  return {
    value,
    violations: found.map((each) => ({ ...each, pointer: `/requestBody${each.pointer}` })),
    isWhole: true,
  };
};

const tooLong = ({ maxBytes }: BodyLimits): Refusal =>
  new Refusal('length', `The body is larger than ${maxBytes} bytes.`);

/** Without the content encoding (RFC 9110 §8.4). */
const decoded = ({ headers, body }: Sent): AsyncIterable<Uint8Array> => {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase().replace('x-gzip', 'gzip');
  if (encoding === 'identity') return body;
  return {
    async *[Symbol.asyncIterator]() {
      const decoder = new DecompressionStream(encoding as 'gzip');
      const writer = decoder.writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
      const feed = async (): Promise<void> => {
        for await (const chunk of body) await writer.write(chunk);
        await writer.close();
      };
      const feeding = feed().catch((error: unknown) => writer.abort(error).catch(() => undefined));
      const reader = decoder.readable.getReader();
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
      } catch {
        throw new Refusal('syntax', `The body is not encoded as ${encoding}.`);
      } finally {
        void reader.cancel().catch(() => undefined);
        void feeding;
      }
    },
  };
};

const inTimeOf = ({ maxMs }: BodyLimits, arriving: Promise<Uint8Array>): Promise<Uint8Array> =>
  maxMs === undefined
    ? arriving
    : inTime(arriving, maxMs, () => {
        throw new Refusal('time', `The body did not arrive within ${maxMs / 1000} seconds.`);
      });

const collect = async (chunks: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limits.maxBytes) throw tooLong(limits);
    pieces.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/** Without a byte order mark, which RFC 8259 §8.1 allows a reader to pass over. */
const textOf = (bytes: Uint8Array, charset = 'utf-8'): string => {
  try {
    return decoderFor(charset)?.decode(bytes) ?? '';
  } catch {
    throw new Refusal('syntax', `The body is not ${charset.toUpperCase()}.`);
  }
};

const parseJson = (text: string, { maxDepth }: BodyLimits): unknown => {
  if (text.trim() === '') throw new Refusal('syntax', 'The body is empty.');
  if (depthOf(text, maxDepth) > maxDepth)
    throw new Refusal('syntax', `The JSON is nested more than ${maxDepth} levels deep.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Refusal('syntax', `The body is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

/** Counted before it is parsed: the check of a schema fails at some thousand levels. */
const depthOf = (text: string, most: number): number => {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= most; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return depth;
};

/** The parser of parts is loaded when the first form comes. */
const readParts = async (
  { media, contentType }: ChosenMedia,
  chunks: AsyncIterable<Uint8Array>,
  { schemas, limits, keep, loadForms }: ReaderOptions,
): Promise<ReadBody> => {
  if (loadForms === undefined) throw new Refusal('media-type', 'Forms of several parts are not read here.');
  const { readForm } = await loadForms();
  const { value, forCheck, violations } = await readForm(media, chunks, {
    ...{ contentType, schemas, keep },
    limits: { maxTextBytes: limits.maxBytes, maxFileBytes: limits.maxFileBytes, maxParts: limits.maxParts },
  });
  const result = checked(forCheck, media, schemas);
  // The check fills in defaults.
  for (const [name, filled] of Object.entries(forCheck)) if (!Object.hasOwn(value, name)) setOwn(value, name, filled);
  return { value, violations: [...violations, ...result.violations], isWhole: true };
};
