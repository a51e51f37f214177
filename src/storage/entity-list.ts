/** A list of records in ascending id: cheap to change, and readable without a copy. */
import type { Entity } from '../model/entity.ts';

/**
 * Records in ascending id; records with the same id are in order of their type. While `isShared` is true, readers hold
 * the array, and the next change copies it first.
 */
export type EntityList = { entities: Entity[]; isShared: boolean };

export const emptyEntityList = (): EntityList => ({ entities: [], isShared: false });

/** Adds a record, or replaces the one with its key. Finds the position in O(log n) and moves the elements behind it. */
export const putEntity = (list: EntityList, entity: Entity): void => {
  const entities = ownArray(list);
  const at = position(entities, entity);
  entities.splice(at, isAt(entities, at, entity) ? 1 : 0, entity);
};

/** Removes the record with this one's key. A missing record is no error. */
export const removeEntity = (list: EntityList, entity: Entity): void => {
  const at = position(list.entities, entity);
  if (isAt(list.entities, at, entity)) ownArray(list).splice(at, 1);
};

/** The records as an array that never changes. */
export const shareEntities = (list: EntityList): readonly Entity[] => {
  list.isShared = true;
  return list.entities;
};

const ownArray = (list: EntityList): Entity[] => {
  if (list.isShared) {
    list.entities = [...list.entities];
    list.isShared = false;
  }
  return list.entities;
};

const order = (a: Entity, b: Entity): number => a.id - b.id || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0);

const isAt = (entities: readonly Entity[], at: number, entity: Entity): boolean => {
  const found = entities[at];
  return found !== undefined && order(found, entity) === 0;
};

/** The index of the record, or the index to insert it at. Checks the end first, because new records have the highest id. */
const position = (entities: readonly Entity[], entity: Entity): number => {
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
