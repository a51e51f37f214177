/** Tells hosts and people which collections a document has, and what is none. */
import type { Violation } from '../schemas/violations.ts';
import type { Arranged } from './arranged.ts';
import type { CollectionRecord } from './collection-store.ts';
import type { Collections } from './collections.ts';
import type { CollectionFlaw, CollectionPlan, NoCollection } from './plan.ts';

export type CollectionSummary = {
  /** Under which its records are stored. */
  readonly name: string;
  /** `/books` */
  readonly path: string;
  /** `/books/{bookId}`; undefined for one record alone. */
  readonly itemPath: string | undefined;
  /** The name of the collection of the records above. */
  readonly parent: string | undefined;
  readonly isSingleton: boolean;
  readonly idMember: string | undefined;
  /** Parameters of the query that have no effect. */
  readonly ignored: readonly string[];
};

export type CollectionsOfDocument = {
  readonly summaries: readonly CollectionSummary[];
  readonly others: readonly NoCollection[];
  /** Settings that are not right, and examples that are left out. */
  readonly flaws: readonly CollectionFlaw[];
  /** The records that each collection begins with, by its name. Those below records of another application begin later. */
  readonly seeds: () => ReadonlyMap<string, readonly CollectionRecord[]>;
  /** Gives the records of an author their keys. Undefined for a collection that the document does not have. */
  readonly arrange: (collection: string, records: readonly CollectionRecord[]) => Arranged | undefined;
  /** What of a record the document does not allow. Nothing for a collection that it does not have. */
  readonly faultsOf: (collection: string, value: unknown) => readonly Violation[];
};

/** None where nothing is remembered. */
export const ofDocument = (collections: Collections | undefined): CollectionsOfDocument => {
  if (collections === undefined)
    return {
      summaries: [],
      others: [],
      flaws: [],
      seeds: () => new Map(),
      arrange: () => undefined,
      faultsOf: () => [],
    };
  const { plans, ...rest } = collections;
  return { summaries: plans.map(summaryOf), ...rest };
};

const summaryOf = ({
  name,
  path,
  idParameter,
  parent,
  isSingleton,
  idMember,
  list,
}: CollectionPlan): CollectionSummary => ({
  ...{ name, path, isSingleton, idMember, parent: parent?.collection?.name },
  itemPath: idParameter === undefined ? undefined : `${path}/{${idParameter}}`,
  ignored: list?.query.ignored ?? [],
});
