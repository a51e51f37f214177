/** Compares the records of two states, in slices that let other requests in. */
import { areEqual } from '../../../basics/equal-values.ts';
import { beginSlices } from '../../../basics/long-work.ts';
import { storedTypes } from '../../../core/model/entity.ts';
import { type FrozenRecords, possiblyChangedKeys, recordIn } from '../../../storage/record-layer.ts';
import type { BlobReference, Entity, FieldItems, Fields } from '../../../openapi/openapi-records.ts';

/** A field with its items in two versions of a record. */
export type FieldDifference = {
  /** The name of a field, or `uuid`, `bundle`, `blob` or `password`, which are not fields. */
  readonly name: string;
  /** The language of the translation that has the field. Undefined for the record itself. */
  readonly language?: string;
  readonly before: FieldItems;
  readonly after: FieldItems;
  /** The values differ, and must not be shown: both lists are empty. */
  readonly isSecret?: true;
};

/** As lists of differences name it: `title`, or `title (fr)` of a translation. */
export const differenceName = ({ name, language }: Pick<FieldDifference, 'name' | 'language'>): string =>
  language === undefined ? name : `${name} (${language})`;

/** Whether both say the same. Where the bytes of a file lie does not count: only their number and hash do. */
export const isSameRecord = (a: Entity, b: Entity): boolean =>
  a === b ||
  (a.uuid === b.uuid &&
    a.bundle === b.bundle &&
    a.password === b.password &&
    areEqual(bytesOf(a.blob), bytesOf(b.blob)) &&
    areEqual(a.fields, b.fields) &&
    areEqual(a.translations ?? {}, b.translations ?? {}));

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

/** What a record says of itself besides its fields, in the form of fields. */
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
    areEqual(before[name] ?? [], after[name] ?? [])
      ? []
      : [{ name, before: before[name] ?? [], after: after[name] ?? [] }],
  );

type ChangeKind = 'added' | 'changed' | 'removed';

export type RecordChange =
  | { readonly change: 'added'; readonly after: Entity }
  | { readonly change: 'changed'; readonly before: Entity; readonly after: Entity }
  | { readonly change: 'removed'; readonly before: Entity };

/** The number of each kind of change, and the changes by type and ascending id. */
export type RecordDifferences = {
  readonly counts: Readonly<Record<ChangeKind, number>>;
  readonly changes: readonly RecordChange[];
};

/** The record as it is now, or as it was before it was removed. */
export const recordOf = (change: RecordChange): Entity => (change.change === 'removed' ? change.before : change.after);

type CompareRecords = (before: FrozenRecords, after: FrozenRecords) => Promise<RecordDifferences>;

/**
 * Makes a function that compares, and that remembers the last comparison of each state, because the pages of a long list
 * are asked for one after another. It forgets with the state.
 */
export const createComparison = (): CompareRecords => {
  const known = new WeakMap<
    FrozenRecords,
    { readonly before: FrozenRecords; readonly result: Promise<RecordDifferences> }
  >();
  return (before, after) => {
    const last = known.get(after);
    if (last?.before === before) return last.result;
    const result = compareRecords(before, after);
    known.set(after, { before, result });
    return result;
  };
};

/** How many records are compared between two looks at the time. */
const recordsBetweenLooks = 32;

const compareRecords: CompareRecords = async (before, after) => {
  const byType = new Map<string, RecordChange[]>(storedTypes.map((type) => [type, []]));
  const counts = { added: 0, changed: 0, removed: 0 };
  const slices = beginSlices();
  let compared = 0;
  for (const key of possiblyChangedKeys(before, after)) {
    compared += 1;
    if (compared % recordsBetweenLooks === 0 && slices.isOver()) await slices.next();
    const change = changeBetween(recordIn(before, key), recordIn(after, key));
    if (change === undefined) continue;
    counts[change.change] += 1;
    byType.get(recordOf(change).type)?.push(change);
  }
  const changes: RecordChange[] = [];
  for (const ofType of byType.values()) {
    await slices.next();
    // Layers keep their records nearly in order, so this is a merge of a few runs.
    ofType.sort((a, b) => recordOf(a).id - recordOf(b).id);
    for (const change of ofType) changes.push(change);
  }
  return { counts, changes };
};

const changeBetween = (before: Entity | undefined, after: Entity | undefined): RecordChange | undefined => {
  if (after === undefined) return before === undefined ? undefined : { change: 'removed', before };
  if (before === undefined) return { change: 'added', after };
  return isSameRecord(before, after) ? undefined : { change: 'changed', before, after };
};
