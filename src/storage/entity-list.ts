/** A set of records in ascending id that is cheap to change and free to read. */
import type { Entity } from '../model/entity.ts';

/**
 * Records in ascending id (and by type where ids meet). The array that a reader was given is never changed: the next
 * change copies it first. So loading is in place, and reading without a change in between copies nothing.
 */
export type EntityList = { entities: Entity[]; handedOut: boolean };

export const emptyEntityList = (): EntityList => ({ entities: [], handedOut: false });

/** Adds a record, or replaces the one with its key. O(log n) and a move of what lies behind it. */
export const putEntity = (members: EntityList, entity: Entity): void => {
  const entities = ownArray(members);
  const at = position(entities, entity);
  entities.splice(at, isAt(entities, at, entity) ? 1 : 0, entity);
};

/** Takes the record with this one's key out; one that is not there is no error. */
export const removeEntity = (members: EntityList, entity: Entity): void => {
  const at = position(members.entities, entity);
  if (isAt(members.entities, at, entity)) ownArray(members).splice(at, 1);
};

/** The members, to keep: they stay as they are now. */
export const handOut = (members: EntityList): readonly Entity[] => {
  members.handedOut = true;
  return members.entities;
};

const ownArray = (members: EntityList): Entity[] => {
  if (members.handedOut) {
    members.entities = [...members.entities];
    members.handedOut = false;
  }
  return members.entities;
};

const order = (a: Entity, b: Entity): number => a.id - b.id || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0);

const isAt = (entities: readonly Entity[], at: number, entity: Entity): boolean => {
  const found = entities[at];
  return found !== undefined && order(found, entity) === 0;
};

/** Where the record is, or where it belongs. New records have the highest id: the end is looked at first. */
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
