/** An entity store in memory. It writes no file and ends with the process. */
import { createBatchedEntityStore } from './batched-entity-store.ts';
import type { FrozenRecords } from './record-layer.ts';
import { createRecordSet } from './record-set.ts';
import type { Entity, EntityStore, RecordModel, Counters } from '../openapi/openapi-records.ts';

/** The records that a new store begins with. The store raises its counters to their ids. */
export type InitialRecords = { readonly entities: Iterable<Entity>; readonly counters: Counters };

type MemoryEntityStore = EntityStore & {
  /** The published records at this moment. `RecordSet.freeze` says what it costs. */
  readonly freeze: () => FrozenRecords;
  /** The number of published records. */
  readonly size: () => number;
};

/**
 * A store that behaves like the durable store (`test/storage/entity-store.suite.ts` checks both), but is never durable.
 * It holds only what differs from `base`, so its cost does not depend on the size of `base`.
 */
export const createMemoryEntityStore = (options: {
  readonly model: RecordModel;
  readonly initialRecords?: InitialRecords | undefined;
  readonly base?: FrozenRecords | undefined;
}): MemoryEntityStore => {
  const records = createRecordSet(options.model, options.base);
  for (const entity of options.initialRecords?.entities ?? []) records.apply({ put: entity });
  records.raise(options.initialRecords?.counters ?? {});
  const { store } = createBatchedEntityStore(records, options.model, {
    encode: () => '',
    append: () => Promise.resolve(),
    isOutOfSpace: () => false,
    published: () => undefined,
    close: () => Promise.resolve(),
  });
  return { ...store, freeze: records.freeze, size: records.size };
};
