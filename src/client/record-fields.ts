/** What has to be known of a site's fields to write records as plain objects, and how the site's document says it. */

/** The records of the interface, by the word that this client uses. */
export type RecordKind = 'node' | 'media' | 'file' | 'term' | 'user';

/** Names of fields. A field that stands in no list holds one value, and a number or a text is its `value`. */
export type RecordFields = {
  /** Hold any number of values. */
  readonly many: readonly string[];
  /** Hold references: a number or a text is their `target_id`. */
  readonly references: readonly string[];
  /** Hold links: a text is their `uri`. */
  readonly links: readonly string[];
};

export type SiteFields = { readonly [Kind in RecordKind]: RecordFields };

/** A part of an OpenAPI document. */
type Part = { readonly [keyword: string]: unknown };

const schemaNames: { readonly [Kind in RecordKind]: string } = {
  node: 'Node',
  media: 'Media',
  file: 'File',
  term: 'Term',
  user: 'User',
};

/**
 * The fields of a site, read from its document (the parsed `/openapi.json`): a member with `maxItems: 1` holds one value;
 * what a value is, is seen from the members of its schema. A schema that is not there has no fields.
 */
export const readSiteFields = (document: unknown): SiteFields => {
  const schemas = partOf(partOf(partOf(document)['components'])['schemas']);
  const fieldsOf = (kind: RecordKind): RecordFields => {
    const members = Object.entries(propertiesOf(partOf(schemas[schemaNames[kind]]), schemas));
    const namesWhere = (is: (member: Part) => boolean): string[] =>
      members.flatMap(([name, member]) => (is(partOf(member)) ? [name] : []));
    const itemsHave = (name: string) => (member: Part) => name in propertiesOf(partOf(member['items']), schemas);
    return {
      many: namesWhere((member) => member['maxItems'] !== 1),
      references: namesWhere(itemsHave('target_id')),
      links: namesWhere(itemsHave('uri')),
    };
  };
  return {
    node: fieldsOf('node'),
    media: fieldsOf('media'),
    file: fieldsOf('file'),
    term: fieldsOf('term'),
    user: fieldsOf('user'),
  };
};

/** The members of a schema, also of those it refers to or is put together from. */
const propertiesOf = (schema: Part, schemas: Part): Part => {
  const { $ref } = schema;
  const referred = typeof $ref === 'string' ? [schemas[$ref.slice($ref.lastIndexOf('/') + 1)]] : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema[keyword]));
  return Object.assign(
    {},
    ...[...referred, ...parts].map((part) => propertiesOf(partOf(part), schemas)),
    partOf(schema['properties']),
  ) as Part; // parts of a document, put together
};

const partOf = (value: unknown): Part => Object(value) as Part; // what is no object has no members
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
