/** The collections of a document: which there are, what they begin with, and how a request for one is answered. */
import { type MakeAnswer, plainText } from '../answers/answer.ts';
import type { MakeSample } from '../answers/sample.ts';
import type { Operation } from '../document/operation.ts';
import { Refusal } from '../refusal.ts';
import { outlinesOf } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';
import { type Arranged, arranged } from './arranged.ts';
import { createCollectionAnswers } from './answers.ts';
import type { CollectionAnswer, CollectionRequest, OpenedRequest, SentValue } from './collection-request.ts';
import type { CollectionRecord, CollectionStore } from './collection-store.ts';
import { createExamplesBelow, isBelowOthers } from './examples-below.ts';
import { findCollections, type FindOptions } from './find-collections.ts';
import {
  type CollectionFlaw,
  type CollectionPlan,
  type CollectionRole,
  idsIn,
  keyOf,
  type NoCollection,
} from './plan.ts';
import { requireParents } from './required-records.ts';
import { createSeeds, type Seeds } from './seeds.ts';

export type Collections = {
  readonly plans: readonly CollectionPlan[];
  readonly others: readonly NoCollection[];
  readonly flaws: readonly CollectionFlaw[];
  /** What an operation does to which collection. */
  readonly servedBy: (
    operation: Operation,
  ) => { readonly plan: CollectionPlan; readonly role: CollectionRole } | undefined;
  /** The records with which each collection begins that is below no record of another application. */
  readonly seeds: () => ReadonlyMap<string, readonly CollectionRecord[]>;
  /** Gives the records of an author their keys. Undefined for a collection that the document does not have. */
  readonly arrange: (collection: string, records: readonly CollectionRecord[]) => Arranged | undefined;
  /** What of a record the document does not allow. Nothing for a collection that it does not have. */
  readonly faultsOf: (collection: string, value: unknown) => readonly Violation[];
  /** Looks for the records that a request names. Throws refusals of the kinds `absent` and `precondition`. */
  readonly open: (asked: CollectionRequest) => Promise<OpenedRequest>;
  /** Answers a request that was opened. */
  readonly answer: (asked: OpenedRequest, sent: SentValue | undefined) => Promise<CollectionAnswer>;
};

export type CollectionsOptions = Omit<FindOptions, 'outline'> & {
  readonly schemas: Schemas;
  readonly sample: MakeSample;
  readonly answers: MakeAnswer;
  /** Another one makes other samples. */
  readonly seed: string;
  readonly hasHandler: (operation: Operation) => boolean;
};

export const createCollections = (options: CollectionsOptions): Collections => {
  const outline = outlinesOf(options.schemas, 'response');
  const tools = { ...options, outline };
  const { plans, others, flaws } = findCollections(tools);
  const seeds = createSeeds(tools);
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  const byOperation = new Map(
    plans.flatMap((plan) => [...plan.operations].map(([operation, role]) => [operation, { plan, role }] as const)),
  );
  const begin = beginner(seeds);
  const shared = new Set(plans.filter(({ operations }) => [...operations.keys()].some(options.hasHandler)));
  const examplesBelow = createExamplesBelow(seeds, shared);
  const answers = createCollectionAnswers({ ...tools, plans, seeds });
  return {
    ...{ plans, others },
    flaws: [...flaws, ...plans.flatMap((plan) => seeds.flaws(plan))],
    servedBy: (operation) => byOperation.get(operation),
    seeds: () => seedsOf(plans, seeds),
    arrange: (collection, records) => {
      const plan = byName.get(collection);
      return plan && arranged(plan, records, options.schemas);
    },
    faultsOf: (collection, value) => {
      const plan = byName.get(collection);
      return plan === undefined ? [] : options.schemas.check(plan.record.media.schema ?? true, 'response')(value);
    },
    open: async (asked) => {
      const { plan, role, path, host } = asked;
      requireExactNumbers([...plan.parentParameters, plan.idParameter ?? ''].map((name) => path[name]));
      const parents = plan.parentParameters.map((name) => plainText(path[name]));
      await begin(plan, host.store);
      const seen = { ...asked, host: { ...host, store: await examplesBelow(host.store, plan, parents) } };
      await requireParents(plan, parents, seen);
      const own = plan.idParameter === undefined ? [] : [plainText(path[plan.idParameter])];
      const opened = {
        ...seen,
        parents,
        key: role === 'list' || role === 'create' ? '' : keyOf([...parents, ...own]),
      };
      await answers.requireRecord(opened);
      return opened;
    },
    answer: answers.answer,
  };
};

/** A number that JSON cannot hold would be read as another one. */
const requireExactNumbers = (ids: readonly unknown[]): void => {
  const inexact = ids.find((id) => Number.isInteger(id) && !Number.isSafeInteger(id));
  if (inexact !== undefined) throw new Refusal('absent', 'No record has a number of this size.');
};

/** The records with which a collection begins. `keysIn` are those of the records above. */
const beginningOf = (
  plan: CollectionPlan,
  seeds: Seeds,
  keysIn: (collection: string) => readonly string[],
): readonly CollectionRecord[] => {
  const { parent, isSingleton, parentParameters } = plan;
  if (isSingleton) return parent === undefined ? [{ id: keyOf([]), value: seeds.single(plan) }] : [];
  if (isBelowOthers(plan)) return parent?.collection === undefined ? seeds.named(plan) : [];
  if (parent?.collection === undefined) return seeds.records(plan, [[]]);
  return seeds.records(
    plan,
    keysIn(parent.collection.name).map((key) => idsIn(key, parentParameters.length)),
  );
};

const seedsOf = (plans: readonly CollectionPlan[], seeds: Seeds): ReadonlyMap<string, readonly CollectionRecord[]> => {
  const made = new Map<string, readonly CollectionRecord[]>();
  const keysIn = (collection: string): string[] => (made.get(collection) ?? []).map(({ id }) => id);
  for (const plan of plans) if (!isBelowOthers(plan)) made.set(plan.name, beginningOf(plan, seeds, keysIn));
  return made;
};

type Begin = (plan: CollectionPlan, store: CollectionStore) => Promise<void>;

/** Puts the records with which a collection begins, the first time that it is asked for. Where there is no room, it begins empty. */
const beginner = (seeds: Seeds): Begin => {
  const begin: Begin = async (plan, store) => {
    if (store.hasBegun(plan.name)) return;
    const above = plan.parent?.collection;
    if (above !== undefined) await begin(above, store);
    const put = (isEmpty: boolean): Promise<void> =>
      store.transact((view) => {
        if (!view.begin(plan.name) || isEmpty) return;
        const keysIn = (collection: string): string[] => view.list(collection).map(({ id }) => id);
        for (const { id, value } of beginningOf(plan, seeds, keysIn)) view.put(plan.name, id, value);
      });
    await put(false).catch((error: unknown) => {
      if (!isWithoutSpace(error)) throw error;
      return put(true).catch(() => undefined);
    });
  };
  return begin;
};

const isWithoutSpace = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 507;
