/** Gives the document that a site serves two schemas for each bundle. Those that operations refer to have the fields of all bundles. */
import { listOf } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { isRestricted } from '../content/fields/field-access.ts';
import { type DocumentObject, mapMembers, type Part, partOf } from '../../openapi/openapi-terms.ts';
import { choiceName, choiceSchema, inPascalCase, typeNames } from './field-shapes.ts';
import { missingSchemas, propertyOf } from './specialise-fields.ts';
import { derivedSchema, type Direction } from './specialise-shapes.ts';
import type { Bundle, FieldDefinition, Model } from '../model/bundle.ts';
import { identityOf } from '../model/entity.ts';

const types = ['node', 'media', 'taxonomy_term'] as const;
type BundledType = (typeof types)[number];

/**
 * A copy of the document of a site with two schemas for each bundle: `NodeIslandoraObjectCreate` is a new record, and
 * `NodeIslandoraObjectRecord` is a record as it is shown. They have the fields of the bundle alone, with its required fields,
 * bounds and values. No operation refers to them, because many generators cannot make a body that is one of several. In
 * the schemas that operations refer to, `x-bundles` of a field lists the bundles that have it.
 */
export const withBundleSchemas = (document: DocumentObject, model: Model): DocumentObject => {
  const written = partOf(document.components['schemas']);
  const added: Record<string, Part> = {};
  const taken = new Set(Object.keys(written).map((name) => name.toLowerCase()));
  for (const type of types) {
    for (const bundle of model.bundles(type)) {
      const prefix = freePrefix(`${typeNames[type]}${inPascalCase(bundle.id)}`, taken);
      for (const direction of ['sent', 'shown'] as const) {
        const name = `${prefix}${endings[direction].record}`;
        added[name] = bundleSchema({ written, model, type, bundle, prefix, direction, added });
      }
    }
  }
  const own = mapMembers(added, (schema) => ({ ...partOf(schema), [perBundle]: true }));
  // Where a field has several types, the schemas of all bundles refer to what these make together, and not to each.
  const schemas = {
    ...written,
    ...missingSchemas(written, Object.values(own)),
    ...mergedSchemas(written, model),
    ...own,
  };
  return { ...document, components: { ...document.components, schemas } };
};

/** Marks the schemas that are made here, so that a comparison of documents does not say a change of a field twice. */
const perBundle = 'x-per-bundle';

/** How the names of a bundle's schemas end, and those of the schemas of all bundles. */
const endings = {
  sent: { record: 'Create', type: 'TypeInput', all: ['Create', 'Update'] },
  shown: { record: 'Record', type: 'TypeReference', all: ['Record'] },
} as const;

/** Files of classes have their names, and some disks know no case: `a_b` and `ab` must not become `AB` and `Ab`. */
const freePrefix = (wanted: string, taken: Set<string>): string => {
  const namesWith = (prefix: string): string[] =>
    Object.values(endings).flatMap(({ record, type }) => [record, type].map((end) => `${prefix}${end}`.toLowerCase()));
  let prefix = wanted;
  for (let count = 2; namesWith(prefix).some((name) => taken.has(name)); count++) prefix = `${wanted}${count}`;
  for (const name of namesWith(prefix)) taken.add(name);
  return prefix;
};

type Context = {
  readonly written: Part;
  readonly model: Model;
  readonly type: BundledType;
  readonly bundle: Bundle;
  readonly prefix: string;
  readonly direction: Direction;
  readonly added: Record<string, Part>;
};

const bundleSchema = (context: Context): Part => {
  const { written, type, bundle, direction } = context;
  const merged = partOf(written[`${typeNames[type]}${endings[direction].record}`]);
  const own = [...bundle.fields.values()].filter(({ configured }) => configured);
  const demanded = own.filter((field) =>
    direction === 'sent' ? field.required && field.default === undefined : !isRestricted(field),
  );
  return {
    description: `${direction === 'sent' ? 'A new record' : 'A record'} of \`${bundle.id}\` (${bundle.label}).`,
    type: 'object',
    additionalProperties: false,
    required: [...new Set([...listOf(merged['required']), ...demanded.map(({ name }) => name)])],
    properties: mapMembers(partOf(merged['properties']), (property, name) =>
      propertyIn(partOf(property), name, context),
    ),
  };
};

