/** Puts changed records in their places in a sorted list. */
import type { ContentFilter } from './record-filter.ts';
import { compareRecords, passesFilter, type ListedRecord } from './record-filter.ts';
import { filterInSlices, mergeInSlices, positionIn, sortInSlices } from './sliced-arrays.ts';
import type { RecordOrder } from '../../../openapi/openapi-records.ts';

/** What became of one record. Undefined: it was not there, or it is gone. */
export type Step = { readonly before: ListedRecord | undefined; readonly after: ListedRecord | undefined };

/** Each of so few steps moves the records behind its place. More of them cost less as one pass through the whole list. */
const fewSteps = 64;

type ListRules = { readonly order: RecordOrder; readonly filter: ContentFilter };

/** The list after the steps: the same array when they change nothing of it, else a new one. */
export const withSteps = async (
  records: readonly ListedRecord[],
  steps: readonly Step[],
  { order, filter }: ListRules,
): Promise<readonly ListedRecord[]> => {
  const shown = (record: ListedRecord | undefined): ListedRecord | undefined =>
    record !== undefined && passesFilter(filter, record) ? record : undefined;
  const own = steps
    .map(({ before, after }): Step => ({ before: shown(before), after: shown(after) }))
    .filter(({ before, after }) => before !== undefined || after !== undefined);
  if (own.length === 0) return records;
  return own.length <= fewSteps ? withFew(records, own, order) : withMany(records, own, order);
};

const withFew = (records: readonly ListedRecord[], steps: readonly Step[], order: RecordOrder): ListedRecord[] => {
  const compare = compareRecords(order);
  const next = [...records];
  const placeIn = (record: ListedRecord): number => positionIn(next, (each) => compare(each, record) < 0);
  const isAt = (at: number, record: ListedRecord): boolean => next[at]?.id === record.id;
  for (const { before, after } of steps) {
    if (before !== undefined) {
      const at = placeIn(before);
      if (isAt(at, before)) next.splice(at, 1);
    }
    if (after !== undefined) {
      const at = placeIn(after);
      next.splice(at, isAt(at, after) ? 1 : 0, after);
    }
  }
  return next;
};

const withMany = async (
  records: readonly ListedRecord[],
  steps: readonly Step[],
  order: RecordOrder,
): Promise<readonly ListedRecord[]> => {
  const last = new Map<number, ListedRecord | undefined>();
  for (const { before, after } of steps) {
    const id = (before ?? after)?.id;
    if (id !== undefined) last.set(id, after);
  }
  const compare = compareRecords(order);
  const unchanged = await filterInSlices(records, ({ id }) => !last.has(id));
  const present = [...last.values()].filter((record) => record !== undefined);
  return mergeInSlices(unchanged, await sortInSlices(present, compare), compare);
};
