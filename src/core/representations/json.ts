/** Renders an entity in the `json` format. `json-items.ts` writes the items of its fields. */
import { may, type Principal } from '../model/principal.ts';
import {
  bundleTypes,
  identityFields,
  items,
  type Entity,
  type EntityKey,
  type Json,
  type JsonObject,
} from '../model/entity.ts';
import { oncePerBundle, type Bundle } from '../model/bundle.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { World } from '../world.ts';
import { visibleBundle } from '../content/fields/restricted-fields.ts';
import { areMany } from '../../basics/long-work.ts';
import { computedFieldsOf, computedItems, jsonItems } from './json-items.ts';
import { bundleOf, fetchTargets, referenceKeys, referencesOf, type Targets } from './targets.ts';

export type JsonContext = Pick<World, 'site' | 'baseUrl' | 'basePath'> & {
  readonly store: Pick<EntityStore, 'getMany' | 'present'>;
  /** The principal who reads. Only accounts depend on the viewer: without one their private fields are left out. */
  readonly viewer?: Principal | undefined;
};

/**
 * A record with all fields of its bundle, in the model's order, `[]` where empty. References are shown to every viewer.
 * All targets are fetched in one call.
 */
export const renderJson = async (
  entity: Entity,
  context: JsonContext,
  request: 'read' | 'write' = 'write',
): Promise<JsonObject> => {
  const bundle = visibleBundle(bundleOf(context.site, entity), entity, context.viewer);
  const emptyBody = emptyBodyFor(entity, bundle, context.viewer, request);
  const targets =
    presentTargets(entity, context) ??
    (await fetchTargets(context.store, visibleTargetKeys(entity, bundle, emptyBody)));
  const itemContext = { ...context, targets };
  const identity = identityFields[entity.type];
  const body: Record<string, Json> = { ...emptyBody };
  for (const name of Object.keys(entity.fields)) {
    const stored = items(entity, name);
    const field = bundle.fields.get(name);
    if (field === undefined || stored.length === 0 || !(name in emptyBody)) continue;
    const shown = jsonItems(stored, itemContext, field);
    body[name] = shown instanceof Promise ? await shown : shown;
  }
  for (const name of computedFieldsOf(bundle)) {
    if (name in emptyBody) body[name] = computedItems(name, entity, context);
  }
  if (identity.id in emptyBody) body[identity.id] = [{ value: entity.id }];
  if ('uuid' in emptyBody) body['uuid'] = [{ value: entity.uuid }];
  // A record stores its bundle apart from its fields.
  if (identity.bundle !== undefined) body[identity.bundle] = emptyBody[identity.bundle] ?? [];
  return body;
};

/** What a record refers to, where it is in memory. Undefined for long lists: they are written in several turns, and show one moment. */
const presentTargets = ({ fields }: Entity, { store: { present } }: JsonContext): Pick<Targets, 'get'> | undefined => {
  for (const name in fields) if (areMany(fields[name] ?? [])) return undefined;
  return present;
};

/** The keys of everything that the visible fields refer to. */
const visibleTargetKeys = (entity: Entity, bundle: Bundle, emptyBody: JsonObject): EntityKey[] => {
  const keys: EntityKey[] = [];
  for (const field of referencesOf(bundle)) {
    if (field.name in emptyBody) keys.push(...referenceKeys(entity, field));
  }
  return keys;
};

/** The body of a record without values, as the viewer sees it. The same object for all records of a kind. */
export const emptyBodyFor = (
  entity: Entity,
  bundle: Bundle,
  viewer: Principal | undefined,
  request: 'read' | 'write',
): JsonObject => {
  if (entity.type === 'user') return visibleUserBody(entity, bundle, viewer);
  return request === 'read' && bundle.entityType === 'taxonomy_term' ? readTermOf(bundle) : emptyBodyOf(bundle);
};

/** The body of a record without values: every field of its bundle, in order. */
const emptyBodyOf = oncePerBundle((bundle) => makeEmptyBody(bundle, [...bundle.fields.keys()]));

/**
 * The real site reads a description from two columns of the term's own row, which are there without a description, too.
 * The answer to a write does not read them: it has an empty list.
 */
const readTermOf = oncePerBundle((bundle) =>
  makeEmptyBody(bundle, [...bundle.fields.keys()], { description: [{ value: null, format: null, processed: '' }] }),
);

/** What an account keeps to itself and to those who administer accounts. */
const ownUserFields: readonly string[] = ['preferred_langcode', 'preferred_admin_langcode', 'mail', 'timezone'];
/** What only those see who administer accounts: the real site hides it from the account itself. */
const hiddenUserFields: readonly string[] = ['status', 'access', 'login', 'init', 'roles'];

const emptyBodyWithout = (hidden: readonly string[]): ((bundle: Bundle) => JsonObject) =>
  oncePerBundle((bundle) =>
    makeEmptyBody(
      bundle,
      [...bundle.fields.keys()].filter((name) => !hidden.includes(name)),
    ),
  );
const ownUserBodyOf = emptyBodyWithout(hiddenUserFields);
const publicUserBodyOf = emptyBodyWithout([...hiddenUserFields, ...ownUserFields]);

const visibleUserBody = (user: Entity, bundle: Bundle, viewer: Principal | undefined): JsonObject => {
  if (viewer === undefined) return publicUserBodyOf(bundle);
  if (may(viewer, 'administer users')) return emptyBodyOf(bundle);
  return viewer.uid === user.id ? ownUserBodyOf(bundle) : publicUserBodyOf(bundle);
};

const makeEmptyBody = (bundle: Bundle, names: readonly string[], others: JsonObject = {}): JsonObject => {
  const identity = identityFields[bundle.entityType].bundle;
  const fields = names.map((name) => [
    name,
    name === identity ? [bundleReference(bundle)] : (others[name] ?? emptyField(bundle, name)),
  ]);
  // V8 makes a slow hash table of an object with so many properties. JSON.parse returns a fast object.
  return JSON.parse(JSON.stringify(Object.fromEntries(fields))) as JsonObject; // the fields are JSON
};

/** A reference to a bundle has no `url`. The type of a redirect is a text. */
const bundleReference = ({ entityType, id, uuid }: Bundle): JsonObject =>
  entityType === 'redirect'
    ? { value: id }
    : { target_id: id, target_type: bundleTypes[entityType] ?? entityType, target_uuid: uuid };

/** A term without a parent refers to the root of its vocabulary, which has no id. */
const emptyField = (bundle: Bundle, name: string): readonly JsonObject[] =>
  bundle.entityType === 'taxonomy_term' && name === 'parent' ? [{ target_id: null }] : [];
