/** Changes the schemas of records to the fields of a site's bundles. */
import type { RepositoryType } from '../model/entity.ts';
import { listOf } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { baseFields } from '../model/base-fields.ts';
import { isRestricted } from '../content/fields/field-access.ts';
import type { FieldDefinition, Model } from '../model/bundle.ts';
import { languagesOf } from '../fields/types/language.ts';
import type { Site } from '../site/site.ts';
import { choiceName, choiceSchema } from './field-shapes.ts';
import { bundleName } from './site/site-parameters.ts';
import { fieldDescription } from './site/field-descriptions.ts';
import { derivedSchema, eitherName, shapeName, type Direction } from './specialise-shapes.ts';
import { mapMembers, partOf, type Part } from '../../openapi/openapi-terms.ts';

type RecordSchema = { readonly name: string; readonly type: RepositoryType; readonly direction: Direction };

/** The schemas whose properties depend on the site. */
const recordSchemas: readonly RecordSchema[] = [
  { name: 'NodeRecord', type: 'node', direction: 'shown' },
  { name: 'NodeCreate', type: 'node', direction: 'sent' },
  { name: 'NodeUpdate', type: 'node', direction: 'sent' },
  { name: 'MediaRecord', type: 'media', direction: 'shown' },
  { name: 'MediaCreate', type: 'media', direction: 'sent' },
  { name: 'MediaUpdate', type: 'media', direction: 'sent' },
  { name: 'TermRecord', type: 'taxonomy_term', direction: 'shown' },
  { name: 'TermCreate', type: 'taxonomy_term', direction: 'sent' },
  { name: 'TermUpdate', type: 'taxonomy_term', direction: 'sent' },
  { name: 'UserRecord', type: 'user', direction: 'shown' },
  { name: 'FileRecord', type: 'file', direction: 'shown' },
];

/**
 * The schemas, by name as under `components`, with the fields of the site's bundles. A schema that needs no change stays
 * the same object. Schemas that only new fields need, such as a reference to a media, are added.
 */
export const specialiseSchemas = (schemas: Part, { model, languages }: Pick<Site, 'model' | 'languages'>): Part => {
  const changed = Object.fromEntries(
    recordSchemas.map((record) => [record.name, specialiseRecord(partOf(schemas[record.name]), record, model)]),
  );
  const own = {
    ...schemas,
    ...changed,
    ...Object.fromEntries(typeReferences.map((each) => [each[0], withTypes(partOf(schemas[each[0]]), each, model)])),
    NodeCreate: specialiseCreation(partOf(changed['NodeCreate']), model),
    ...choicesOf(model),
    LanguageItem: withLanguages(partOf(schemas['LanguageItem']), languages),
  };
  const records = recordSchemas.map(({ name }): unknown => partOf(own)[name]);
  return { ...own, ...missingSchemas(own, records) };
};

/** With the languages of the site. */
const withLanguages = (schema: Part, languages: readonly string[]): Part => {
  const value = partOf(partOf(schema['properties'])['value']);
  const wanted = { ...value, enum: languagesOf(languages), examples: [languages[0], 'und'] };
  return areEqual(value, wanted) ? schema : { ...schema, properties: { value: wanted } };
};

/** The schemas of fields whose values are chosen from a list. */
const choicesOf = (model: Model): Part =>
  Object.fromEntries(
    (['node', 'media', 'taxonomy_term', 'user'] as const).flatMap((type) =>
      [...definitionsOf(model, type).values(), stateFieldsOf(model, type)].flatMap((fields) => {
        const [first, ...others] = fields.filter(({ allowedValues }) => allowedValues !== undefined);
        return first === undefined ? [] : [[choiceName(type, first), choiceSchema([first, ...others])] as const];
      }),
    ),
  );

/** The schemas of references to a bundle, with the type of the records that have it. */
const typeReferences: readonly (readonly [string, string, Direction])[] = [
  ['NodeTypeReference', 'node', 'shown'],
  ['MediaTypeReference', 'media', 'shown'],
  ['VocabularyReference', 'taxonomy_term', 'shown'],
  ['NodeTypeInput', 'node', 'sent'],
  ['MediaTypeInput', 'media', 'sent'],
  ['VocabularyInput', 'taxonomy_term', 'sent'],
];

const withTypes = (schema: Part, [, type, direction]: (typeof typeReferences)[number], model: Model): Part => {
  const properties = partOf(schema['properties']);
  const ids = model.bundles(type).map(({ id }) => id);
  const examples = listOf(partOf(properties['target_id'])['examples']);
  const example = examples.find((id) => ids.some((known) => known === id)) ?? ids[0];
  const { description } = partOf(properties['target_id']);
  const choice = { type: 'string', ...(ids.length > 0 ? { enum: ids } : {}), description };
  const sent = { ...bundleName(ids), ...(example === undefined ? {} : { examples: [example] }), description };
  const wanted = direction === 'shown' ? choice : sent;
  return areEqual(properties['target_id'], wanted)
    ? schema
    : { ...schema, properties: { ...properties, target_id: wanted } };
};

