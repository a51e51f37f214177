/**
 * Writes a record in the `json` format: every field of its bundle that the viewer may see, in the model's order, `[]` where empty.
 * References are shown to every viewer. `json-items.ts` writes the items of the fields, `json-text.ts` a text of the same members.
 */
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { identityFields, type Entity, type Json, type JsonObject } from '../model/entity.ts';
import { visibleBundle } from '../content/fields/field-access.ts';
import { emptyBodyFor } from './empty-body.ts';
import { computedFieldsOf, computedItems, type ComputedName, jsonItems, type ItemContext } from './json-items.ts';
import { bundleOf } from './targets.ts';

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
  { site, viewer }: Pick<ItemContext, 'site' | 'viewer'>,
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
  const identity = identityFields[bundle.entityType];
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
  context: ItemContext,
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
export const renderJson = (entity: Entity, context: ItemContext, request: 'read' | 'write' = 'write'): JsonObject => {
  const { emptyBody, members } = kindOf(entity, context, request);
  const body: Record<string, Json> = { ...emptyBody };
  for (const member of members) body[member.name] = itemsOf(member, entity, context);
  return body;
};
