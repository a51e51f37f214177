/** Compares the records of two states, in slices that let other requests in. */
import { isSameRecord } from '../../../basics/records/record-form.ts';
import { beginSlices } from '../../../basics/long-work.ts';
import type { Entity } from '../../../openapi/openapi-records.ts';
import { recordTypes } from '../../../storage/storage-export.ts';
import { type FrozenRecords, possiblyChangedKeys, recordIn } from '../../../storage/storage.ts';

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
  const byType = new Map<string, RecordChange[]>(recordTypes.map((type) => [type, []]));
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
