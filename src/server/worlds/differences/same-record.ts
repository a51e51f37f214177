/** Decides whether two versions of a record are equal, and lists the fields in which they differ. */
import type { BlobReference, Entity, FieldItems, Fields } from '../../../core/model/entity.ts';

/** A field with its items in two versions of a record. */
export type FieldDifference = {
  /** The name of a field, or `uuid`, `bundle`, `blob` or `password`, which are no fields. */
  readonly name: string;
  /** The language of the translation that has the field. Undefined for the record itself. */
  readonly language?: string;
  readonly before: FieldItems;
  readonly after: FieldItems;
  /** The values differ, and must not be shown: both lists are empty. */
  readonly isSecret?: true;
};

/** Whether both say the same. Where the bytes of a file lie does not count: only their number and hash do. */
export const isSameRecord = (a: Entity, b: Entity): boolean =>
  a === b ||
  (a.uuid === b.uuid &&
    a.bundle === b.bundle &&
    a.password === b.password &&
    isEqual(bytesOf(a.blob), bytesOf(b.blob)) &&
    isEqual(a.fields, b.fields) &&
    isEqual(a.translations ?? {}, b.translations ?? {}));

/** In the order of the fields of `after`, then what only `before` has. A password counts, but is never part of the answer. */
export const fieldDifferences = (before: Entity, after: Entity): FieldDifference[] => {
  const languages = new Set([...Object.keys(after.translations ?? {}), ...Object.keys(before.translations ?? {})]);
  return [
    ...differencesIn(ownParts(before), ownParts(after)),
    ...differencesIn(before.fields, after.fields),
    ...[...languages].flatMap((language) =>
      differencesIn(before.translations?.[language] ?? {}, after.translations?.[language] ?? {}).map((one) => ({
        ...one,
        language,
      })),
    ),
    ...(before.password === after.password
      ? []
      : [{ name: 'password', before: [], after: [], isSecret: true } as const]),
  ];
};

/** What a record says of itself beside its fields, in the form of fields. */
const ownParts = ({ uuid, bundle, blob }: Entity): Fields => {
  const bytes = bytesOf(blob);
  return {
    uuid: [{ value: uuid }],
    bundle: [{ value: bundle }],
    ...(bytes === undefined ? {} : { blob: [bytes] }),
  };
};

const bytesOf = (blob: BlobReference | undefined): { readonly size: number; readonly sha256: string } | undefined =>
  blob === undefined ? undefined : { size: blob.size, sha256: blob.sha256 };

const differencesIn = (before: Fields, after: Fields): FieldDifference[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) =>
    isEqual(before[name] ?? [], after[name] ?? [])
      ? []
      : [{ name, before: before[name] ?? [], after: after[name] ?? [] }],
  );

/** Compares JSON. The order of members does not count. */
const isEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  }
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(Reflect.get(a, name), Reflect.get(b, name)))
  );
};