/** The configured fields of an entity type, by name: one definition for each bundle that has the field. */
const definitionsOf = (model: Model, type: string): ReadonlyMap<string, readonly FieldDefinition[]> => {
  const byName = new Map<string, FieldDefinition[]>();
  for (const field of model.bundles(type).flatMap((bundle) => [...bundle.fields.values()])) {
    if (field.configured) byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  }
  return new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The fields of a type that show a state which may be chosen. */
const stateFieldsOf = (model: Model, type: string): readonly FieldDefinition[] =>
  model.bundles(type).flatMap(({ fields }) => [...fields.values()].filter(({ workflow }) => workflow !== undefined));

const specialiseRecord = (schema: Part, record: RecordSchema, model: Model): Part => {
  const definitions = definitionsOf(model, record.type);
  const bundles = model.bundles(record.type);
  const before = partOf(schema['properties']);
  const base = baseFieldsIn(model, record.type);
  const properties = propertiesOf(before, definitions, base, record);
  const everywhere = [...definitions].flatMap(([name, each]) =>
    each.length === bundles.length && !each.some(isRestricted) ? [name] : [],
  );
  const shown = [...[...base.keys()].filter((name) => isOfModule(record.type, name)), ...everywhere];
  const required = record.direction === 'sent' ? schema['required'] : requiredOf(schema, shown, base);
  if (areEqual({ properties, required }, { properties: before, required: schema['required'] })) return schema;
  // Files have no bundles, and those of the examples no hashes.
  if (record.type === 'file') return { ...schema, properties };
  const description = `${openingOf(record)} record of one of these bundles: ${bundles
    .map(({ id, label }) => `\`${id}\` (${label})`)
    .join(', ')}.`;
  return { ...schema, description, required, properties };
};

const openingOf = ({ name, direction }: RecordSchema): string => {
  if (direction === 'shown') return 'A';
  return name.endsWith('Create') ? 'A new' : 'A change of a';
};

type BaseFields = ReadonlyMap<string, FieldDefinition>;

/** The base fields of a type on this site. */
const baseFieldsIn = (model: Model, type: RepositoryType): BaseFields => {
  const [bundle] = model.bundles(type);
  const fields = bundle === undefined ? baseFields[type] : [...bundle.fields.values(), ...stateFieldsOf(model, type)];
  return new Map(fields.filter(({ configured }) => !configured).map((field) => [field.name, field]));
};

/** Known properties keep their order, those of unknown fields are dropped, new ones come last. */
const propertiesOf = (
  before: Part,
  definitions: ReadonlyMap<string, readonly FieldDefinition[]>,
  base: BaseFields,
  { type, direction }: RecordSchema,
): Part => {
  const kept = mapMembers(before, (property, name) => {
    if (base.has(name)) return property;
    const fields = definitions.get(name);
    return fields && keepIfEqual(partOf(property), propertyOf(fields, direction, type));
  });
  const ofModules = [...base].flatMap(([name, field]) => (isOfModule(type, name) ? [[name, [field]] as const] : []));
  const added = [...ofModules, ...definitions].filter(([name]) => !(name in kept));
  return { ...kept, ...Object.fromEntries(added.map(([name, fields]) => [name, propertyOf(fields, direction, type)])) };
};

/** Whether a base field is one that only some sites have, so that the document does not have it. */
const isOfModule = (type: RepositoryType, name: string): boolean =>
  !baseFields[type].some((field) => field.name === name);

export const propertyOf = (fields: readonly FieldDefinition[], direction: Direction, type: string): Part => {
  const most = Math.max(...fields.map(({ cardinality }) => cardinality));
  const shapes = new Set(fields.map((field) => shapeName(field, direction, type)));
  return {
    description: fieldDescription(fields),
    type: 'array',
    ...(direction === 'sent' && fields.every(({ required }) => required) ? { minItems: 1 } : {}),
    ...(Number.isFinite(most) ? { maxItems: most } : {}),
    // Fields of one name may have different types in different bundles.
    items: { $ref: `#/components/schemas/${eitherName([...shapes])}` },
  };
};

/** The document's own property where it equals the wanted one, so that a schema without a change stays the same object. */
const keepIfEqual = (written: Part, wanted: Part): Part => (areEqual(written, wanted) ? written : wanted);

const requiredOf = (schema: Part, wanted: readonly string[], base: BaseFields): readonly unknown[] => {
  const kept = listOf(schema['required']).filter((name) => base.has(String(name)) || wanted.includes(String(name)));
  return [...kept, ...wanted.filter((name) => !kept.includes(name))];
};

/** The base fields without a default that every node type requires, although the program does not. */
const requiredByOverride = (model: Model): readonly string[] => {
  const bundles = model.bundles('node');
  return baseFields.node.flatMap(({ name, required }) => {
    const isWanted = bundles.every(({ fields }) => fields.get(name)?.required === true);
    return !required && isWanted && bundles.length > 0 ? [name] : [];
  });
};

/** A new node must have the fields that every node type requires, and for which none has a default. */
const specialiseCreation = (schema: Part, model: Model): Part => {
  const bundles = model.bundles('node').length;
  const wanted = [...definitionsOf(model, 'node')].flatMap(([name, fields]) =>
    fields.length === bundles && fields.every((field) => field.required && field.default === undefined) ? [name] : [],
  );
  const base = baseFieldsIn(model, 'node');
  const required = requiredOf(schema, [...requiredByOverride(model), ...wanted], base);
  return areEqual(required, schema['required']) ? schema : { ...schema, required };
};

/** The schemas that others refer to and the document lacks, and those that the new ones refer to. */
export const missingSchemas = (schemas: Part, holders: readonly unknown[]): Part => {
  const added: Record<string, Part> = {};
  const addUsedBy = (users: readonly unknown[]): void => {
    const used = [...JSON.stringify(users).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    for (const name of new Set(used)) {
      const derived = name in schemas || name in added ? undefined : derivedSchema(name, schemas);
      if (derived === undefined) continue;
      added[name] = derived;
      addUsedBy([derived]);
    }
  };
  addUsedBy(holders);
  return added;
};
