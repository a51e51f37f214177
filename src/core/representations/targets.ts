/** Collects what an entity refers to and fetches all of it at once. */
import { areMany, nextTurn } from '../../basics/long-work.ts';
import { targetTypeOf } from '../content/fields/field-type.ts';
import { entityKey, targetIds, type Entity, type EntityKey } from '../model/entity.ts';
import { oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';

/** Referenced entities by key, without dead references. */
export type Targets = ReadonlyMap<EntityKey, Entity>;

/** The entity's bundle. Throws (500) when the site no longer has it, because such a record cannot be read at all. */
export const bundleOf = (site: Site, entity: Entity): Bundle => {
  const bundle = site.model.bundle(entity.type, entity.bundle);
  if (bundle === undefined)
    throw new Error(`The site has no bundle "${entity.bundle}" for ${entity.type}:${entity.id}.`);
  return bundle;
};

/** The fields of a bundle that refer to entities, in the model's order. */
export const referencesOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => targetTypeOf(field) !== undefined),
);

/** The keys of everything that a field of an entity refers to, in item order. */
export const referenceKeys = (entity: Entity, field: FieldDefinition): EntityKey[] => {
  if (entity.fields[field.name] === undefined) return [];
  const type = targetTypeOf(field);
  return type === undefined ? [] : targetIds(entity, field.name).map((id) => entityKey(type, id));
};

const noTargets: Targets = new Map();

/** Fetches the entities of the keys in one call of the store, or in none without keys. Missing ones are left out. */
export const fetchTargets = async (
  store: Pick<EntityStore, 'getMany'>,
  keys: Iterable<EntityKey>,
): Promise<Targets> => {
  const wanted = [...keys];
  if (wanted.length === 0) return noTargets;
  if (areMany(wanted)) await nextTurn();
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
export const targetsOf = (entity: Entity, field: FieldDefinition, targets: Pick<Targets, 'get'>): Entity[] =>
  referenceKeys(entity, field).flatMap((key) => targets.get(key) ?? []);

/** The source field of a media type. Its name depends on the media type. */
export const sourceFieldOf = (bundle: Bundle): FieldDefinition | undefined =>
  bundle.source && bundle.fields.get(bundle.source.field);
