/** Keeps records in the order of their places, and applies changes to such a list. */
import type { CollectionRecord } from '../../openapi/openapi-terms.ts';
import { frozen } from './collection-values.ts';
import { type Entity, firstValue, idInCollection } from '../../openapi/openapi-records.ts';

/** Both arrays are of the same length, by ascending place. Neither ever changes. */
export type PlacedRecords = { readonly places: readonly number[]; readonly records: readonly CollectionRecord[] };

const known = new WeakMap<Entity, CollectionRecord>();

/** The record of an entity: the same object each time. */
export const recordOf = (entity: Entity): CollectionRecord => {
  const before = known.get(entity);
  if (before !== undefined) return before;
  const record = Object.freeze({ id: idInCollection(entity), value: frozen(firstValue(entity, 'value')) });
  known.set(entity, record);
  return record;
};

export const placedRecords = (entities: readonly Entity[]): PlacedRecords => ({
  places: entities.map(({ id }) => id),
  records: entities.map(recordOf),
});

/** The list with these records at their places; undefined for a place that has none any more. The same list when nothing differs. */
export const withRecords = (
  list: PlacedRecords,
  changes: ReadonlyMap<number, CollectionRecord | undefined>,
): PlacedRecords => {
  const differing = [...changes].filter(([place, record]) => recordAt(list, place) !== record);
  if (differing.length === 0) return list;
  differing.sort(([a], [b]) => a - b);
  return replaced(list, differing) ?? joined(list, differing);
};

type Differing = readonly (readonly [place: number, record: CollectionRecord | undefined])[];

/** The same places with other records, which takes one copy. Undefined where places come or go. */
const replaced = ({ places, records }: PlacedRecords, differing: Differing): PlacedRecords | undefined => {
  if (differing.some(([place, record]) => record === undefined || places[indexOf(places, place)] !== place))
    return undefined;
  const changed = records.slice();
  for (const [place, record] of differing) {
    if (record !== undefined) changed[indexOf(places, place)] = record;
  }
  return { places, records: changed };
};

const joined = (list: PlacedRecords, differing: Differing): PlacedRecords => {
  const first = indexOf(list.places, differing[0]?.[0] ?? 0);
  const places: number[] = [];
  const records: CollectionRecord[] = [];
  let copied = first;
  const copyUpTo = (end: number): void => {
    for (; copied < end; copied += 1) {
      const [place, record] = [list.places[copied], list.records[copied]];
      if (place === undefined || record === undefined) continue;
      places.push(place);
      records.push(record);
    }
  };
  for (const [place, record] of differing) {
    const at = indexOf(list.places, place);
    copyUpTo(at);
    if (list.places[at] === place) copied = at + 1;
    if (record === undefined) continue;
    places.push(place);
    records.push(record);
  }
  copyUpTo(list.places.length);
  // Most changes are at the end, and `concat` copies what is before them at once.
  const isAtEnd = first === list.places.length;
  return {
    places: (isAtEnd ? list.places : list.places.slice(0, first)).concat(places),
    records: (isAtEnd ? list.records : list.records.slice(0, first)).concat(records),
  };
};

const recordAt = ({ places, records }: PlacedRecords, place: number): CollectionRecord | undefined => {
  const at = indexOf(places, place);
  return places[at] === place ? records[at] : undefined;
};

/** Where the place is, or would be. */
const indexOf = (places: readonly number[], place: number): number => {
  const last = places.at(-1);
  if (last === undefined || last < place) return places.length;
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
};
