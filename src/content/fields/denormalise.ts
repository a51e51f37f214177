/** Reads a JSON body as fields: the first of the two families of 422 (R 1.9 a, 1.12). Whether values are allowed is `validate.ts`. */
import { unprocessable, validationFailed } from '../../problem.ts';
import type { IndexKey } from '../../model/entity-store.ts';
import { entityTypes, identityFields, textOf } from '../../model/entity.ts';
import type { EntityType, FieldItem, FieldItems, FieldName, Json, JsonObject } from '../../model/entity.ts';
import { fieldTypes, isEmptyItem, type ReadContext } from './field-types.ts';
import { byUuid } from '../index-keys.ts';
import type { Bundle, FieldDefinition, Model } from '../../model/bundle.ts';

/** The fields that were sent, in the order sent, their items read but not yet judged; empty items are gone. */
export type ReceivedFields = ReadonlyMap<FieldName, FieldItems>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body that can have members. A list has members too, though never the one that names the bundle. */
export const readBody = (body: Json): JsonObject => {
  if (typeof body === 'object' && body !== null) return isObject(body) ? body : {};
  // The reference fails with 500 here (decisions: Different from the reference).
  throw unprocessable('The body must be a JSON object whose members are fields.');
};

/** The bundle that a body names: `[{"target_id": …}]`, or leniently an object or a plain string. */
export const readBundle = (type: EntityType, body: JsonObject, model: Model): Bundle => {
  const member = identityFields[type].bundle ?? type;
  const sent = body[member];
  const first = Array.isArray(sent) ? (sent as readonly Json[])[0] : sent; // narrowing of readonly arrays is lost by isArray
  const id = isObject(first) ? first['target_id'] : first;
  if (id === undefined || id === null || id === '') {
    throw unprocessable(`Could not determine entity type bundle: "${member}" field is missing.`);
  }
  const bundle = typeof id === 'string' ? model.bundle(type, id) : undefined;
  if (bundle === undefined) {
    throw unprocessable(`"${textOf(id).slice(0, 200)}" is not a valid bundle type for denormalization.`);
  }
  return bundle;
};

/** The index keys of every uuid that a body refers by, to be looked up before it is read. */
export const uuidsIn = (body: JsonObject, bundle: Bundle): IndexKey[] =>
  Object.entries(body).flatMap(([name, value]) => {
    const target = entityTypes.find((type) => type === bundle.fields.get(name)?.target?.type);
    if (target === undefined) return [];
    return itemsSent(value).flatMap((item) =>
      isObject(item) && typeof item['target_uuid'] === 'string'
        ? [byUuid(target, item['target_uuid'].toLowerCase())]
        : [],
    );
  });

/**
 * Reads every sent field by its definition. Throws 422: fields that the bundle does not have (a line each; the reference
 * fails with 500), bare scalars, dates and uuids that cannot be read.
 */
export const readFields = (body: JsonObject, bundle: Bundle, context: ReadContext): ReceivedFields => {
  refuseUnknown(Object.keys(body), bundle);
  const received = new Map<FieldName, FieldItems>();
  for (const [name, value] of Object.entries(body)) {
    const field = bundle.fields.get(name);
    // The bundle itself has been read, in every spelling that the reference takes.
    if (field !== undefined && name !== identityFields[bundle.entityType].bundle) {
      received.set(name, readField(field, value, context));
    }
  }
  return received;
};

/** Throws 422 with a line for each name that is no field of the bundle. */
export const refuseUnknown = (names: readonly FieldName[], bundle: Bundle): void => {
  const unknown = names.filter((name) => !bundle.fields.has(name)).slice(0, 50);
  if (unknown.length === 0) return;
  throw validationFailed(
    unknown.map((name) => ({ path: name.slice(0, 200), message: `This field does not exist on ${bundle.id}.` })),
  );
};

/** What PHP takes for nothing empties a field (R 1.12). */
const empties = (value: Json): boolean =>
  value === null || value === false || value === 0 || value === '' || value === '0';

const itemsSent = (value: Json): readonly Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value as Record<string, Json>) : []; // lists have values too

const readField = (field: FieldDefinition, value: Json, context: ReadContext): FieldItems => {
  if (empties(value)) return [];
  if (typeof value !== 'object') throw unprocessable(`Field values for "${field.name}" must use an array structure`);
  return itemsSent(value).flatMap((sent) => {
    const item = readItem(field, sent, context);
    return item === undefined ? [] : [item];
  });
};

const readItem = (field: FieldDefinition, sent: Json, context: ReadContext): FieldItem | undefined => {
  const type = fieldTypes[field.type];
  const members: JsonObject = isObject(sent) ? sent : { [type.main]: sent };
  const kept: FieldItem = Object.fromEntries(
    type.properties.flatMap((property) => (members[property] === undefined ? [] : [[property, members[property]]])),
  );
  const refersByUuid = members['target_uuid'] !== undefined && members['target_uuid'] !== null;
  if (isEmptyItem(kept, field.type) && !(refersByUuid && field.target !== undefined)) return undefined;
  return type.read === undefined ? kept : type.read(kept, field, members, context);
};
