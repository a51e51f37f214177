/** Checks a reply against the response that the document has for it. */
import { isBodiless, type MadeReply } from './answer.ts';
import type { HeaderValues } from '../exchange.ts';
import { acceptedType } from '../media-type.ts';
import type { Operation, Response } from '../document/operation.ts';
import { readerOf } from '../request/parameters.ts';
import { isCheckable } from './reply-body.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';

/** What of a reply the document does not allow. */
export const violationsOf = (
  { status, headers, mediaType, value, response }: MadeReply,
  { id }: Operation,
  schemas: Schemas,
): Violation[] => {
  if (response === undefined) return [{ pointer: '/status', message: `${status} is not documented for ${id}` }];
  const violations = headerViolations(headers, response, schemas);
  if (mediaType === undefined) {
    const isMissing = response.media.length > 0 && !isBodiless(status);
    return isMissing ? [...violations, { pointer: '/body', message: 'is missing' }] : violations;
  }
  const documented = acceptedType(
    response.media.map(({ type }) => type),
    mediaType.split(';')[0],
  );
  const media = response.media.find(({ type }) => type === documented?.documented);
  if (media === undefined)
    return [
      ...violations,
      { pointer: '/headers/Content-Type', message: `${mediaType} is not documented for ${status}` },
    ];
  if (media.schema === undefined || !isCheckable(value)) return violations;
  const json = /[/+]json/i.test(mediaType) ? jsonOf(value) : value;
  return [
    ...violations,
    ...schemas
      .check(
        media.schema,
        'response',
      )(json)
      .map((each) => ({ ...each, pointer: `/body${each.pointer}` })),
  ];
};

const headerViolations = (headers: HeaderValues, response: Response, schemas: Schemas): Violation[] => {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return response.headers.flatMap(({ name, isRequired, schema, mediaType }): Violation[] => {
    const value = sent.get(name.toLowerCase());
    if (value === undefined) return isRequired ? [{ pointer: `/headers/${name}`, message: 'is missing' }] : [];
    if (schema === undefined || mediaType !== undefined || typeof value !== 'string') return [];
    const read = readerOf(
      [{ name, in: 'header', style: 'simple', explode: false, isRequired, allowsEmpty: false, schema, mediaType }],
      schemas,
    );
    const { violations } = read({ path: {}, query: '', headers: { [name.toLowerCase()]: value } });
    return violations.map((each) => ({ ...each, pointer: each.pointer.replace('/header/', '/headers/') }));
  });
};

/** As a client reads it. A function or a symbol has no JSON. */
const jsonOf = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : (JSON.parse(text) as unknown);
};
