/** Checks a reply as a client gets it: a status, headers and bytes that another server has sent. */
import { parsedJson } from '../../basics/json.ts';
import { type Operation, type Response, responseFor } from '../document/operation.ts';
import { headerNamed, type HeaderValues } from '../exchange.ts';
import { isJsonType, isTextType, isXmlType, readMediaType } from '../media-type.ts';
import { refusalHeader } from '../refusal.ts';
import { decoderFor } from '../request/body-media.ts';
import { createValues } from '../schemas/values.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';
import type { ReplyCheck } from './reply-violations.ts';

export type SentReply = {
  /** The method of the request: a reply to HEAD has no body. */
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderValues;
  /** Without its content encoding. `unknown` where bytes are missing; undefined without one. */
  readonly body: Uint8Array | 'unknown' | undefined;
};

type Reading = { readonly schemas: Schemas; readonly replyCheck: ReplyCheck };

export const sentReplyFaults = (
  { method, status, headers, body }: SentReply,
  operation: Operation,
  { schemas, replyCheck }: Reading,
): readonly Violation[] => {
  // The answer to a condition (RFC 9110 §15.4.5), which documents leave out.
  if (status === 304 && !operation.responses.has('304')) return [];
  const response = responseFor(operation, status);
  // An Atoll says itself that its document has no answer for this refusal.
  if (response === undefined && headerNamed(headers, refusalHeader.toLowerCase()) !== undefined) return [];
  const contentType = headerNamed(headers, 'content-type');
  const hasBody = method !== 'HEAD' && body !== undefined;
  const isTyped = contentType !== undefined && (hasBody || method === 'HEAD');
  const { value, violations } = hasBody ? readValue(body, contentType, { response, schemas, replyCheck }) : nothing;
  const mediaType = isTyped ? contentType : undefined;
  const found = replyCheck.violationsOf({ status, headers, mediaType, value, response }, operation);
  // A body without a media type is there.
  const ofReply =
    hasBody || method === 'HEAD'
      ? found.filter(({ pointer, rule }) => pointer !== '/body' || rule !== undefined)
      : found;
  const untyped: Violation[] =
    hasBody && !isTyped && (response?.media.length ?? 0) > 0
      ? [{ pointer: '/headers/Content-Type', message: 'is missing' }]
      : [];
  return [...ofReply, ...untyped, ...violations];
};

type ReadValue = { readonly value: unknown; readonly violations: readonly Violation[] };
const nothing: ReadValue = { value: undefined, violations: [] };

/** Nothing for bytes, XML and a body that is `unknown`: they are not checked. */
const readValue = (
  body: Uint8Array | 'unknown',
  contentType = '',
  { response, schemas, replyCheck }: Reading & { readonly response: Response | undefined },
): ReadValue => {
  const type = readMediaType(contentType);
  if (body === 'unknown' || type === undefined || isXmlType(type.essence)) return nothing;
  const isJson = isJsonType(type.essence);
  if (!isJson && !isTextType(type.essence)) return nothing;
  const text = textOf(body, type.parameters.get('charset'));
  if (text === undefined) return { value: undefined, violations: [{ pointer: '/body', message: 'is not a text' }] };
  if (!isJson) {
    const schema = response && replyCheck.mediaFor(response, type.essence)?.schema;
    return { value: schema === undefined ? text : createValues(schemas).fromText(text, schema), violations: [] };
  }
  const value = parsedJson(text);
  if (value !== undefined) return { value, violations: [] };
  return { value: undefined, violations: [{ pointer: '/body', message: 'is not JSON' }] };
};

/** Undefined for bytes that the charset does not have. An unknown charset is read as UTF-8. */
const textOf = (body: Uint8Array, charset = 'utf-8'): string | undefined => {
  try {
    return (decoderFor(charset) ?? decoderFor('utf-8'))?.decode(body);
  } catch {
    return undefined;
  }
};
