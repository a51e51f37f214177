/** Makes a reply of what a handler returns: JSON, texts, bytes, streams. */
import { isRecord } from '../../basics/json.ts';
import { chunksOf, streamOf } from '../../basics/byte-streams.ts';
import { isBodiless, type MadeReply, type MakeAnswer, successOf } from './answer.ts';
import { type EngineReply, type EngineRequest, headerNamed, type HeaderValues, headerLine } from '../exchange.ts';
import type { HandlerReply } from '../handler.ts';
import { acceptedType } from '../media-type.ts';
import { type Operation, type Response, responseFor } from '../document/operation.ts';

/** A handler's mistake. The message says what it did, as the end of a sentence about it: `returned a list, …`. */
export class HandlerMistake extends Error {
  override name = 'HandlerMistake';
}

/** Throws `HandlerMistake` for a value that is not a reply. */
export const replyOf = (returned: unknown, operation: Operation, accept: string | undefined): MadeReply => {
  requireReply(returned);
  const { status = successOf(operation).status, headers = {}, mediaType, body } = returned;
  const response = responseFor(operation, status);
  const lines = headerLines(headers);
  const named = mediaType ?? headerNamed(lines, 'content-type');
  return {
    ...{ status, response, value: body },
    headers: withoutContentType(lines),
    mediaType: body === undefined || isBodiless(status) ? undefined : (named ?? typeFor(body, response, accept)),
  };
};

const memberNames: ReadonlySet<string> = new Set(['status', 'headers', 'mediaType', 'body']);

function requireReply(returned: unknown): asserts returned is HandlerReply {
  const wanted = 'a reply is an object with status, headers, mediaType and body';
  if (!isPlainObject(returned)) throw new HandlerMistake(`returned ${kindOf(returned)}; ${wanted}`);
  const { status, mediaType, body } = returned;
  const other = Object.keys(returned).find((name) => !memberNames.has(name));
  if (other !== undefined) throw new HandlerMistake(`returned an object with the member "${other}"; ${wanted}`);
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599))
    throw new HandlerMistake(`returned the status ${JSON.stringify(status)}; it is a number from 200 to 599`);
  if (mediaType !== undefined && typeof mediaType !== 'string')
    throw new HandlerMistake(`returned ${kindOf(mediaType)} as mediaType`);
  // They would be written as `{}`.
  if (body instanceof Map || body instanceof Set || body instanceof Promise || typeof body === 'function')
    throw new HandlerMistake(`returned ${kindOf(body)} as the body`);
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another prototype, which has none itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? `an object of the class ${value.constructor.name}` : `a ${typeof value}`;
};

/** Headers as they are written. Throws `HandlerMistake` for a value that cannot be a header. */
export const headerLines = (headers: unknown): HeaderValues => {
  if (headers === undefined || headers === null) return {};
  if (!isPlainObject(headers))
    throw new HandlerMistake(`returned ${kindOf(headers)} as headers; they are a plain object`);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string | readonly string[]][] => {
      if (value === undefined || value === null) return [];
      if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
        throw new HandlerMistake(`returned a header named ${JSON.stringify(name)}`);
      if (Array.isArray(value)) return [[name, value.map((each) => headerValue(name, each))]];
      return [[name, headerValue(name, value)]];
    }),
  );
};

const headerValue = (name: string, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return headerLine(String(value));
  throw new HandlerMistake(`returned ${kindOf(value)} as the header ${name}`);
};

/** Without those that belong to the writer of the reply. */
const withoutContentType = (headers: HeaderValues): HeaderValues =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(content-(type|length)|transfer-encoding|connection)$/i.test(name)),
  );

/** The documented type that the client accepts; else the type of the value. */
const typeFor = (body: unknown, response: Response | undefined, accept: string | undefined): string => {
  const types = response?.media.map(({ type }) => type) ?? [];
  const chosen = acceptedType(types, accept) ?? acceptedType(types, undefined);
  if (chosen !== undefined) return chosen.sent;
  if (isBytes(body)) return 'application/octet-stream';
  return typeof body === 'string' ? 'text/plain' : 'application/json';
};

const isBytes = (body: unknown): boolean =>
  ArrayBuffer.isView(body) || body instanceof ArrayBuffer || body instanceof Blob || isIterable(body);

