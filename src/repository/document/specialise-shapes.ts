/** Names the schema of a field's items, and makes the schemas that only some sites need. */
import { listOf } from '../../basics/json.ts';
import type { Shapes } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { choiceName, fieldSchema } from './field-shapes.ts';
import { partOf, type Part } from '../../openapi/openapi-terms.ts';
import { unionOf } from './union-schema.ts';

/** `shown`: in a record that the server answers. `sent`: in a record that a client sends. */
export type Direction = keyof Shapes;

/** The name of the schema of a field's items. A bundle without a workflow repeats any state. */
export const shapeName = (field: FieldDefinition, direction: Direction, type: string): string =>
  field.allowedValues !== undefined && (field.configured || direction === 'sent')
    ? choiceName(type, field)
    : fieldTypeOf(field).schema(field)[direction];

const aliasLanguage = { description: 'The language in which it holds.', type: ['string', 'null'] };
const aliasParts = {
  alias: { description: 'The path that leads to the record.', type: ['string', 'null'] },
  pid: { description: 'The id of the alias.', type: ['integer', 'null'] },
};
const sentAlias = { ...aliasParts, alias: { ...aliasParts.alias, maxLength: 255 }, langcode: aliasLanguage };
const automatic =
  'Of a new record: 0 keeps the alias as it is sent; the site makes it with 1, and without this member.';

const targetOf = (type: string): Part => ({
  target_type: { description: 'The type of what it refers to.', type: 'string', enum: [type] },
});

/** Schemas that the default site does not need, each made from one that it has. */
const derivations: Readonly<Record<string, { readonly from: string; readonly changes: (schema: Part) => Part }>> = {
  PathItem: {
    from: 'StringItem',
    changes: () => ({
      description: 'The URL alias of a record, such as `/letters/5`; null without one.',
      required: ['alias', 'pid', 'langcode'],
      properties: { ...aliasParts, langcode: aliasLanguage },
    }),
  },
  PathInput: {
    from: 'StringItem',
    changes: () => ({
      description:
        'The URL alias of a record. Without an alias nothing happens; with a number and no alias it is taken away.',
      required: [],
      properties: sentAlias,
    }),
  },
  AutomaticPathInput: {
    from: 'StringItem',
    changes: () => ({
      description:
        'The URL alias of a record, which the site makes by a pattern. One that is sent is ignored, unless `pathauto` is 0 when the record is created.',
      required: [],
      properties: {
        ...sentAlias,
        pathauto: { description: automatic, type: ['integer', 'boolean', 'string', 'null'] },
      },
    }),
  },
  MetatagItem: {
    from: 'StringItem',
    changes: () => ({
      description: 'An element of the head of the HTML page of a record. It is computed.',
      required: ['tag', 'attributes'],
      properties: {
        tag: { description: 'The name of the element.', type: 'string' },
        attributes: { description: 'Its attributes.', type: 'object', additionalProperties: { type: 'string' } },
      },
    }),
  },
  NodeRelation: {
    from: 'TypedRelation',
    changes: (schema) => ({
      description: 'A node with the role it plays, such as part.',
      properties: { ...partOf(schema['properties']), ...targetOf('node'), url: path },
    }),
  },
  FileUriInput: {
    from: 'FileUri',
    changes: () => ({ description: 'Where a file lies; its path may be left out.', required: ['value'] }),
  },
  MediaReference: {
    from: 'NodeReference',
    changes: (schema) => ({
      description: 'A media. If it was deleted, only the `target_id` is left.',
      properties: { ...partOf(schema['properties']), ...targetOf('media'), url: path },
    }),
  },
  PlainFileReference: {
    from: 'NodeReference',
    changes: (schema) => ({
      description: 'A file. `url` is the address of its bytes. If it was deleted, only the `target_id` is left.',
      properties: { ...partOf(schema['properties']), ...targetOf('file'), url: address },
    }),
  },
};

const path = { description: 'The path of what it refers to.', type: 'string', examples: ['/media/2'] };
const address = { description: 'The address of its bytes.', type: 'string', format: 'uri' };

/** The name of the schema for items that have one of several schemas. */
export const eitherName = (shapes: readonly string[]): string => shapes.join('Or');

/** A new schema of this name, made from the document's schemas. Undefined when no rule makes one. */
export const derivedSchema = (name: string, schemas: Part): Part | undefined => {
  const known = fieldSchema(name);
  if (known !== undefined) return known;
  const shapes = name.split(/Or(?=[A-Z])/);
  if (shapes.length > 1) return structuredClone(unionOf(shapes.flatMap((shape) => objectsOf(shape, schemas))));
  const derivation = derivations[name];
  if (derivation === undefined) return undefined;
  // A copy: two schemas that share a list cannot be compiled in one document.
  const schema = structuredClone(partOf(schemas[derivation.from]));
  return { ...schema, ...derivation.changes(schema) };
};

/** The schemas of objects that a schema is: itself, or those that it lets choose from. */
const objectsOf = (name: string, schemas: Part): readonly Part[] => {
  const schema = partOf(schemas[name] ?? derivedSchema(name, schemas));
  const choices = listOf(schema['oneOf']).map((choice) => String(partOf(choice)['$ref']).split('/').at(-1) ?? '');
  return choices.length === 0 ? [schema] : choices.flatMap((choice) => objectsOf(choice, schemas));
};
