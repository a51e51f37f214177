/** Checks replies against the responses that the document has for them. */
import { isBodiless, type MadeReply } from './answer.ts';
import type { HeaderValues } from '../exchange.ts';
import { documentedType, readMediaType } from '../media-type.ts';
import type { Media, Operation, Response } from '../document/operation.ts';
import { readerOf, type ReadParameters } from '../request/parameters.ts';
import { isCheckable } from './reply-body.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';

/** `isJson`: the value is JSON already, and none of its members is undefined. */
export type CheckedReply = MadeReply & { readonly isJson?: boolean | undefined };

export type ReplyCheck = {
  /** What of a reply the document does not allow. */
  readonly violationsOf: (reply: CheckedReply, operation: Pick<Operation, 'id'>) => readonly Violation[];
  /** The documented media of a response for a media type that was sent. */
  readonly mediaFor: (response: Response, sent: string) => Media | undefined;
  /** The same of its headers alone. */
  readonly headerViolations: (headers: HeaderValues, response: Response) => readonly Violation[];
};

export const createReplyCheck = (schemas: Schemas): ReplyCheck => {
  const readers = new WeakMap<Response, ReadParameters>();
  const headerViolations: ReplyCheck['headerViolations'] = (headers, response) => {
    if (response.headers.length === 0) return [];
    const read = readers.get(response) ?? headerReader(response, schemas);
    readers.set(response, read);
    const { violations } = read({ path: {}, query: '', headers: joinedHeaders(headers) });
    return violations.map((violation) => {
      const pointer = violation.pointer.replace('/header/', '/headers/');
      return violation.message === 'is required' ? { pointer, message: 'is missing' } : { ...violation, pointer };
    });
  };
  const mediaFor = mediaFinder();
  return {
    ...{ headerViolations, mediaFor },
    violationsOf: ({ status, headers, mediaType, value, response, isJson = false }, { id }) => {
      if (response === undefined) return [{ pointer: '/status', message: `${status} is not documented for ${id}` }];
      const ofHeaders = headerViolations(headers, response);
      if (mediaType === undefined) {
        const isMissing = response.media.length > 0 && !isBodiless(status);
        return isMissing ? [...ofHeaders, { pointer: '/body', message: 'is missing' }] : ofHeaders;
      }
      const media = mediaFor(response, mediaType);
      if (media === undefined) {
        const message = `${mediaType} is not documented for ${status}`;
        return [...ofHeaders, { pointer: '/headers/Content-Type', message }];
      }
      if (media.schema === undefined || !isCheckable(value)) return ofHeaders;
      const json = !isJson && /[/+]json/i.test(mediaType) ? jsonOf(value) : value;
      const ofBody = schemas.check(media.schema, 'response')(json);
      return [...ofHeaders, ...ofBody.map((each) => ({ ...each, pointer: `/body${each.pointer}` }))];
    },
  };
};

/** The most media types of a response to remember: a handler may name any. */
const mostTypes = 20;

const mediaFinder = (): ((response: Response, sent: string) => Media | undefined) => {
  const known = new WeakMap<Response, Map<string, Media | undefined>>();
  return (response, sent) => {
    const found = known.get(response) ?? new Map<string, Media | undefined>();
    known.set(response, found);
    if (found.has(sent)) return found.get(sent);
    const type = readMediaType(sent);
    const documented =
      type &&
      documentedType(
        response.media.map((each) => each.type),
        type,
      );
    const media = response.media.find((each) => each.type === documented);
    if (found.size < mostTypes) found.set(sent, media);
    return media;
  };
};

/** Headers are read as the parameters of a request are. A value with a media type of its own is not looked into. */
const headerReader = ({ headers }: Response, schemas: Schemas): ReadParameters =>
  readerOf(
    headers.map(({ name, isRequired, schema, mediaType, explode }) => ({
      ...{ name, in: 'header', style: 'simple', explode, isRequired, allowsEmpty: false, mediaType: undefined },
      schema: mediaType === undefined ? schema : undefined,
    })),
    schemas,
    { isTolerant: true },
  );

/** Names of headers in lower case, by what they were written like. There are few. */
const lowerNames = new Map<string, string>();

const lowerCase = (name: string): string => {
  const known = lowerNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerNames.size < 100) lowerNames.set(name, lower);
  return lower;
};

/** Several lines of a name as one (RFC 9110 §5.3). Cookies cannot be one line: the first is read. */
const joinedHeaders = (headers: HeaderValues): Record<string, string> => {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    const key = lowerCase(name);
    joined[key] = typeof value === 'string' ? value : key === 'set-cookie' ? (value[0] ?? '') : value.join(', ');
  }
  return joined;
};

/** As a client reads it. A function or a symbol has no JSON. */
const jsonOf = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as unknown);
};
