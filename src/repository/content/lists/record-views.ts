/**
 * Keeps sorted and filtered lists of a store's records, so that each page of a long list costs the same. A list is made when
 * it is first asked for. When it is asked for again, the records that changed since are put in their places.
 */
import type { ContentFilter } from './record-filter.ts';
import { createLruMap, type LruMap } from '../../../basics/lru-map.ts';
import { mediaOf, membersOf } from '../../model/index-keys.ts';
import { beginSlices, mapInSlices } from '../../../basics/long-work.ts';
import { compareRecords, listed, passesFilter } from './record-filter.ts';
import type { ListedRecord } from './record-filter.ts';
import { withSteps, type Step } from './record-steps.ts';
import { filterInSlices, positionIn, sortInSlices } from './sliced-arrays.ts';
import { entityKey, type EntityKey, type EntityStore, type RecordOrder } from '../../../openapi/openapi-records.ts';

/** The lists of a type that are kept. One of 100,000 records takes 800 KB, and the facts about its records about 25 MB. */
const maxViews = 12;

/** After so many changes all lists of a type are dropped, and made again when they are asked for. */
const maxChanges = 20_000;

/** The records after so many steps of their type. The array never changes. */
type State = { readonly records: readonly ListedRecord[]; readonly steps: number };

type View = {
  readonly order: RecordOrder;
  readonly filter: ContentFilter;
  state: State | undefined;
  /** Ends when nobody works on the list. */
  turn: Promise<unknown>;
};

type Kept = {
  readonly store: EntityStore;
  readonly type: string;
  readonly views: LruMap<string, View>;
  /** The list of all records in the order of their ids. The steps of the other lists come from here. */
  readonly all: View;
  /** What happened to the list of all records since it was made. */
  readonly steps: Step[];
  /** The ids of records that changed, and no step yet says how. */
  readonly changed: Set<number>;
};

const newView = (order: RecordOrder, filter: ContentFilter): View => ({
  ...{ order, filter, state: undefined },
  turn: Promise.resolve(),
});

type Find = (type: string, order: RecordOrder, filter: ContentFilter) => Promise<State>;

/** The lists of a store end with it. */
const known = new WeakMap<EntityStore, Find>();

/** The records of a type that pass the filter, in ascending order. The array never changes. */
export const recordView = async (
  store: EntityStore,
  type: string,
  order: RecordOrder,
  filter: ContentFilter,
): Promise<readonly ListedRecord[]> => {
  const find = known.get(store) ?? createViews(store);
  known.set(store, find);
  return (await find(type, order, filter)).records;
};

const createViews = (store: EntityStore): Find => {
  const byType = new Map<string, Kept>();
  store.watch((_touched, changed) => {
    for (const { key } of changed) noteChange(byType, key);
  });
  return (type, order, filter) => {
    const kept = byType.get(type) ?? {
      ...{ store, type, views: createLruMap<string, View>(maxViews), all: newView('id', {}) },
      ...{ steps: [], changed: new Set<number>() },
    };
    byType.set(type, kept);
    return findView(kept, order, filter);
  };
};

const noteChange = (byType: Map<string, Kept>, key: EntityKey): void => {
  const [type, id] = key.split(':');
  for (const [each, { changed, steps }] of byType) {
    if (each !== type) continue;
    changed.add(Number(id));
    if (changed.size + steps.length > maxChanges) byType.delete(each);
  }
};

const findView = (kept: Kept, order: RecordOrder, filter: ContentFilter): Promise<State> => {
  const { views } = kept;
  const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined);
  if (order === 'id' && !isFiltered) return inTurn(kept.all, () => everyRecord(kept));
  const key = JSON.stringify([order, filter]);
  const view = views.get(key) ?? newView(order, filter);
  views.set(key, view);
  return inTurn(view, async () => {
    const { state } = view;
    if (state === undefined) return firstState(kept, view, isFiltered);
    const { steps } = await findView(kept, 'id', {});
    const records = await withSteps(state.records, kept.steps.slice(state.steps, steps), view);
    return { records, steps };
  });
};

