/** Answers an operation from its document: the response, its media type, headers and a body of its examples or schema. */
import { isRecord, parsedJson } from '../../basics/json.ts';
import { acceptedType, isJsonType, isTextType, isXmlType } from '../media-type.ts';
import { type HeaderValues, headerLine } from '../exchange.ts';
import {
  type Example,
  type Header,
  type Media,
  type Operation,
  type Response,
  responseFor,
} from '../document/operation.ts';
import type { Preference } from '../request/prefer.ts';
import { Refusal } from '../refusal.ts';
import type { MakeSample } from './sample.ts';
import type { Direction, Schemas } from '../schemas/schemas.ts';
import { xmlBody } from './xml-body.ts';

/** A reply before it is written, so that its value can be checked: JSON, a text, bytes, or a stream. */
export type MadeReply = {
  readonly status: number;
  readonly headers: HeaderValues;
  /** Undefined for a reply without a body. */
  readonly mediaType: string | undefined;
  readonly value: unknown;
  /** The response of the document. Undefined where it has none for the status. */
  readonly response: Response | undefined;
};

export type AnswerOptions = {
  readonly schemas: Schemas;
  readonly sample: MakeSample;
  /** The bytes of a file next to the document, by the address of an `externalValue`. Undefined where there is none. */
  readonly external: (address: string) => Uint8Array | undefined;
};

export type MakeAnswer = {
  /** What an operation answers when nothing goes wrong. Throws refusals of the kinds `not-acceptable` and `preference`. */
  readonly success: (
    operation: Operation,
    wish: { readonly accept?: string | undefined; readonly preference?: Preference | undefined },
  ) => MadeReply;
  /** The value that a body begins with: its first example, else a sample. Without a direction: of a response. */
  readonly valueOf: (
    media: Media,
    options?: Pick<Preference, 'example' | 'isDynamic'> & { readonly direction?: Direction },
  ) => unknown;
  /** A body of this media type. */
  readonly write: (value: unknown, media: Pick<Media, 'schema'> | undefined, mediaType: string) => string | Uint8Array;
  readonly headersOf: (response: Response) => HeaderValues;
};

/** The statuses without a body (RFC 9110 §15). */
export const isBodiless = (status: number): boolean =>
  status < 200 || status === 204 || status === 205 || status === 304;

export const createAnswers = ({ schemas, sample, external }: AnswerOptions): MakeAnswer => {
  const valueOf: MakeAnswer['valueOf'] = (media, { example: name, isDynamic = false, direction = 'response' } = {}) => {
    if (!isDynamic || media.schema === undefined) {
      const example = (name === undefined ? undefined : media.examples.get(name)) ?? [...media.examples.values()][0];
      if (example !== undefined) return jsonValue(exampleValue(example, external), media, schemas);
    }
    if (media.schema === undefined) return isJsonType(media.type) ? {} : undefined;
    return sample(media.schema, { isDynamic, direction });
  };
  const headersOf = exampleHeaders({ schemas, sample });
  const write: MakeAnswer['write'] = (value, media, mediaType) => writtenBody(value, media?.schema, mediaType, schemas);
  const chosenMedia = (response: Response, accept: string | undefined) => {
    const chosen = acceptedType(
      response.media.map(({ type }) => type),
      accept,
    );
    const media = response.media.find(({ type }) => type === chosen?.documented);
    return chosen === undefined || media === undefined ? undefined : { media, sent: chosen.sent };
  };
  return {
    ...{ valueOf, write, headersOf },
    success: (operation, { accept, preference }) => {
      const { response, status } = preferred(operation, preference);
      if (response === undefined) return { status, headers: {}, mediaType: undefined, value: undefined, response };
      const chosen = chosenMedia(response, preference?.mediaType ?? accept);
      if (chosen === undefined && response.media.length > 0 && !isBodiless(status)) throw notAcceptable(response);
      requireExample(operation, response, chosen?.media, preference);
      const headers = headersOf(response);
      if (chosen === undefined || isBodiless(status))
        return { status, headers, mediaType: undefined, value: undefined, response };
      return {
        status,
        headers,
        mediaType: chosen.sent,
        value: textIfAbsent(valueOf(chosen.media, preference)),
        response,
      };
    },
  };
};

