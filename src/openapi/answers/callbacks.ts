/** Prepares the requests that an operation announces as callbacks: their addresses by runtime expressions, their bodies by examples. */
import { parsedJson } from '../../basics/json.ts';
import { hasMember, readPointer } from '../../basics/json-pointer.ts';
import type { MadeReply, MakeAnswer } from './answer.ts';
import type { EngineRequest } from '../exchange.ts';
import { acceptedType, isJsonType } from '../media-type.ts';
import type { Callback, Media, Operation } from '../document/operation.ts';
import type { ParameterValues } from '../request/parameters.ts';

/** A request that the document promises to the client. */
export type PreparedCallback = {
  /** Its name in the document. */
  readonly name: string;
  readonly method: string;
  /** Where an expression has no value, it is left as it is written. */
  readonly url: string;
  readonly mediaType: string | undefined;
  readonly body: string | Uint8Array | undefined;
  /** Why it cannot be sent. Undefined where it can. */
  readonly fault: string | undefined;
};

/** A request with its answer, to which expressions refer. */
export type CallbackContext = {
  readonly request: Pick<EngineRequest, 'method' | 'query' | 'headers'>;
  /** The address that the client has asked. */
  readonly url: string;
  readonly values: ParameterValues;
  readonly body: unknown;
  readonly reply: Pick<MadeReply, 'status' | 'headers' | 'value'>;
};

/** Only a success has callbacks. */
export const preparedCallbacks = (
  { callbacks }: Operation,
  context: CallbackContext,
  answers: MakeAnswer,
): PreparedCallback[] =>
  context.reply.status >= 400 ? [] : callbacks.map((callback) => prepared(callback, context, answers));

const prepared = (callback: Callback, context: CallbackContext, answers: MakeAnswer): PreparedCallback => {
  const { name, method, expression, body } = callback;
  const { url, missing } = addressOf(expression, context);
  const media = body && chosenMedia(body.media);
  return {
    ...{ name, method, url, mediaType: media?.sent },
    body: media && answers.write(answers.valueOf(media.media, { direction: 'request' }), media.media, media.sent),
    fault:
      missing !== undefined
        ? `${missing} has no value`
        : /^https?:\/\//i.test(url) && URL.canParse(url)
          ? undefined
          : 'is not an address of HTTP',
  };
};

const chosenMedia = (media: readonly Media[]): { readonly media: Media; readonly sent: string } | undefined => {
  const chosen = media.find(({ type }) => isJsonType(type)) ?? media[0];
  const sent = chosen && acceptedType([chosen.type], undefined)?.sent;
  return chosen === undefined || sent === undefined ? undefined : { media: chosen, sent };
};

type Address = { readonly url: string; readonly missing: string | undefined };

/** An expression alone, or a text with expressions in braces (OpenAPI 3.1 §4.8.18.1). */
const addressOf = (template: string, context: CallbackContext): Address => {
  const whole = template.startsWith('$') ? `{${template}}` : template;
  let missing: string | undefined;
  const url = whole.replaceAll(/\{(\$[^{}]*)\}/g, (written, expression: string, at: number) => {
    const value = valueOf(expression, context);
    if (value === undefined) missing ??= expression;
    const text = value === undefined ? written : typeof value === 'string' ? value : JSON.stringify(value);
    // At the beginning it is an address, behind it a part of one.
    return at === 0 || value === undefined ? text : encodeURIComponent(text);
  });
  return { url, missing };
};

/** Undefined for an expression that is none, or that leads nowhere (OpenAPI 3.1 §4.8.20.4). */
const valueOf = (expression: string, { request, url, values, body, reply }: CallbackContext): unknown => {
  if (expression === '$url') return url;
  if (expression === '$method') return request.method;
  if (expression === '$statusCode') return reply.status;
  const [, source, place, rest = ''] =
    /^\$(request|response)\.(header|query|path|body)(?:[.]?(.*))?$/s.exec(expression) ?? [];
  if (place === 'body') return bodyPart(source === 'request' ? body : reply.value, rest);
  if (place === 'header') return headerNamed(source === 'request' ? request.headers : reply.headers, rest);
  if (source === 'response') return undefined;
  if (place === 'path') return values.path[rest];
  return place === 'query' ? (new URLSearchParams(request.query).get(rest) ?? values.query[rest]) : undefined;
};

const bodyPart = (body: unknown, pointer: string): unknown => {
  // Handlers write JSON as a text, too.
  const root = typeof body === 'string' ? (parsedJson(body) ?? body) : body;
  if (pointer === '') return root;
  if (!pointer.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of readPointer(pointer.slice(1))) {
    if (!hasMember(value, step)) return undefined;
    value = value[step];
  }
  return value;
};

const headerNamed = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  wanted: string,
): string | undefined => {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
  return typeof value === 'object' ? value[0] : value;
};
