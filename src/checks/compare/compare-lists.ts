/** Compares lists of records of which one lacks some, or that a site gives in no order: record by record, and the order by itself. */
import { isRecord } from '../../basics/json.ts';
import { compareJson, type JsonComparison } from './compare-json.ts';
import type { Difference } from './difference.ts';
import { ownIdIn } from './json-paths.ts';

type Rows = { readonly target: readonly unknown[]; readonly atoll: readonly unknown[] };

/** The places of a difference that is about the order of a list alone. */
const places = { unordered: '/order', ordered: '/order/of-the-view' } as const;

/**
 * Undefined unless both are lists of records, and their places say nothing. Records that are the same as far as is known stand for each
 * other, or else those with the same name.
 */
export const compareRecords = (
  at: string,
  { target, atoll }: { readonly target: unknown; readonly atoll: unknown },
  comparison: JsonComparison,
): Difference[] | undefined => {
  if (!areRecords(target) || !areRecords(atoll)) return undefined;
  const isUnordered = comparison.isUnordered === true;
  if (!isUnordered && target.length === atoll.length) return undefined;
  const left = atoll.map((record, place) => ({ record, place }));
  const same: { readonly theirs: unknown; readonly ours: unknown; readonly place: number }[] = [];
  const missing: Difference[] = [];
  for (const [index, theirs] of target.entries()) {
    const found = left.findIndex(({ record }) => isSame(theirs, record, comparison));
    const [own] = found < 0 ? [] : left.splice(found, 1);
    if (own === undefined) missing.push({ place: `${at}/${index}`, target: theirs, atoll: undefined });
    else same.push({ theirs, ours: own.record, place: own.place });
  }
  const rows = { target: same.map(({ theirs }) => theirs), atoll: same.map(({ ours }) => ours) };
  const isOrdered = same.every(({ place }, index) => index === 0 || place > (same[index - 1]?.place ?? 0));
  return [
    ...(isOrdered ? [] : [orderOf(rows, atoll, isUnordered)]),
    ...compareJson(at, rows, comparison),
    ...missing,
    ...left.map(({ record }) => ({ place: `${at}/-`, target: undefined, atoll: record })),
  ];
};

const areRecords = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((one) => ownIdIn(one) !== undefined);

const isSame = (theirs: unknown, ours: unknown, { pairs }: JsonComparison): boolean => {
  const [a, b] = [ownIdIn(theirs), ownIdIn(ours)];
  if (a === undefined || a.kind !== b?.kind) return false;
  const known = pairs.counterpart(a.kind, a.id, 'target');
  if (known !== undefined || pairs.counterpart(b.kind, b.id, 'atoll') !== undefined) return known === b.id;
  return labelIn(theirs) === labelIn(ours);
};

const labelIn = (record: unknown): string => {
  const [item] = isRecord(record) ? [record['title'] ?? record['name']].flat() : [];
  return isRecord(item) ? String(item['value']) : '';
};

const orderOf = ({ target }: Rows, atoll: readonly unknown[], isUnordered: boolean): Difference => ({
  place: isUnordered ? places.unordered : places.ordered,
  target: target.map(labelIn).join(', '),
  atoll: atoll.map(labelIn).join(', '),
});