/** A body of which nothing is known is empty. `null` is a value. */
const textIfAbsent = (value: unknown): unknown => (value === undefined ? '' : value);

/** Throws a refusal where no success has a media type that the client accepts. */
export const requireAcceptable = ({ responses }: Operation, accept: string | undefined): void => {
  if (accept === undefined) return;
  const successes = [...responses.values()].filter(({ key }) => key.startsWith('2') || key === 'default');
  const types = successes.flatMap(({ media }) => media.map(({ type }) => type));
  if (types.length === 0 || successes.some(({ media, key }) => media.length === 0 && key !== 'default')) return;
  if (acceptedType(types, accept) === undefined)
    throw new Refusal('not-acceptable', `None of the media types is acceptable: ${[...new Set(types)].join(', ')}.`);
};

const notAcceptable = ({ media }: Response): Refusal =>
  new Refusal('not-acceptable', `None of the media types is acceptable: ${media.map(({ type }) => type).join(', ')}.`);

/** An example that is asked for by a name and is not there would be taken for another one. */
const requireExample = (
  { id }: Operation,
  { key }: Response,
  media: Media | undefined,
  preference: Preference | undefined,
): void => {
  const name = preference?.example;
  if (name === undefined || media?.examples.has(name) === true) return;
  const names = [...(media?.examples.keys() ?? [])].filter((each) => each !== '');
  throw new Refusal(
    'preference',
    `Prefer: the response ${key} of ${id} has no example "${name.slice(0, 50)}"${names.length === 0 ? '' : `, but ${names.join(', ')}`}.`,
  );
};

type Chosen = { readonly response: Response | undefined; readonly status: number };

/** The response that the client asks for; else the lowest success. */
const preferred = (operation: Operation, preference: Preference | undefined): Chosen => {
  const { responses, id } = operation;
  const code = preference?.code?.toUpperCase();
  if (code === undefined) return successOf(operation);
  const keys = [...responses.keys()].sort();
  if (/^\dXX$/.test(code)) {
    const key = keys.find((each) => each === code) ?? keys.find((each) => each[0] === code[0] && /^\d\d\d$/.test(each));
    const response = responses.get(key ?? 'default');
    if (response !== undefined) return { response, status: /^\d\d\d$/.test(key ?? '') ? Number(key) : firstOf(code) };
  } else if (code === 'DEFAULT') {
    const response = responses.get('default');
    if (response !== undefined) return { response, status: 500 };
  } else {
    const response = responseFor(operation, Number(code));
    if (response !== undefined) return { response, status: Number(code) };
  }
  throw new Refusal('preference', `Prefer: ${id} has no response ${code}; it has ${keys.join(', ') || 'none'}.`);
};

const firstOf = (key: string): number => Number(key[0]) * 100;

/** The lowest of 200 to 299, `2XX`, `default`, then of the others the lowest from 300 on. 200 without any. */
export const successOf = ({ responses }: Operation): Chosen => {
  const keys = [...responses.keys()].sort();
  const key =
    keys.find((each) => /^2\d\d$/.test(each)) ??
    (responses.has('2XX') ? '2XX' : undefined) ??
    (responses.has('default') ? 'default' : undefined) ??
    keys.find((each) => /^[345]/.test(each)) ??
    keys[0];
  const status = key === undefined || key === 'default' ? 200 : /XX$/.test(key) ? firstOf(key) : Number(key);
  return { response: key === undefined ? undefined : responses.get(key), status };
};

const exampleValue = ({ value, externalValue }: Example, external: AnswerOptions['external']): unknown =>
  externalValue === undefined ? value : (external(externalValue) ?? '');

