/** Finds the records that are harvested, each with the sets that it is in. */
import { everyOf, termWithUri } from '../../model/index-keys.ts';
import { changedOf } from '../../content/lists/record-filter.ts';
import { recordsOf } from '../../content/lists/list-records.ts';
import { eachOf, readFrom, type Records } from '../../model/reading.ts';
import { mayView, type Viewer } from '../../content/views.ts';
import { isPublished, labelOf, targetIds } from '../../model/entity.ts';
import type { Principal } from '../../model/principal.ts';
import type { RecordList } from '../../site/record-list.ts';
import type { HarvestSet, HarvestSettings } from './harvest-settings.ts';
import { type EntityStore, entityKey, firstValue, items, type Entity } from '../../../openapi/openapi-records.ts';

export type HarvestViewer = Viewer & { readonly records: Records; readonly store: EntityStore };

/** What lists ask of a record: its times in seconds since 1970, and `sets` in the order of the site. */
export type Harvested = {
  readonly id: number;
  readonly created: number;
  readonly changed: number;
  readonly sets: readonly string[];
};

type HarvestList = Promise<readonly Harvested[]>;
type Kept = { byPrincipal: WeakMap<Principal, Map<HarvestSettings, HarvestList>> };

/** Lists end with their store. */
const listsOf = new WeakMap<EntityStore, Kept>();

/** In ascending id. A record that is in no set is not harvested. All parts of a harvest are parts of one list, until a node or a term changes. */
export const harvestedBy = (settings: HarvestSettings, viewer: HarvestViewer): readonly Harvested[] => {
  // A reply that is kept depends on the same records as the list.
  for (const uri of settings.sets.flatMap((set) => set.without_models)) viewer.records.lookup(termWithUri(uri));
  return viewer.records.later('harvest', [settings], () => keptList(settings, viewer), everyOf('node')) ?? [];
};

const keptList = (settings: HarvestSettings, viewer: HarvestViewer): HarvestList => {
  const kept = keptIn(viewer.store);
  const own = kept.byPrincipal.get(viewer.principal) ?? new Map<HarvestSettings, HarvestList>();
  kept.byPrincipal.set(viewer.principal, own);
  const known = own.get(settings);
  if (known !== undefined) return known;
  const made = readFrom(viewer.store, (records) => judged(settings, { ...viewer, records }));
  own.set(settings, made);
  made.catch(() => own.delete(settings));
  return made;
};

const keptIn = (store: EntityStore): Kept => {
  const present = listsOf.get(store);
  if (present !== undefined) return present;
  const kept: Kept = { byPrincipal: new WeakMap() };
  listsOf.set(store, kept);
  store.watch((_touched, changed) => {
    if (changed.some(({ key }) => /^(?:node|taxonomy_term):/.test(key))) kept.byPrincipal = new WeakMap();
  });
  return kept;
};

const judged = (settings: HarvestSettings, viewer: HarvestViewer): readonly Harvested[] => {
  const found = recordsOf(nodesOf(settings), { path: {}, query: {} }, viewer);
  const sets = eachOf(found, judgeOf(settings, viewer), { records: viewer.records, name: 'sets' });
  return found.flatMap((entity, at) => {
    const own = sets[at] ?? [];
    const created = Number(firstValue(entity, 'created') ?? 0);
    return own.length === 0 ? [] : [{ id: entity.id, created, changed: changedOf(entity) ?? 0, sets: own }];
  });
};

/** The sets of one record; none where it is not harvested. */
export const setsOf = (entity: Entity, settings: HarvestSettings, viewer: HarvestViewer): readonly string[] =>
  mayView(entity, viewer) ? judgeOf(settings, viewer)(entity) : [];

const lists = new WeakMap<HarvestSettings, RecordList>();

/** The list of all nodes of the bundles in the sets. It is kept, because work on it is known by the list. */
const nodesOf = (settings: HarvestSettings): RecordList => {
  const known = lists.get(settings);
  if (known !== undefined) return known;
  const bundles = [...new Set(settings.sets.flatMap((set) => set.bundles))];
  const list: RecordList = {
    ...{ path: settings.path, label: settings.name, entityType: 'node', arguments: [], parameters: [], order: [] },
    tests: [{ field: { name: 'type', property: undefined }, equals: bundles }],
    ...{ columns: undefined, pageSize: undefined, largestPage: undefined, limit: undefined },
    ...{ permissions: [], roles: [], formats: ['json'], providers: [] },
  };
  lists.set(settings, list);
  return list;
};

const judgeOf = (settings: HarvestSettings, viewer: HarvestViewer): ((entity: Entity) => readonly string[]) => {
  const judges = settings.sets.map((set) => judgeOfSet(set, viewer));
  return (entity) => (isPublished(entity) ? judges.flatMap((judge) => judge(entity)) : []);
};

const judgeOfSet = (set: HarvestSet, { records }: HarvestViewer): ((entity: Entity) => readonly string[]) => {
  const unwanted = new Set(set.without_models.flatMap((uri) => records.lookup(termWithUri(uri)).map(({ id }) => id)));
  const isIn = (entity: Entity): boolean => {
    const models = targetIds(entity, 'field_model');
    return (
      set.bundles.includes(entity.bundle) &&
      (models.length === 0 ? !set.needs_model : models.some((model) => !unwanted.has(model))) &&
      set.without.every((field) => items(entity, field).length === 0)
    );
  };
  if ('id' in set) return (entity) => (isIn(entity) ? [set.id] : []);
  return (entity) =>
    isIn(entity)
      ? targetIds(entity, set.by).flatMap((id) =>
          records.get(entityKey('node', id)) === undefined ? [] : [`node:${id}`],
        )
      : [];
};

/** A set with its name. Sets without records are not there. */
export type NamedSet = { readonly spec: string; readonly name: string };

/** In the order of the site; those of one field by the ids of the nodes. The name of one that may not be viewed is its id. */
export const namedSets = (
  harvested: readonly Harvested[],
  settings: HarvestSettings,
  viewer: HarvestViewer,
): readonly NamedSet[] => {
  const present = new Set(harvested.flatMap(({ sets }) => sets));
  const nodes = [...present].flatMap((spec) => /^node:(\d+)$/.exec(spec)?.[1] ?? []).map(Number);
  const byNode = nodes
    .sort((a, b) => a - b)
    .map((id): NamedSet => {
      const node = viewer.records.get(entityKey('node', id));
      return { spec: `node:${id}`, name: node !== undefined && mayView(node, viewer) ? labelOf(node) : `node:${id}` };
    });
  return settings.sets.flatMap((set) => {
    if ('by' in set) return byNode;
    return present.has(set.id) ? [{ spec: set.id, name: set.label }] : [];
  });
};
