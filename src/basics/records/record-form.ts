/** Says what a record is as data: its members in the order in which they are written, what may stand in each, and where two records differ. */
import * as v from 'valibot';
import { areEqual } from '../equal-values.ts';
import { given } from '../json.ts';
import { valueAt, withValueAt } from '../json-pointer.ts';

/** The items of a field. */
type StoredItems = readonly { readonly [member: string]: unknown }[];
type StoredFields = { readonly [name: string]: StoredItems };

/** A record of any type. Which types, bundles and fields there are is said by those who use it. */
export type StoredRecord = {
  readonly type: string;
  readonly id: number;
  readonly uuid: string;
  readonly bundle: string;
  readonly fields: StoredFields;
  /** By language: the fields that a translation has otherwise. */
  readonly translations?: Readonly<Record<string, StoredFields>>;
  /** Where its bytes are: a name in some storage, their number and their hash. */
  readonly blob?: { readonly key: string; readonly size: number; readonly sha256: string };
  /** The hash of a password. It counts in comparisons and is never shown. */
  readonly password?: string;
};

/** The record with its members in the order in which they are written. `blob` names its bytes there; undefined when they are lost. */
export const writtenRecord = <R extends StoredRecord>(record: R, blob: R['blob']): R => {
  const { type, id, uuid, bundle, fields, translations, password } = record;
  return given({ type, id, uuid, bundle, fields, translations, blob, password }) as StoredRecord as R; // its own members
};

/** The text of a file with a record, or with what goes along with records. It leaves out what is undefined. */
export const writtenText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The name under which the bytes of a file with this path are written. It comes from the bytes, so that equal ones are stored once. */
export const blobNameOf = (path: string, sha256: string): string =>
  sha256.slice(0, 32) + (/(?<=[^/])\.[A-Za-z0-9]{1,16}$/.exec(path)?.[0] ?? '');

const blobKey = /"blob":\{"key":"(?<key>[^"\\]+)"/g;

/**
 * The names of bytes in a text with records on one line each, without reading them. A title that looks like one is taken for a
 * name too.
 */
export const blobKeysIn = (text: string): string[] =>
  [...text.matchAll(blobKey)].map(({ groups }) => groups?.['key'] ?? '');

/** What a whole number is in a record. */
export const wholeFrom = (least: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least));

const fieldsShape = v.record(v.string(), v.array(v.looseObject({})));

/** What a record of one of these types must be; `password` says it of its member. A record has no other members. */
export const recordShape = (types: readonly string[], password: v.GenericSchema<string>) =>
  v.strictObject({
    type: v.picklist(types),
    id: wholeFrom(0),
    uuid: v.pipe(v.string(), v.uuid()),
    bundle: v.string(),
    fields: fieldsShape,
    translations: v.optional(v.record(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[a-z0-9]+)*$/)), fieldsShape)),
    blob: v.optional(
      v.strictObject({
        key: v.string(),
        size: wholeFrom(0),
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
        width: v.optional(v.number()),
        height: v.optional(v.number()),
        // Earlier servers left them in the records of generic icons.
        hashes: v.optional(v.record(v.string(), v.string())),
      }),
    ),
    password: v.optional(password),
  });

/** The steps to a part of a record that is compared and put back by itself: `['fields', 'title']`, `['translations', 'fr', 'title']`, `['blob']`. */
export type RecordPlace = readonly string[];

/** A place with what two records have there, in the form of items. Both lists are empty where the values must not be shown. */
export type RecordDifference = {
  readonly place: RecordPlace;
  readonly before: StoredItems;
  readonly after: StoredItems;
  readonly isSecret?: true;
};

/** As lists of differences name it: `uuid`, `title`, or `title (fr)` of a translation. */
export const placeName = (place: RecordPlace): string =>
  place[0] === 'translations' ? `${place[2] ?? ''} (${place[1] ?? ''})` : (place.at(-1) ?? '');

/** Whether both say the same. Where the bytes of a file lie does not count: only their number and hash do. */
export const isSameRecord = (a: StoredRecord, b: StoredRecord): boolean =>
  a === b || areEqual(comparedPartsOf(a), comparedPartsOf(b));

const comparedPartsOf = ({ uuid, bundle, blob, fields, translations = {}, password }: StoredRecord) => ({
  ...{ uuid, bundle, fields, translations, password },
  ...{ size: blob?.size, sha256: blob?.sha256 },
});

/** In the order of the fields of `after`, then what only `before` has. */
export const recordDifferences = (before: StoredRecord, after: StoredRecord): RecordDifference[] =>
  placesOf(before, after).flatMap((place): RecordDifference[] => {
    const difference = { place, before: itemsAt(before, place), after: itemsAt(after, place) };
    if (areEqual(difference.before, difference.after)) return [];
    return [place[0] === 'password' ? { place, before: [], after: [], isSecret: true } : difference];
  });

const placesOf = (before: StoredRecord, after: StoredRecord): RecordPlace[] => [
  ...['uuid', 'bundle', 'blob'].map((member) => [member]),
  ...namesIn(after.fields, before.fields).map((name) => ['fields', name]),
  ...namesIn(after.translations, before.translations).flatMap((language) =>
    namesIn(after.translations?.[language], before.translations?.[language]).map((name) => [
      ...['translations', language, name],
    ]),
  ),
  ['password'],
];

const namesIn = (first: object = {}, second: object = {}): string[] => [
  ...new Set([...Object.keys(first), ...Object.keys(second)]),
];

const itemsAt = (record: StoredRecord, place: RecordPlace): StoredItems => {
  if (place[0] === 'blob')
    return record.blob === undefined ? [] : [{ size: record.blob.size, sha256: record.blob.sha256 }];
  const value = valueAt(record, place);
  if (place.length > 1) return (value ?? []) as StoredItems; // a field
  return value === undefined ? [] : [{ value }];
};

/** The record with what another one has at the place. A field without items is left out. */
export const withPlaceOf = <R extends StoredRecord>(record: R, other: R, place: RecordPlace): R => {
  const value = valueAt(other, place);
  return withValueAt(record, place, itemsAt(other, place).length === 0 ? undefined : value) as R; // of the same form
};
