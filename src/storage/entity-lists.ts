/** Changes lists of records in ascending id. */
import { type EntityType, keyOf } from '../core/model/entity.ts';
import type { HeldRecord } from './record-layer.ts';

type Placed = { readonly type: EntityType; readonly id: number };

/** Adds a record, or replaces the one with its key. Finds the position in O(log n) and moves the elements behind it. */
export const putEntity = <R extends Placed>(entities: R[], entity: R): void => {
  const at = position(entities, entity);
  if (at === entities.length) entities.push(entity);
  else entities.splice(at, isAt(entities, at, entity) ? 1 : 0, entity);
};

/** Removes many records, and goes through the others once. */
export const removeMany = (list: HeldRecord[], records: readonly HeldRecord[]): void => {
  const gone = new Set(records.map(keyOf));
  let kept = 0;
  for (const record of list) {
    if (gone.has(keyOf(record))) continue;
    list[kept] = record;
    kept += 1;
  }
  list.length = kept;
};

export const byNames = (
  records: readonly HeldRecord[],
  namesOf: (held: HeldRecord) => readonly string[],
): ReadonlyMap<string, HeldRecord[]> => {
  const found = new Map<string, HeldRecord[]>();
  for (const record of records) {
    for (const name of namesOf(record)) {
      const ofName = found.get(name) ?? [];
      found.set(name, ofName);
      ofName.push(record);
    }
  }
  return found;
};

/** Removes the record with this one's key. A missing record is not an error. */
export const removeEntity = (entities: Placed[], entity: Placed): void => {
  const at = position(entities, entity);
  if (isAt(entities, at, entity)) entities.splice(at, 1);
};

/** Puts one object in place of another, where that is in the array. Both are forms of the same record. */
export const exchangeEntity = <R extends Placed>(entities: R[], before: R, after: R): void => {
  const at = position(entities, before);
  if (entities[at] === before) entities[at] = after;
};

const order = (a: Placed, b: Placed): number => a.id - b.id || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0);

const isAt = (entities: readonly Placed[], at: number, entity: Placed): boolean => {
  const found = entities[at];
  return found !== undefined && order(found, entity) === 0;
};

/** The index of the record, or the index to insert it at. Checks the end first, because new records have the highest id. */
const position = (entities: readonly Placed[], entity: Placed): number => {
  const last = entities.at(-1);
  if (last === undefined || order(last, entity) < 0) return entities.length;
  let low = 0;
  let high = entities.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = entities[middle];
    if (candidate !== undefined && order(candidate, entity) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};
