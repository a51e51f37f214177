/** Computes the time that a record names as that of its last change. */
import { firstValue, type Entity, type FieldItems } from '../../openapi/openapi-records.ts';

/**
 * Now, in seconds since 1970. When the clock was set back it is the time of the last change, which no change lowers. It lies
 * before the creation only when a client has set that to a later time.
 */
export const changedAt = (entity: Entity, now: number): FieldItems => {
  const before = firstValue(entity, 'changed');
  return [{ value: typeof before === 'number' ? Math.max(now, before) : now }];
};
