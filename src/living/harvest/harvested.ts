/** Finds the records that are harvested, each with the sets that it is in. */
import { termWithUri } from '../../core/content/index-keys.ts';
import { recordsOf } from '../../core/content/lists/list-records.ts';
import { eachOf, type Records } from '../../core/content/reading.ts';
import { mayView, type Viewer } from '../../core/content/views.ts';
import type { EntityStore } from '../../core/model/entity-store.ts';
import { entityKey, isPublished, items, labelOf, targetIds, type Entity } from '../../core/model/entity.ts';
import type { RecordList } from '../../core/site/record-list.ts';
import type { HarvestSet, HarvestSettings } from './harvest-settings.ts';

export type HarvestViewer = Viewer & { readonly records: Records; readonly store: Pick<EntityStore, 'list'> };

/** `sets` in the order of the site. */
export type Harvested = { readonly entity: Entity; readonly sets: readonly string[] };

/** In ascending id. A record that is in no set is not harvested. */
export const harvestedBy = (settings: HarvestSettings, viewer: HarvestViewer): readonly Harvested[] => {
  const found = recordsOf(nodesOf(settings), { path: {}, query: {} }, viewer);
  const judge = judgeOf(settings, viewer);
  const sets = eachOf(found, judge, { records: viewer.records, name: 'harvest' });
  return found.flatMap((entity, at) => {
    const own = sets[at] ?? [];
    return own.length === 0 ? [] : [{ entity, sets: own }];
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
