/** Reads the base fields that modules add: the URL alias of a record, and the fields that are shown but not stored. */
import type { Bundle } from '../model/bundle.ts';
import { translatedTypes } from '../model/base-fields.ts';
import { items, type Entity, type Json, type JsonObject } from '../model/entity.ts';

const computed: ReadonlySet<string> = new Set(['metatag', 'moderation_state', 'did_image']);

/**
 * The body without the fields that a record shows but does not keep, and without a path that has no alias: clients send such
 * a path with every record. A path with a number and no alias takes the alias away, so it stays. A site without aliases takes
 * such a path of a new term alone.
 */
export const withoutComputed = (body: JsonObject, bundle: Bundle, request: 'create' | 'change'): JsonObject => {
  const names = Object.keys(body).filter((name) =>
    name === 'path' ? isPathDropped(body, bundle, request) : isComputed(name, bundle),
  );
  return names.length === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
};

/** Whether a record shows the field and does not keep values that are sent for it. */
export const isComputed = (name: string, bundle: Bundle): boolean => computed.has(name) && isBaseField(bundle, name);

const isBaseField = (bundle: Bundle, name: string): boolean => bundle.fields.get(name)?.configured === false;

const isPathDropped = (body: JsonObject, bundle: Bundle, request: 'create' | 'change'): boolean => {
  // The path of an alias is where it leads.
  if (bundle.entityType === 'path_alias') return false;
  const sent = listOf(body['path']);
  if (sent === undefined || sent.some(hasAlias)) return false;
  if (bundle.fields.has('path')) return isBaseField(bundle, 'path') && !sent.some(hasNumber);
  return request === 'create' && bundle.entityType === 'taxonomy_term';
};

/** The items of a field. Undefined for a value that is not a list. */
const listOf = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === null) return [];
  return typeof value === 'object' ? Object.values(value as Record<string, Json>) : undefined; // lists too
};

const memberOf = (item: Json, name: string): Json => {
  const member = typeof item === 'object' && item !== null ? (item as JsonObject)[name] : undefined; // a list has none
  return member ?? null;
};

const isSet = (value: Json): boolean => value !== null && value !== '';
/** A bare value stands for the alias. */
const hasAlias = (item: Json): boolean => isSet(typeof item === 'object' ? memberOf(item, 'alias') : item);
const hasNumber = (item: Json): boolean => isSet(memberOf(item, 'pid'));

const aliasOrder: readonly string[] = translatedTypes;

/** The number of a record's alias. open: an alias that a fixture brings has none, so one is made of the record's own id. */
export const aliasNumber = (entity: Entity): number => {
  const pid = items(entity, 'path')[0]?.['pid'];
  return typeof pid === 'number' ? pid : (entity.id - 1) * aliasOrder.length + aliasOrder.indexOf(entity.type) + 1;
};
