/** Answers a refusal in the form that the operation documents, with the reason where its schema has a place for it. */
import { isRecord } from '../../basics/json.ts';
import { valueAt, withValueAt } from '../../basics/json-pointer.ts';
import { isBodiless, type MakeAnswer } from './answer.ts';
import { reasonHeader, refusalHeader } from '../refusal.ts';
import { type EngineReply, headerLine } from '../exchange.ts';
import { acceptedType, isJsonType, isTextType } from '../media-type.ts';
import type { Media, Operation, Response } from '../document/operation.ts';
import type { Refusal } from '../refusal.ts';
import { problemReply } from './problem-details.ts';
import { withCharset, writtenReply } from './reply-body.ts';
import type { Schemas } from '../schemas/schemas.ts';

type Options = { readonly answers: MakeAnswer; readonly schemas: Schemas };

/** Without an operation the answer is of no document. */
export const refusalReply = (
  refusal: Refusal,
  operation: Operation | undefined,
  accept: string | undefined,
  options?: Options,
): EngineReply => {
  const documented = operation && options && documentedFor(refusal, operation);
  const reason = { [reasonHeader]: headerLine(refusal.message.slice(0, 1000)) };
  if (documented === undefined || options === undefined) return undocumented(refusal, reason);
  const { response, status } = documented;
  const headers = { ...options.answers.headersOf(response), ...refusal.headers, ...reason };
  const types = response.media.map(({ type }) => type);
  const chosen = acceptedType(types, accept) ?? acceptedType(types, undefined);
  const media = response.media.find(({ type }) => type === chosen?.documented);
  if (chosen === undefined || media === undefined || isBodiless(status))
    return { status, headers: { ...headers, 'Content-Length': '0' }, body: undefined };
  const value = valueWithReason(media, chosen.sent, refusal.message, options);
  return writtenReply(
    status,
    { 'Content-Type': withCharset(chosen.sent), ...headers },
    options.answers.write(value, media, chosen.sent),
  );
};

type Documented = { readonly response: Response; readonly status: number };

/** Each status, then its class, then `default`; of both the first status of the kind is sent. */
const documentedFor = ({ statuses }: Refusal, { responses }: Operation): Documented | undefined => {
  const [first = 400] = statuses;
  for (const status of statuses) {
    const response = responses.get(String(status));
    if (response !== undefined) return { response, status };
  }
  const response = responses.get(`${String(first)[0]}XX`) ?? responses.get('default');
  return response && { response, status: first };
};

const undocumented = (refusal: Refusal, reason: Readonly<Record<string, string>>): EngineReply => {
  const [status = 400] = refusal.statuses;
  return problemReply(status, refusal.message, { ...refusal.headers, ...reason, [refusalHeader]: 'undocumented' });
};

/** Where a reason is looked for, in this order. */
const reasonPlaces: readonly (readonly string[])[] = [
  ['detail'],
  ['message'],
  ['error_description'],
  ['title'],
  ['error', 'message'],
  ['errors', '0', 'message'],
];

/** The value that the response begins with, and the reason in the first place where the body then still fits its schema. */
const valueWithReason = (media: Media, mediaType: string, reason: string, { answers, schemas }: Options): unknown => {
  const value = answers.valueOf(media);
  if (isTextType(mediaType) && typeof value === 'string') return media.examples.size === 0 ? reason : value;
  if (!isJsonType(mediaType) || !isRecord(value)) return value;
  const check = media.schema === undefined ? () => [] : schemas.check(media.schema, 'response');
  for (const place of reasonPlaces) {
    const isThere = typeof valueAt(value, place) === 'string';
    if (!isThere && (place.length > 1 || !isAllowed(place[0] ?? '', media, schemas))) continue;
    const changed = withValueAt(value, place, reason);
    if (check(structuredClone(changed)).length === 0) return changed;
  }
  return value;
};

/**
 * Whether the schema names this member, which its example leaves out. Problem details have a `detail` without any schema (RFC 9457
 * §3.1.4).
 */
const isAllowed = (name: string, { schema, type }: Media, schemas: Schemas): boolean => {
  if (schema === undefined) return name === 'detail' && /^application\/problem\+json\s*(;|$)/i.test(type);
  const read = schemas.read(schema, 'response');
  return isRecord(read) && isRecord(read['properties']) && Object.hasOwn(read['properties'], name);
};
