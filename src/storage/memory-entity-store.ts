/** An entity store that lives and ends with the process and writes no file. */
import type { Entity } from '../model/entity.ts';
import { createBatchedEntityStore } from './batched-entity-store.ts';
import type { EntityStore, IndexKeys } from '../model/entity-store.ts';
import type { FrozenRecords } from './record-layer.ts';
import { createRecordSet } from './record-set.ts';
import type { Counters } from './record-set.ts';

/** Records to begin with. Counters are lifted to the records' ids in any case. */
export type Seed = { readonly entities: Iterable<Entity>; readonly counters: Counters };

/** A store in memory, and what it can do beside the port. */
export type MemoryEntityStore = EntityStore & {
  /** The published records as they are now, for keeps. See `RecordSet.freeze` for what it costs. */
  freeze(): FrozenRecords;
};

/**
 * Same semantics as the durable store (one suite), except that "durable" means "in memory". Over `base` it holds only
 * what differs from it, and costs the same whatever the size of the base.
 */
export const createMemoryEntityStore = (options: {
  readonly indexes: IndexKeys;
  readonly seed?: Seed | undefined;
  readonly base?: FrozenRecords | undefined;
}): MemoryEntityStore => {
  const records = createRecordSet(options.indexes, options.base);
  for (const entity of options.seed?.entities ?? []) records.apply({ put: entity });
  records.raise(options.seed?.counters ?? {});
  const { store } = createBatchedEntityStore(() => records, options.indexes, {
    encode: () => '',
    append: () => Promise.resolve(),
    isCramped: () => false,
    published: () => undefined,
    close: () => Promise.resolve(),
  });
  return { ...store, freeze: records.freeze };
};
