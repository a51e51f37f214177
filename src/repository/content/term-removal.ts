/** Decides what goes and what changes with a deleted term: its children, and theirs. */
import { changedAt } from '../model/changed-at.ts';
import { childrenOf } from '../model/index-keys.ts';
import {
  type Change,
  type StoreView,
  items,
  keyOf,
  type Entity,
  type EntityKey,
} from '../../openapi/openapi-records.ts';

type Removal = {
  /** The deleted records: the term, then the children that have no other parent, also the unpublished ones. */
  readonly gone: readonly Entity[];
  /** The children that have other parents, without this one. */
  readonly changes: readonly Change[];
};

/** A record with what goes with it. Only terms have children. `now` in seconds since 1970. */
export const removalOf = (removed: Entity, view: Pick<StoreView, 'lookup'>, now: number): Removal => {
  const gone = new Map<EntityKey, Entity>([[keyOf(removed), removed]]);
  if (removed.type !== 'taxonomy_term') return { gone: [removed], changes: [] };
  const kept = new Map<EntityKey, Entity>();
  // The list grows while it is read. Terms can be children of each other, so each goes once.
  for (const parent of gone.values()) {
    for (const found of view.lookup(childrenOf(parent.id))) {
      const key = keyOf(found);
      if (gone.has(key)) continue;
      const child = kept.get(key) ?? found;
      const left = items(child, 'parent').filter(({ target_id: id }) => id !== parent.id);
      if (left.length > 0) {
        kept.set(key, { ...child, fields: { ...child.fields, parent: left, changed: changedAt(found, now) } });
      } else {
        kept.delete(key);
        gone.set(key, found);
      }
    }
  }
  return { gone: [...gone.values()], changes: [...kept.values()].map((put) => ({ put })) };
};