const isIterable = (body: unknown): body is AsyncIterable<unknown> | Iterable<unknown> | ReadableStream =>
  typeof body === 'object' &&
  body !== null &&
  (body instanceof ReadableStream || Symbol.asyncIterator in body || isGenerator(body));

const isGenerator = (body: object): boolean => Symbol.iterator in body && 'next' in body;

/** Whether the value can be checked against a schema: bytes and streams cannot. */
export const isCheckable = (value: unknown): boolean => value !== undefined && !isBytes(value);

/** Writes a reply. Texts of JSON media types are values of JSON, as the handler returns values. Throws `HandlerMistake` for no JSON. */
export const writeReply = (
  { status, headers, mediaType, value, response }: MadeReply,
  { write }: MakeAnswer,
): EngineReply => {
  if (mediaType === undefined || value === undefined) {
    const isEmpty = isBodiless(status);
    return { status, headers: isEmpty ? headers : { ...headers, 'Content-Length': '0' }, body: undefined };
  }
  const typed = { 'Content-Type': withCharset(mediaType), ...headers };
  if (value instanceof Blob)
    return { status, headers: sized(typed, value.size), body: { stream: value.stream(), length: value.size } };
  if (isIterable(value))
    return { status, headers: typed, body: { stream: streamOf(bytesOf(value)), length: undefined } };
  const media = response?.media.find(({ type }) => type === mediaType) ?? response?.media[0];
  return writtenReply(
    status,
    typed,
    written(() => write(atHand(value), media, mediaType)),
  );
};

const atHand = (value: unknown): unknown => {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value;
};

const written = <T>(write: () => T): T => {
  try {
    return write();
  } catch (error) {
    throw new HandlerMistake(
      `returned a body that cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/** A reply with a text or bytes that are at hand. */
export const writtenReply = (status: number, headers: HeaderValues, body: string | Uint8Array): EngineReply => {
  if (typeof body === 'string') return { status, headers: sized(headers, Buffer.byteLength(body)), body };
  return { status, headers: sized(headers, body.length), body: { stream: streamOf([body]), length: body.length } };
};

const sized = (headers: HeaderValues, length: number): HeaderValues => ({
  ...headers,
  'Content-Length': String(length),
});

/** Texts are UTF-8. JSON needs no charset (RFC 8259 §11), and server-sent events have no other one (HTML §9.2.6). */
export const withCharset = (mediaType: string): string =>
  /^text\/(?!event-stream)/i.test(mediaType) && !/;\s*charset=/i.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType;

const encoder = new TextEncoder();

type Source = AsyncIterator<unknown> | Iterator<unknown>;

/** Texts as UTF-8, other values as lines of JSON. The end of the reader ends the source at once, also one that has not begun. */
const bytesOf = (values: AsyncIterable<unknown> | Iterable<unknown> | ReadableStream): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const source = sourceOf(values);
    return {
      next: async () => {
        const next = await source.next();
        return next.done === true
          ? { done: true, value: undefined }
          : { done: false, value: bytesOfOne(await next.value) };
      },
      return: async () => {
        await source.return?.();
        return { done: true, value: undefined };
      },
    };
  },
});

const sourceOf = (values: AsyncIterable<unknown> | Iterable<unknown> | ReadableStream): Source => {
  if (values instanceof ReadableStream) return chunksOf(values as ReadableStream<Uint8Array>)[Symbol.asyncIterator]();
  return Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
};

const bytesOfOne = (value: unknown): Uint8Array => {
  const chunk = atHand(value);
  if (chunk instanceof Uint8Array) return chunk;
  return encoder.encode(typeof chunk === 'string' ? chunk : `${JSON.stringify(chunk)}\n`);
};

/** A reply to HEAD has no body (RFC 9110 §9.3.2). */
export const withoutBodyOfHead = ({ method }: Pick<EngineRequest, 'method'>, reply: EngineReply): EngineReply => {
  if (method !== 'HEAD' || reply.body === undefined) return reply;
  if (typeof reply.body === 'object') void reply.body.stream.cancel().catch(() => undefined);
  return { ...reply, body: undefined };
};
