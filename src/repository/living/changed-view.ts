/** Shows the records as they will be after changes that are decided and not stored yet. */
import { indexKeys } from '../model/index-keys.ts';
import { keyOf, type Entity, type EntityKey, type Change, type StoreView } from '../../openapi/openapi-records.ts';

const keyOfChange = (change: Change): EntityKey => ('put' in change ? keyOf(change.put) : change.remove);

/** One change for each record, the last one, where its first one was. */
export const lastChanges = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(changes.map((change) => [keyOfChange(change), change])).values(),
];

export const changedView = (view: StoreView, changes: readonly Change[]): StoreView => {
  if (changes.length === 0) return view;
  const changed = new Map<EntityKey, Entity | undefined>(
    changes.map((change) => [keyOfChange(change), 'put' in change ? change.put : undefined]),
  );
  const isLeft = (entity: Entity): boolean => !changed.has(keyOf(entity));
  return {
    get: (key) => (changed.has(key) ? changed.get(key) : view.get(key)),
    lookup: (index) => {
      const added = [...changed.values()].filter((entity) => entity !== undefined && indexKeys(entity).includes(index));
      const found = view.lookup(index);
      if (added.length === 0 && found.every(isLeft)) return found;
      return [...found.filter(isLeft), ...added].filter((entity) => entity !== undefined).sort((a, b) => a.id - b.id);
    },
    nextId: (counter) => view.nextId(counter),
  };
};
