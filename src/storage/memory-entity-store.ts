/** An entity store that lives and ends with the process and writes no file. */
import type { Entity } from '../content/entity.ts';
import { createBatchedEntityStore } from './batched-entity-store.ts';
import type { EntityStore, IndexKeys } from './entity-store.ts';
import { createRecordSet } from './record-set.ts';
import type { Counters } from './record-set.ts';

/** Records to begin with. Counters are lifted to the records' ids in any case. */
export type Seed = { readonly entities: Iterable<Entity>; readonly counters: Counters };

/** Same semantics as the durable store (one suite), except that "durable" means "in memory". */
export const createMemoryEntityStore = (options: {
  readonly indexes: IndexKeys;
  readonly seed?: Seed | undefined;
}): EntityStore => {
  const records = createRecordSet(options.indexes);
  for (const entity of options.seed?.entities ?? []) records.apply({ put: entity });
  records.raise(options.seed?.counters ?? {});
  return createBatchedEntityStore(() => records, options.indexes, {
    encode: () => '',
    append: () => Promise.resolve(),
    isCramped: () => false,
    published: () => undefined,
    close: () => Promise.resolve(),
  });
};
