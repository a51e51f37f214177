/** Defines the field types whose items have several values: places, names of people, comments, unknown ones, and those that modules add. */
import { isRecord } from '../../../basics/json.ts';
import type { FieldItem, Json } from '../../model/entity.ts';
import { type FieldType, isInteger, isScalar, scalarText } from './field-type.ts';
import { formattedTextType, isUnset, linkType, numberIfNumeric } from './value-types.ts';

const isUnsetOrEmptyText = (value: Json | undefined): boolean => isUnset(value) || value === '';
const textOrNull = (value: Json | undefined): string | null => (isScalar(value) ? scalarText(value) : null);

/** A summary alone is a value, too. */
export const textWithSummaryType: FieldType = {
  ...formattedTextType,
  properties: ['value', 'format', 'summary'],
  isEmpty: ({ value, summary }) => isUnsetOrEmptyText(value) && isUnsetOrEmptyText(summary),
  store: ({ value, format, summary }) => ({
    value: isUnset(value) ? null : scalarText(value),
    format: textOrNull(format),
    summary: textOrNull(summary),
  }),
};

/** A link with the authority that it belongs to. `term-uris.ts` knows such an item by its `source`, which is never left out. */
export const authorityLinkType: FieldType = {
  ...linkType,
  properties: [...linkType.properties, 'source'],
  store: (item) => ({ ...linkType.store(item), source: textOrNull(item['source']) }),
};

/** Whether a list or an object has members. */
const hasMembers = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** A place. Records show more of it (`core/representations/json-items.ts`), all computed from these two numbers. */
export const geolocationType: FieldType = {
  main: 'lat',
  properties: ['lat', 'lng', 'data'],
  isEmpty: ({ lat, lng }) => isUnsetOrEmptyText(lat) || isUnsetOrEmptyText(lng),
  store: ({ lat, lng, data }) => ({
    lat: numberIfNumeric(lat),
    lng: numberIfNumeric(lng),
    ...(hasMembers(data) ? { data: data ?? null } : {}),
  }),
};

export const nameParts = ['title', 'given', 'middle', 'family', 'generational', 'credentials'] as const;

/** The name of a person. */
export const nameType: FieldType = {
  main: 'title',
  properties: nameParts,
  isEmpty: (item) => nameParts.every((part) => isUnsetOrEmptyText(item[part])),
  store: (item) => Object.fromEntries(nameParts.map((part) => [part, textOrNull(item[part])])),
};

/**
 * Whether people may comment. Records also show how many comments there are, here always none.
 * open: the time stands for that of the last comment, which a real site without comments takes from the record.
 */
export const commentType: FieldType = {
  main: 'status',
  properties: ['status', 'last_comment_timestamp'],
  isEmpty: () => false,
  read: ({ kept }, _field, { now }) => ({ last_comment_timestamp: now, ...kept }),
  store: ({ status, last_comment_timestamp: time }) => ({
    status: isInteger(status) ? Number(status) : (status ?? null),
    last_comment_timestamp: isInteger(time) ? Number(time) : (time ?? null),
  }),
};

/** The most members that are kept of an item of an unknown type. */
const maxMembers = 50;

/** An item of a type that the program does not know: its texts, numbers and booleans as they were sent. */
export const otherType: FieldType = {
  main: 'value',
  properties: ['value'],
  hasAnyMember: true,
  isEmpty: (item) => Object.values(item).every(isUnsetOrEmptyText),
  read: ({ sent, kept }) => (isScalar(sent) ? kept : scalarMembers(sent)),
  store: (item) => item,
};

const scalarMembers = (sent: Json): FieldItem =>
  !isRecord(sent)
    ? {}
    : Object.fromEntries(
        Object.entries(sent)
          .filter(([name, value]: [string, Json]) => /^\w{1,64}$/.test(name) && (isScalar(value) || value === null))
          .slice(0, maxMembers),
      );

/** A record keeps the alias alone: number and language are those of the record. */
export const pathType: FieldType = {
  main: 'alias',
  properties: ['alias', 'pid', 'langcode', 'pathauto'],
  isEmpty: ({ alias }) => alias === undefined || alias === null || alias === '',
  store: ({ alias }) => ({ alias: scalarText(alias) }),
};

/** Metatags are computed from the record. `path-alias.ts` drops the sent ones. */
export const metatagType: FieldType = {
  main: 'tag',
  properties: ['tag', 'attributes'],
  isEmpty: () => true,
  store: (item) => item,
};

/** Slashes at the end of the path do not count for a real site, either. Slashes alone are the front page, which nothing redirects. */
export const redirectSourceType: FieldType = {
  main: 'path',
  properties: ['path', 'query'],
  isEmpty: ({ path }) => path === undefined || path === null || (typeof path === 'string' && /^\/*$/.test(path)),
  store: ({ path, query }) => ({
    path: scalarText(path).replace(/\/+$/, ''),
    ...(typeof query === 'object' && query !== null && Object.keys(query).length > 0 ? { query } : {}),
  }),
};
