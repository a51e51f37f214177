/** Reads a JSON body as fields, leniently, as the real site does. `field-violations.ts` validates them. */
import { isRecord, type Json, type JsonObject } from '../../../basics/json.ts';
import { identityOf, isSet, memberOf } from '../../model/entity.ts';
import type { FieldType, ReadContext } from '../../fields/field-type.ts';
import { targetTypeOf } from '../../fields/values.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { byUuid } from '../../model/index-keys.ts';
import type { Bundle, FieldDefinition, Model } from '../../model/bundle.ts';
import { translatedTypes } from '../../model/base-fields.ts';
import { unprocessable, validationFailed } from '../../../openapi/openapi-terms.ts';
import {
  type IndexKey,
  type Entity,
  type FieldItem,
  type FieldItems,
  type FieldName,
  items,
} from '../../../openapi/openapi-records.ts';

/** The received fields in their order. Their items are read but not validated. Empty items are still among them. */
export type ReceivedFields = ReadonlyMap<FieldName, FieldItems>;

/** The body as an object. A list counts as an object without members. Throws 422 for scalars and null. */
export const readBody = (body: Json): JsonObject => {
  if (typeof body === 'object' && body !== null) return isRecord(body) ? body : {};
  // The real site answers 500 here.
  throw unprocessable('The body must be a JSON object whose members are fields.');
};

/**
 * The bundle that a body names: `[{"target_id": "…"}]` or a plain text, nothing else. A type of redirects is not a record, so it is a
 * `value`; aliases have no types. Throws 422 for an unknown one.
 */
export const readBundle = (type: string, body: JsonObject, model: Model): Bundle => {
  const only = type === 'path_alias' ? model.bundle(type, type) : undefined;
  if (only !== undefined) return only;
  const member = identityOf(type).bundle ?? type;
  const value = body[member];
  const first = typeof value === 'object' && value !== null ? (value as JsonObject)['0'] : undefined; // a list has it, too
  const id = (isRecord(first) ? first[type === 'redirect' ? 'value' : 'target_id'] : undefined) ?? value;
  if (typeof id !== 'string') {
    throw unprocessable(`Could not determine entity type bundle: "${member}" field is missing.`);
  }
  const bundle = model.bundle(type, id);
  if (bundle !== undefined) return bundle;
  throw unprocessable(`"${id.slice(0, 200)}" is not a valid bundle type for denormalization.`);
};

/** The index keys of every `target_uuid` in a body. The caller looks them up before it reads the fields. */
export const uuidsIn = (body: JsonObject, bundle: Bundle): IndexKey[] => {
  const keys: IndexKey[] = [];
  for (const name of Object.keys(body)) {
    const field = bundle.fields.get(name);
    const target = field && targetTypeOf(field);
    if (target === undefined) continue;
    for (const item of receivedItems(body[name] ?? null)) {
      const uuid = isRecord(item) ? item['target_uuid'] : undefined;
      if (typeof uuid === 'string') keys.push(byUuid(target, uuid.toLowerCase()));
    }
  }
  return keys;
};

/**
 * Reads every received field by its definition. Throws 422 for fields that the bundle does not have (one line each; the
 * real site answers 500), for bare scalars, and for dates and uuids that cannot be read.
 */
export const readFields = (body: JsonObject, bundle: Bundle, context: ReadContext): ReceivedFields => {
  const names = Object.keys(body);
  refuseUnknown(names, bundle);
  const received = new Map<FieldName, FieldItems>();
  for (const name of names) {
    const field = bundle.fields.get(name);
    // `readBundle` has read the bundle already.
    if (field !== undefined && name !== identityOf(bundle.entityType).bundle) {
      received.set(name, readField(field, body[name] ?? null, context));
    }
  }
  return received;
};

/** Throws 422 with a line for each name that is not a field of the bundle. */
export const refuseUnknown = (names: readonly FieldName[], bundle: Bundle): void => {
  const unknown = names.filter((name) => !bundle.fields.has(name)).slice(0, 50);
  if (unknown.length === 0) return;
  throw validationFailed(
    unknown.map((name) => ({ path: name.slice(0, 200), message: `This field does not exist on ${bundle.id}.` })),
  );
};

/** A value that PHP treats as empty clears the field. */
const isPhpEmpty = (value: Json): boolean =>
  value === null || value === false || value === 0 || value === '' || value === '0';

const receivedItems = (value: Json): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : isRecord(value) ? Object.values(value) : []; // isArray loses the items' type

const readField = (field: FieldDefinition, value: Json, context: ReadContext): FieldItems => {
  if (isPhpEmpty(value)) return [];
  if (typeof value !== 'object') throw unprocessable(`Field values for "${field.name}" must use an array structure`);
  return receivedItems(value).map((sent, delta) => readItem(field, sent, delta, context));
};

const readItem = (field: FieldDefinition, sent: Json, delta: number, context: ReadContext): FieldItem => {
  const type = fieldTypeOf(field);
  const kept = isScalarOrNull(sent) ? { [type.main]: sent } : keptOf(sent, type);
  return type.read === undefined ? kept : type.read({ sent, kept, delta }, field, context);
};

/** The known properties of an item. A list has none. */
const keptOf = (sent: Json, { properties, computed = [] }: FieldType): FieldItem => {
  const kept: Record<string, Json> = {};
  if (!isRecord(sent)) return kept;
  for (const names of [properties, computed]) {
    for (const name of names) {
      const value = sent[name];
      if (value !== undefined) kept[name] = value;
    }
  }
  return kept;
};

const isScalarOrNull = (value: Json): boolean => typeof value !== 'object' || value === null;

const computed: ReadonlySet<string> = new Set(['metatag', 'did_image']);

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
  if (bundle.entityType === 'path_alias' || bundle.fields.get('path')?.automatic === true) return false;
  const sent = listOf(body['path']);
  if (sent === undefined || sent.some(hasAlias)) return false;
  if (bundle.fields.has('path'))
    return isBaseField(bundle, 'path') && !sent.some((item) => isSet(memberOf(item, 'pid')));
  return request === 'create' && bundle.entityType === 'taxonomy_term';
};

/** The items of a field. Undefined for a value that is not a list. */
const listOf = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === null) return [];
  return typeof value === 'object' ? Object.values(value as Record<string, Json>) : undefined; // lists too
};

/** A bare value stands for the alias. */
const hasAlias = (item: Json): boolean => isSet(typeof item === 'object' ? memberOf(item, 'alias') : item);

const aliasOrder: readonly string[] = translatedTypes;

/** The number of a record's alias. open: an alias that a fixture brings has none, so one is made of the record's own id. */
export const aliasNumber = (entity: Entity): number => {
  const pid = items(entity, 'path')[0]?.['pid'];
  return typeof pid === 'number' ? pid : (entity.id - 1) * aliasOrder.length + aliasOrder.indexOf(entity.type) + 1;
};
