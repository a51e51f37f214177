/** Reads from a site's document what `plain.ts` needs to know about its fields. */

/** The kinds of records. */
export type RecordKind = 'node' | 'media' | 'file' | 'term' | 'user';

/** Names of fields. A field that is in none of these lists holds one value; a number or a text is its `value`. */
export type RecordFields = {
  /** Fields with any number of values. */
  readonly many: readonly string[];
  /** Fields with references: a number or a text is their `target_id`. */
  readonly references: readonly string[];
  /** Fields with links: a text is their `uri`. */
  readonly links: readonly string[];
};

export type SiteFields = { readonly [Kind in RecordKind]: RecordFields };

/** A part of an OpenAPI document. */
type Part = { readonly [keyword: string]: unknown };

/**
 * Reads the fields of a site from its document, the parsed `/openapi.json`. A property with `maxItems: 1` holds one value.
 * The properties of its items tell references and links from other values. A missing schema counts as one without fields.
 */
export const readSiteFields = (document: unknown): SiteFields => {
  const schemas = partOf(partOf(partOf(document)['components'])['schemas']);
  const fieldsOf = (schemaName: string): RecordFields => {
    const properties = Object.entries(propertiesOf(partOf(schemas[schemaName]), schemas));
    const namesWhere = (matches: (property: Part) => boolean): string[] =>
      properties.flatMap(([name, property]) => (matches(partOf(property)) ? [name] : []));
    const itemsHave = (name: string) => (property: Part) => name in propertiesOf(partOf(property['items']), schemas);
    return {
      many: namesWhere((property) => property['maxItems'] !== 1),
      references: namesWhere(itemsHave('target_id')),
      links: namesWhere(itemsHave('uri')),
    };
  };
  return {
    node: fieldsOf('NodeRecord'),
    media: fieldsOf('MediaRecord'),
    file: fieldsOf('FileRecord'),
    term: fieldsOf('TermRecord'),
    user: fieldsOf('UserRecord'),
  };
};

/** The properties of a schema, including those of schemas that it refers to or combines. */
const propertiesOf = (schema: Part, schemas: Part): Part => {
  const { $ref } = schema;
  const referred = typeof $ref === 'string' ? [schemas[$ref.slice($ref.lastIndexOf('/') + 1)]] : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema[keyword]));
  return Object.assign(
    {},
    ...[...referred, ...parts].map((part) => propertiesOf(partOf(part), schemas)),
    partOf(schema['properties']),
  ) as Part; // merged parts of a document
};

const partOf = (value: unknown): Part => Object(value) as Part; // other values become objects without properties
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