/** Undefined for a field of other bundles alone. Any other property comes from an overlay. */
const propertyIn = (property: Part, name: string, context: Context): Part | undefined => {
  const { model, type, bundle, direction, prefix } = context;
  if (name === identityOf(type).bundle) {
    const { written, added } = context;
    const [typeName, base] = [`${prefix}${endings[direction].type}`, shapeOf(property, written)];
    const { description } = partOf(partOf(base.schema['properties'])['target_id']);
    added[typeName] = withMember(base.schema, 'target_id', { type: 'string', enum: [bundle.id], description });
    return { ...property, items: referenceTo(typeName) };
  }
  const field = bundle.fields.get(name);
  if (field === undefined) return bundlesWith(name, type, model).length > 0 ? undefined : property;
  if (!field.configured) return property;
  const own = propertyOf([field], direction, type);
  return { ...own, ...targetOf(field), items: referenceTo(itemsOf(own, field, context)) };
};

const bundlesWith = (name: string, type: BundledType, model: Model): readonly string[] =>
  model.bundles(type).flatMap(({ id, fields }) => (fields.has(name) ? [id] : []));

const referenceTo = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });

type Shape = { readonly name: string; readonly schema: Part };

/** What the items of a property are. */
const shapeOf = (property: Part, written: Part): Shape => {
  const name = String(partOf(property['items'])['$ref']).replace('#/components/schemas/', '');
  return { name, schema: partOf(written[name] ?? derivedSchema(name, written)) };
};

const withMember = (schema: Part, name: string, member: Part): Part => ({
  ...schema,
  properties: { ...partOf(schema['properties']), [name]: member },
});

/** JSON Schema has no words for what a reference may lead to. */
const targetOf = ({ target }: FieldDefinition): Part =>
  target === undefined
    ? {}
    : { 'x-target': { type: target.type, ...(target.bundles === undefined ? {} : { bundles: target.bundles }) } };

/** The name of the schema of the items, with the values and bounds that the field has in this bundle. */
const itemsOf = (property: Part, field: FieldDefinition, { written, added, type, prefix }: Context): string => {
  if (field.allowedValues !== undefined) {
    const [shared, schema] = [choiceName(type, field), choiceSchema([field])];
    if (areEqual(written[shared], schema)) return shared;
    const name = `${prefix}${shared.slice(typeNames[type].length)}`;
    added[name] = schema;
    return name;
  }
  const { name, schema } = shapeOf(property, written);
  const value = partOf(partOf(schema['properties'])['value']);
  const bounds = boundsOf(field, value);
  if (bounds === undefined) return name;
  const bounded = `${name}${bounds.words}`;
  added[bounded] ??= withMember(schema, 'value', { ...value, ...bounds.keywords });
  return bounded;
};

type Bounds = { readonly words: string; readonly keywords: Part };

const inWords = (bound: number): string => String(bound).replace('-', 'Minus').replace(/\W/g, 'Point');

/** Undefined where the schema that all bundles share says as much. */
const boundsOf = (field: FieldDefinition, { type, maxLength = Infinity }: Part): Bounds | undefined => {
  const { min = field.unsigned === true ? 0 : undefined, max, maxLength: longest } = field;
  if (type === 'string' && longest !== undefined && longest < Number(maxLength)) {
    return { words: `UpTo${longest}`, keywords: { maxLength: longest } };
  }
  if ((type !== 'integer' && type !== 'number') || (min === undefined && max === undefined)) return undefined;
  return {
    words: `${min === undefined ? '' : `From${inWords(min)}`}${max === undefined ? '' : `To${inWords(max)}`}`,
    keywords: { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) },
  };
};

/** The schemas of all bundles, with `x-bundles`. */
const mergedSchemas = (written: Part, model: Model): Part =>
  Object.fromEntries(
    types.flatMap((type) =>
      [...endings.sent.all, ...endings.shown.all].map((ending) => {
        const name = `${typeNames[type]}${ending}`;
        const schema = partOf(written[name]);
        const properties = mapMembers(partOf(schema['properties']), (property, field) =>
          model.bundles(type).some(({ fields }) => fields.get(field)?.configured === true)
            ? { ...partOf(property), 'x-bundles': bundlesWith(field, type, model) }
            : property,
        );
        return [name, { ...schema, properties }];
      }),
    ),
  );
