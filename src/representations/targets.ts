/** What an entity refers to, and how all of it is fetched at once. How references are shown is not decided here. */
import { entityKey, entityTypes, targetIds, type Entity, type EntityKey, type EntityType } from '../model/entity.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';

/** Referenced entities by key; dead references are absent. */
export type Targets = ReadonlyMap<EntityKey, Entity>;

/** The entity's bundle. Throws (500) when a record's bundle has left the site: such a record cannot be read at all. */
export const bundleOf = (site: Site, entity: Entity): Bundle => {
  const bundle = site.model.bundle(entity.type, entity.bundle);
  if (bundle === undefined)
    throw new Error(`The site has no bundle "${entity.bundle}" for ${entity.type}:${entity.id}.`);
  return bundle;
};

/** A function of a bundle whose result is remembered: bundles are few, and every answer asks. */
export const oncePerBundle = <T extends object>(make: (bundle: Bundle) => T): ((bundle: Bundle) => T) => {
  const made = new WeakMap<Bundle, T>();
  return (bundle) => {
    const known = made.get(bundle);
    if (known !== undefined) return known;
    const result = make(bundle);
    made.set(bundle, result);
    return result;
  };
};

/** The fields of a bundle that refer to entities, in the model's order. */
export const referencesOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => targetTypeOf(field) !== undefined),
);

/** The entity type that a field refers to; undefined for other fields and for references to bundles. */
export const targetTypeOf = (field: FieldDefinition): EntityType | undefined =>
  entityTypes.find((type) => type === field.target?.type);

/** The keys of everything that a field of an entity refers to, in item order. */
export const referenceKeys = (entity: Entity, field: FieldDefinition): EntityKey[] => {
  if (entity.fields[field.name] === undefined) return [];
  const type = targetTypeOf(field);
  return type === undefined ? [] : targetIds(entity, field.name).map((id) => entityKey(type, id));
};

const noTargets: Targets = new Map();

/** Fetches all in one call (house 1.12), or in none when there is nothing to fetch. */
export const fetchTargets = async (
  store: Pick<EntityStore, 'getMany'>,
  keys: Iterable<EntityKey>,
): Promise<Targets> => {
  const wanted = [...keys];
  if (wanted.length === 0) return noTargets;
  const found = await store.getMany(wanted);
  const targets = new Map<EntityKey, Entity>();
  for (let at = 0; at < wanted.length; at += 1) {
    const key = wanted[at];
    const target = found[at];
    if (key !== undefined && target !== undefined) targets.set(key, target);
  }
  return targets;
};

/** The entities behind a reference field, in item order, without the dead ones. */
export const targetsOf = (entity: Entity, field: FieldDefinition, targets: Targets): Entity[] =>
  referenceKeys(entity, field).flatMap((key) => targets.get(key) ?? []);

/** The source field of a media type (contract: "the field's name depends on the media type"). */
export const sourceFieldOf = (bundle: Bundle): FieldDefinition | undefined =>
  bundle.source && bundle.fields.get(bundle.source.field);
