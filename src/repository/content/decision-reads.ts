/** Says what a decision about a record reads, so that a store can have it at hand. */
import { entityKey, type Entity, type EntityKey, keyOf } from '../../openapi/openapi-records.ts';
import { targetTypeOf } from '../fields/values.ts';
import type { Bundle } from '../model/bundle.ts';
import type { ReceivedFields } from './fields/denormalise.ts';

/** The keys that a decision about these fields reads: the record and everything that it refers to. */
export const readsOf = (entity: Entity | undefined, bundle: Bundle, received: ReceivedFields): EntityKey[] => {
  const keys = entity === undefined ? [] : [keyOf(entity)];
  for (const [name, receivedItems] of received) {
    const field = bundle.fields.get(name);
    const type = field && targetTypeOf(field);
    if (type === undefined) continue;
    for (const item of receivedItems) {
      const id = Number(item['target_id']);
      if (Number.isSafeInteger(id)) keys.push(entityKey(type, id));
    }
  }
  return keys;
};
