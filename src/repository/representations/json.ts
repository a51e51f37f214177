/**
 * Writes a record in the `json` format: every field of its bundle that the viewer may see, in the model's order, `[]` where empty.
 * References are shown to every viewer. `json-items.ts` writes the items of the fields, `json-text.ts` a text of the same members.
 */
import { bundleOf, oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import { identityOf } from '../model/entity.ts';
import { may, type Principal } from '../model/principal.ts';
import { visibleBundle } from '../content/fields/field-access.ts';
import type { JsonContext } from '../fields/field-type.ts';
import { computedFieldsOf, computedItems, type ComputedName, jsonItems } from './json-items.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

/** What a member of the body shows: the stored items of a field, or items that are made of the record. */
type Source = FieldDefinition | 'id' | 'uuid' | 'bundle' | ComputedName;

/** `blank` is the value in a record that has none. */
export type Member = { readonly name: string; readonly source: Source; readonly blank: readonly JsonObject[] };

/** What records of a kind have in common, for viewers who may see the same. */
export type Kind = { readonly emptyBody: JsonObject; readonly members: readonly Member[] };

/** The empty bodies live as long as their bundles. */
const kinds = new WeakMap<JsonObject, Kind>();

/** The same object for all records of a kind. */
export const kindOf = (
  entity: Entity,
  { site, viewer }: Pick<JsonContext, 'site' | 'viewer'>,
  request: 'read' | 'write',
): Kind => {
  const bundle = visibleBundle(bundleOf(site, entity), entity, viewer);
  const emptyBody = emptyBodyFor(entity, bundle, viewer, request);
  const known = kinds.get(emptyBody);
  if (known !== undefined) return known;
  const kind = { emptyBody, members: membersOf(emptyBody, bundle) };
  kinds.set(emptyBody, kind);
  return kind;
};

const membersOf = (emptyBody: JsonObject, bundle: Bundle): readonly Member[] => {
  const identity = identityOf(bundle.entityType);
  const sourceOf = (name: string): Source => {
    // A record stores its bundle apart from its fields.
    if (name === identity.bundle) return 'bundle';
    if (name === 'uuid') return 'uuid';
    if (name === identity.id) return 'id';
    return computedFieldsOf(bundle).find((computed) => computed === name) ?? bundle.fields.get(name) ?? 'bundle';
  };
  const names = new Set([...Object.keys(emptyBody), ...(identity.bundle === undefined ? [] : [identity.bundle])]);
  // The values of an empty body are lists of items.
  return [...names].map((name) => ({
    name,
    source: sourceOf(name),
    blank: (emptyBody[name] ?? []) as readonly JsonObject[],
  }));
};

/** The items that a record shows of a member; `blank` itself where it has none. */
export const itemsOf = (
  { name, source, blank }: Member,
  entity: Entity,
  context: JsonContext,
): readonly JsonObject[] => {
  if (typeof source !== 'string') {
    const stored = entity.fields[name];
    return stored === undefined || stored.length === 0 ? blank : jsonItems(stored, context, source);
  }
  if (source === 'bundle') return blank;
  if (source === 'id') return [{ value: entity.id }];
  return source === 'uuid' ? [{ value: entity.uuid }] : computedItems(source, entity, context);
};

/** The record as an object. */
export const renderJson = (entity: Entity, context: JsonContext, request: 'read' | 'write' = 'write'): JsonObject => {
  const { emptyBody, members } = kindOf(entity, context, request);
  const body: Record<string, Json> = { ...emptyBody };
  for (const member of members) body[member.name] = itemsOf(member, entity, context);
  return body;
};

/** The body of a record without values, as the viewer sees it. The same object for all records of a kind. */
const emptyBodyFor = (
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
const addressedUserBodyOf = emptyBodyWithout([...hiddenUserFields, ...ownUserFields.filter((name) => name !== 'mail')]);

const visibleUserBody = (user: Entity, bundle: Bundle, viewer: Principal | undefined): JsonObject => {
  if (viewer === undefined) return publicUserBodyOf(bundle);
  if (may(viewer, 'administer users')) return emptyBodyOf(bundle);
  if (viewer.uid === user.id) return ownUserBodyOf(bundle);
  return may(viewer, 'view user email addresses') ? addressedUserBodyOf(bundle) : publicUserBodyOf(bundle);
};

const makeEmptyBody = (bundle: Bundle, names: readonly string[], others: JsonObject = {}): JsonObject => {
  const identity = identityOf(bundle.entityType).bundle;
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
    : { target_id: id, target_type: identityOf(entityType).bundleType ?? entityType, target_uuid: uuid };

/** A term without a parent refers to the root of its vocabulary, which has no id. */
const emptyField = (bundle: Bundle, name: string): readonly JsonObject[] =>
  bundle.entityType === 'taxonomy_term' && name === 'parent' ? [{ target_id: null }] : [];
