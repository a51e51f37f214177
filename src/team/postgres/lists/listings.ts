/** Writes the columns that records are listed by: one narrow row for each record, so that lists are made from indexes. */
import type { Entity, RecordModel } from '../../../openapi/openapi-records.ts';

/** The columns of `atoll_listings` after layer, type, id and bundle. All are null for a record that the layer removes. */
export const listingColumns = 'title, changed, published, refs';

/**
 * The values of these columns for a statement that has `listingsFrom`: one array for each. Undefined stands for a removed record.
 * Without `listing` all records look removed, and nothing may list them.
 */
export const listingValues = (
  entities: readonly (Entity | undefined)[],
  { listing }: Pick<RecordModel, 'listing'>,
): readonly (readonly unknown[])[] => {
  const rows = entities.map((entity) => (entity === undefined ? undefined : listing?.(entity)));
  return [
    rows.map((row) => (row === undefined ? null : sortKey(row.title).toString('hex'))),
    rows.map((row) => row?.changed ?? null),
    rows.map((row) => row?.isPublished ?? null),
    rows.map((row) => (row === undefined ? null : referenceText(row.references))),
  ];
};

/** `insert` of listings from arrays: types, ids and bundles, then those of `listingValues` from the parameter `$first` on. */
export const insertListings = (
  layer: string,
  records: readonly [types: string, ids: string, bundles: string],
  first: number,
  from = '',
): string => {
  const [types, ids, bundles] = records;
  const at = (place: number, type: string): string => `$${first + place}::${type}[]`;
  const arrays = [`${types}::text[]`, `${ids}::bigint[]`, `${bundles}::text[]`];
  const all = [...arrays, at(0, 'text'), at(1, 'float8'), at(2, 'boolean'), at(3, 'text')].join(', ');
  return `insert into atoll_listings (layer, type, id, bundle, ${listingColumns})
    select ${layer}::bigint, t.type, t.id, t.bundle, decode(t.title, 'hex'), t.changed, t.published, t.refs
    from ${from}unnest(${all}) as t(type, id, bundle, ${listingColumns})
    on conflict (layer, type, id) do update set bundle = excluded.bundle, title = excluded.title, changed = excluded.changed,
      published = excluded.published, refs = excluded.refs`;
};

/** References with blanks around each, so that one is found in the text by its whole name. */
const referenceText = (references: readonly string[]): string =>
  references.length === 0 ? '' : ` ${references.join(' ')} `;

/** The part of `refs` that a record with this reference has. */
export const referencePart = (reference: string): string => ` ${reference} `;

/**
 * Bytes that an engine compares as JavaScript compares the text, whatever its collation: UTF-8 in which the units of surrogate pairs
 * stand for themselves, moved behind all others as they are in JavaScript. A part of the text is a part of the bytes, and no
 * other bytes look like it.
 */
export const sortKey = (text: string): Buffer => {
  if (!/[\ud800-\uffff]/.test(text)) return Buffer.from(text);
  const points = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return Buffer.from(points.map((unit) => String.fromCodePoint(unit < 0xd800 ? unit : unit + 0x800)).join(''));
};
