/** Changes the schemas of records to the fields of a site's bundles. */
import { isDeepStrictEqual } from 'node:util';
import { baseFields } from '../model/base-fields.ts';
import type { EntityType } from '../model/entity.ts';
import type { FieldDefinition, Model } from '../model/bundle.ts';
import { derivedSchema, eitherName, shapeName, type Direction } from './specialise-shapes.ts';
import { listOf, mapMembers, partOf, type Part } from './document-tree.ts';

type RecordSchema = { readonly name: string; readonly type: EntityType; readonly direction: Direction };

/** The schemas whose properties depend on the site. */
const recordSchemas: readonly RecordSchema[] = [
  { name: 'Node', type: 'node', direction: 'shown' },
  { name: 'NodeUpdate', type: 'node', direction: 'sent' },
  { name: 'Media', type: 'media', direction: 'shown' },
  { name: 'MediaUpdate', type: 'media', direction: 'sent' },
  { name: 'Term', type: 'taxonomy_term', direction: 'shown' },
  { name: 'TermUpdate', type: 'taxonomy_term', direction: 'sent' },
];

/**
 * The schemas, by name as under `components`, with the fields of the site's bundles. A schema that needs no change stays
 * the same object. Schemas that only new fields need, such as a reference to a media, are added.
 */
export const specialiseSchemas = (schemas: Part, model: Model): Part => {
  const changed = Object.fromEntries(
    recordSchemas.map((record) => [record.name, specialiseRecord(partOf(schemas[record.name]), record, model)]),
  );
  const own = {
    ...schemas,
    ...changed,
    ...Object.fromEntries(typeReferences.map(([name, type]) => [name, withTypes(partOf(schemas[name]), type, model)])),
    NodeCreate: specialiseCreation(partOf(schemas['NodeCreate']), model),
  };
  return { ...own, ...missingSchemas(own) };
};

/** The schemas of references to a bundle, with the type of the records that have it. */
const typeReferences: readonly (readonly [string, EntityType])[] = [
  ['NodeTypeReference', 'node'],
  ['MediaTypeReference', 'media'],
  ['VocabularyReference', 'taxonomy_term'],
];

const withTypes = (schema: Part, type: EntityType, model: Model): Part => {
  const properties = partOf(schema['properties']);
  const ids = model.bundles(type).map(({ id }) => id);
  const wanted = { type: 'string', ...(ids.length > 0 ? { enum: ids } : {}) };
  return isDeepStrictEqual(properties['target_id'], wanted)
    ? schema
    : { ...schema, properties: { ...properties, target_id: wanted } };
};

/** The configured fields of an entity type, by name: one definition for each bundle that has the field. */
const definitionsOf = (model: Model, type: EntityType): ReadonlyMap<string, readonly FieldDefinition[]> => {
  const byName = new Map<string, FieldDefinition[]>();
  for (const field of model.bundles(type).flatMap((bundle) => [...bundle.fields.values()])) {
    if (field.configured) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  }
  return new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const specialiseRecord = (schema: Part, record: RecordSchema, model: Model): Part => {
  const definitions = definitionsOf(model, record.type);
  const bundles = model.bundles(record.type);
  const before = partOf(schema['properties']);
  const properties = propertiesOf(before, definitions, record);
  const everywhere = [...definitions].flatMap(([name, each]) => (each.length === bundles.length ? [name] : []));
  const required =
    record.direction === 'sent' ? schema['required'] : requiredOf(schema, everywhere, baseNames(record.type));
  if (isDeepStrictEqual({ properties, required }, { properties: before, required: schema['required'] })) return schema;
  const description = `${record.direction === 'sent' ? 'A change of a' : 'A'} record of one of these bundles: ${bundles
    .map(({ id, label }) => `\`${id}\` (${label})`)
    .join(', ')}.`;
  return { ...schema, description, required, properties };
};

const baseNames = (type: EntityType): ReadonlySet<string> => new Set(baseFields[type].map(({ name }) => name));

/** Known properties keep their order, those of unknown fields are dropped, new ones come last. */
const propertiesOf = (
  before: Part,
  definitions: ReadonlyMap<string, readonly FieldDefinition[]>,
  { type, direction }: RecordSchema,
): Part => {
  const base = baseNames(type);
  const kept = mapMembers(before, (property, name) => {
    if (base.has(name)) return property;
    const fields = definitions.get(name);
    return fields && keepIfEqual(partOf(property), propertyOf(fields, direction));
  });
  const added = [...definitions].filter(([name]) => !(name in kept));
  return { ...kept, ...Object.fromEntries(added.map(([name, fields]) => [name, propertyOf(fields, direction)])) };
};

const propertyOf = (fields: readonly FieldDefinition[], direction: Direction): Part => {
  const most = Math.max(...fields.map(({ cardinality }) => cardinality));
  const shapes = new Set(fields.map((field) => shapeName(field, direction)));
  return {
    type: 'array',
    ...(direction === 'sent' && fields.every(({ required }) => required) ? { minItems: 1 } : {}),
    ...(Number.isFinite(most) ? { maxItems: most } : {}),
    // Fields of one name may have different types in different bundles.
    items: { $ref: `#/components/schemas/${eitherName([...shapes])}` },
  };
};

/** The document's own property, with its description, where its rules equal the wanted ones. */
const keepIfEqual = (written: Part, wanted: Part): Part =>
  ['type', 'minItems', 'maxItems', 'items'].every((keyword) => isDeepStrictEqual(written[keyword], wanted[keyword]))
    ? written
    : wanted;

const requiredOf = (schema: Part, wanted: readonly string[], base: ReadonlySet<string>): readonly unknown[] => {
  const kept = listOf(schema['required']).filter((name) => base.has(String(name)) || wanted.includes(String(name)));
  return [...kept, ...wanted.filter((name) => !kept.includes(name))];
};

/** A new node must have the fields that every node type requires. */
const specialiseCreation = (schema: Part, model: Model): Part => {
  const bundles = model.bundles('node').length;
  const wanted = [...definitionsOf(model, 'node')].flatMap(([name, fields]) =>
    fields.length === bundles && fields.every(({ required }) => required) ? [name] : [],
  );
  const required = requiredOf(schema, wanted, baseNames('node'));
  return isDeepStrictEqual(required, schema['required']) ? schema : { ...schema, required };
};

/** The schemas that the record schemas refer to and the document lacks, and those that the new ones refer to. */
const missingSchemas = (schemas: Part): Part => {
  const added: Record<string, Part> = {};
  const addUsedBy = (holders: readonly unknown[]): void => {
    const used = [...JSON.stringify(holders).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    for (const name of new Set(used)) {
      const derived = name in schemas || name in added ? undefined : derivedSchema(name, schemas);
      if (derived === undefined) continue;
      added[name] = derived;
      addUsedBy([derived]);
    }
  };
  addUsedBy(recordSchemas.map(({ name }) => schemas[name]));
  return added;
};