/** Its example, else that of its schema. Without one it is sent only where the document requires it. */
const headerValue = (
  { example, schema, isRequired, name }: Header,
  { schemas, sample }: Pick<AnswerOptions, 'schemas' | 'sample'>,
): unknown => {
  if (example !== undefined) return example;
  if (schema === undefined) return isRequired ? name : undefined;
  const read = schemas.read(schema, 'response');
  const isGiven =
    typeof read !== 'boolean' && ['example', 'examples', 'default', 'const', 'enum'].some((each) => each in read);
  return isRequired || isGiven ? sample(schema, { name }) : undefined;
};

/** Those of a response, made once. */
const exampleHeaders = (options: Pick<AnswerOptions, 'schemas' | 'sample'>): MakeAnswer['headersOf'] => {
  const known = new WeakMap<Response, HeaderValues>();
  return (response) => {
    const before = known.get(response);
    if (before !== undefined) return before;
    const headers: Record<string, string | readonly string[]> = {};
    for (const header of response.headers) {
      const value = headerValue(header, options);
      if (value !== undefined) headers[header.name] = headerText(header, value);
    }
    known.set(response, headers);
    return headers;
  };
};

/** Style `simple` (OpenAPI 3.1 §4.8.21). A cookie has a line of its own (RFC 6265 §3). */
const headerText = ({ name, explode, mediaType }: Header, value: unknown): string | readonly string[] => {
  if (mediaType !== undefined && isJsonType(mediaType)) return headerLine(JSON.stringify(value));
  if (Array.isArray(value)) {
    const texts = value.map(plainText);
    return name.toLowerCase() === 'set-cookie' ? texts.map(headerLine) : headerLine(texts.join(', '));
  }
  if (!isRecord(value)) return headerLine(plainText(value));
  const pairs = Object.entries(value).map(([key, member]) => [key, plainText(member)]);
  return headerLine(pairs.map((pair) => pair.join(explode ? '=' : ',')).join(','));
};

/** A text as it is, anything else as JSON. */
export const plainText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value) as string | undefined;
  return text ?? '';
};

const writtenBody = (value: unknown, schema: unknown, mediaType: string, schemas: Schemas): string | Uint8Array => {
  if (value instanceof Uint8Array) return value;
  if (isJsonType(mediaType)) return JSON.stringify(value ?? null);
  if (isXmlType(mediaType)) return typeof value === 'string' ? value : xmlBody(value, schema, schemas);
  if (/^application\/x-www-form-urlencoded/i.test(mediaType) && isRecord(value)) return formBody(value);
  if (typeof value !== 'string') {
    if (value === undefined || value === null) return '';
    return JSON.stringify(value);
  }
  return isTextType(mediaType) ? value : bytesOf(value, schema, mediaType, schemas);
};

/** Authors write an example of JSON as a text, too: it is one only where the schema has texts. */
const jsonValue = (value: unknown, { schema, type }: Media, schemas: Schemas): unknown => {
  if (typeof value !== 'string' || schema === undefined || !isJsonType(type)) return value;
  if (!/^\s*[[{]/.test(value) || schemas.check(schema, 'response')(value).length === 0) return value;
  return parsedJson(value) ?? value;
};

const formBody = (value: Readonly<Record<string, unknown>>): string => {
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(value))
    for (const each of Array.isArray(member) ? (member as unknown[]) : [member]) form.append(name, plainText(each));
  return form.toString();
};

/** Base64 is decoded where the schema says so, or where it cannot be the content itself. */
const bytesOf = (text: string, schema: unknown, mediaType: string, schemas: Schemas): string | Uint8Array => {
  const read = schema === undefined ? true : schemas.read(schema, 'response');
  const { contentEncoding, format } =
    typeof read === 'boolean' ? {} : (read as { contentEncoding?: unknown; format?: unknown });
  const isSaid = contentEncoding === 'base64' || format === 'byte' || format === 'base64';
  const isBase64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text) && text.replaceAll(/\s/g, '').length % 4 === 0;
  if (isBase64 && (isSaid || (/^(image|audio|video|font)\//i.test(mediaType) && text.length >= 16)))
    return Buffer.from(text, 'base64');
  return /^image\/png/i.test(mediaType) ? smallestPng() : text;
};

/** A picture of one pixel: a client that shows it gets one. */
const smallestPng = (): Uint8Array =>
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