/** One piece of work on a list after another. A failure leaves the list as it was. */
const inTurn = (view: View, work: () => Promise<State>): Promise<State> => {
  const done = view.turn.then(async () => {
    view.state = await work();
    return view.state;
  });
  view.turn = done.catch(() => undefined);
  return done;
};

/** The list of all records, with what changed since. Says in `steps` how it differs from before. */
const everyRecord = async ({ store, type, all, steps, changed }: Kept): Promise<State> => {
  if (all.state === undefined) {
    changed.clear();
    return { records: await listAll(store, type), steps: 0 };
  }
  if (changed.size === 0) return all.state;
  const ids = [...changed];
  changed.clear();
  const { records } = all.state;
  const entities = await store.getMany(ids.map((id) => entityKey(type, id))).catch((error: unknown) => {
    for (const id of ids) changed.add(id);
    throw error;
  });
  const found = await mapInSlices(entities, (entity) => (entity === undefined ? undefined : listed(entity)));
  const fresh = ids.map((id, at): Step => ({ before: recordWithId(records, id), after: found[at] }));
  const next = await withSteps(records, fresh, all);
  steps.push(...fresh);
  return { records: next, steps: steps.length };
};

/** How many records are read together. */
const recordsOfPage = 256;

/**
 * All records of a type, in pages, so that memory never has all of them at once. Where records of earlier pages are
 * removed meanwhile, the next page begins earlier, so that none is left out.
 */
const listAll = async (store: EntityStore, type: string): Promise<readonly ListedRecord[]> => {
  const records: ListedRecord[] = [];
  const slices = beginSlices();
  let removed = 0;
  const unwatch = store.watch((_touched, changed) => {
    removed += changed.filter(({ key, isRemoved }) => isRemoved && key.startsWith(`${type}:`)).length;
  });
  try {
    for (;;) {
      const offset = Math.max(0, records.length - removed);
      const { entities, total } = await store.list(type, { offset, limit: recordsOfPage + removed });
      const last = records.at(-1)?.id ?? -Infinity;
      for (const entity of entities) if (entity.id > last) records.push(listed(entity));
      if (offset + entities.length >= total || entities.length === 0) return records;
      if (slices.isOver()) await slices.next();
    }
  } finally {
    unwatch();
  }
};

const recordWithId = (records: readonly ListedRecord[], id: number): ListedRecord | undefined => {
  const found = records[positionIn(records, (record) => record.id < id)];
  return found?.id === id ? found : undefined;
};

/** Takes the records from an index where there is one, else from the list of all in the same order. */
const firstState = async (kept: Kept, { order, filter }: View, isFiltered: boolean): Promise<State> => {
  const passes = (record: ListedRecord): boolean => passesFilter(filter, record);
  const index = indexOf(kept.type, filter);
  if (index !== undefined) {
    const { records, steps } = await findView(kept, 'id', {});
    // After the list of all: whatever enters the index in between is in a step to come.
    const [found = []] = await kept.store.lookupMany([index]);
    const present = await mapInSlices(found, ({ id }) => recordWithId(records, id));
    const passing = present.filter((record) => record !== undefined).filter(passes);
    return { records: await sortInSlices(passing, compareRecords(order)), steps };
  }
  if (isFiltered) {
    const { records, steps } = await findView(kept, order, {});
    return { records: await filterInSlices(records, passes), steps };
  }
  const { records, steps } = await findView(kept, 'id', {});
  return { records: await sortInSlices(records, compareRecords(order)), steps };
};

const indexOf = (type: string, { memberOf, mediaOf: node }: ContentFilter): string | undefined => {
  if (type === 'node' && memberOf !== undefined) return membersOf(memberOf);
  return type === 'media' && node !== undefined ? mediaOf(node) : undefined;
};
