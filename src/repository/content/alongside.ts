/** Changes collections in the decision that changes a record, so that both are stored or none. */
import { type CollectionsView, type CollectionWriter, writerIn, Problem } from '../../openapi/openapi-terms.ts';
import type { CollectionDecisions, Decision, Entity, StoreView } from '../../openapi/openapi-records.ts';

/**
 * What a handler does in the transaction of its change of a record. `record` is as it will be stored; of a deletion, as it was. It runs
 * without a pause. What it throws, the change throws, and nothing is stored.
 */
export type Alongside = {
  readonly alongside?: (collection: <Value>(name: string) => CollectionWriter<Value>, record: Entity) => void;
};

/** The decision with the changes of collections. No reaction of the site hears of those. */
export const withCollections = <T>(
  decision: Decision<T>,
  view: StoreView,
  {
    collections,
    write,
  }: {
    readonly collections: CollectionDecisions | undefined;
    readonly write: (collections: CollectionsView, result: T) => void;
  },
): Decision<T> => {
  if (collections === undefined) throw new Problem(501, 'A server whose records are in a database has no collections.');
  const { changes, counters } = collections.decideIn(view, (opened) => write(opened, decision.result));
  return { ...decision, changes: [...decision.changes, ...changes], counters };
};

/** Calls `alongside` with the record of a decision. */
export const writeOf =
  <T>({ alongside }: Alongside, recordOf: (result: T) => Entity | undefined) =>
  (collections: CollectionsView, result: T): void => {
    const record = recordOf(result);
    if (record !== undefined) alongside?.((name) => writerIn(collections, name), record);
  };
