/** Checks that the lists of a site fit its fields, roles, storages and each other. `list-files.ts` checks each file alone. */
import { targetTypeOf } from '../fields/values.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { identityOf, type RepositoryType } from '../model/entity.ts';
import { argumentsIn, fieldIn, type ListInput } from './list-files.ts';
import { addressField, hashField, pathShape } from '../site/record-list.ts';

type SourcedList = { readonly file: string; readonly content: ListInput };

export type ListSurroundings = {
  /** The fields that records of a type may have. Several bundles may have one of the same name. */
  readonly fieldsOf: (type: RepositoryType) => readonly FieldDefinition[];
  readonly roles: readonly string[];
  readonly prefixes: readonly string[];
};

export const listViolations = (lists: readonly SourcedList[], around: ListSurroundings): string[] => [
  ...lists.flatMap(({ file, content }) =>
    [...argumentFaults(content), ...fieldFaults(content, around), ...otherFaults(content, around)].map(
      (fault) => `${file}: ${fault}`,
    ),
  ),
  ...lists.flatMap(({ file, content }, index) => {
    const first = lists.slice(0, index).find((other) => pathShape(other.content.path) === pathShape(content.path));
    return first === undefined
      ? []
      : [`${file}: path: "${content.path}" is the path of ${first.file} already. Give each list its own.`];
  }),
];

const argumentFaults = ({ path, arguments: written }: ListInput): string[] => {
  const wanted = argumentsIn(path);
  const twice = wanted.find((name, index) => wanted.indexOf(name) !== index);
  return [
    ...(twice === undefined ? [] : [`path: has the argument {${twice}} twice. Give each a name of its own.`]),
    ...wanted
      .filter((name) => !Object.hasOwn(written, name))
      .map((name) => `arguments.${name}: is missing. Name the field that must have it, or take {${name}} out of path.`),
    ...Object.keys(written)
      .filter((name) => !wanted.includes(name))
      .map((name) => `arguments.${name}: path has no {${name}}. Add it there, or remove this.`),
  ];
};

type NamedField = { readonly key: string; readonly text: string; readonly column?: ColumnInput };
type ColumnInput = Exclude<NonNullable<ListInput['fields']>[string], string>;

const fieldFaults = (content: ListInput, around: ListSurroundings): string[] => {
  const { entity_type: type, fields = {} } = content;
  const named = (key: string, part: Readonly<Record<string, string | { readonly field: string }>>): NamedField[] =>
    Object.entries(part).map(([name, of]) => ({ key: `${key}.${name}`, text: typeof of === 'string' ? of : of.field }));
  const columns = Object.entries(fields).map(([name, of]): NamedField => {
    const key = `fields.${name}`;
    return typeof of === 'string' ? { key, text: of } : { key, text: of.field, column: of };
  });
  return [
    ...named('arguments', content.arguments),
    ...named('parameters', content.parameters),
    ...Object.keys(content.where).map((name): NamedField => ({ key: `where.${name}`, text: name })),
    ...columns.filter(({ text }) => text !== hashField || type !== 'file'),
  ].flatMap((named) => faultOf(named, type, around) ?? []);
};

/** The first thing that is wrong with a field that a list names. */
const faultOf = (
  { key, text, column }: NamedField,
  listed: RepositoryType,
  around: ListSurroundings,
): string | undefined => {
  const through = column?.through;
  const targets = through === undefined ? [listed] : targetsOf(through, listed, around);
  if (targets.length === 0)
    return `${key}: through: no ${listed} has a reference "${through}" to records. Name another field.`;
  const { name, property } = fieldIn(text);
  if (!targets.some((type) => isIdentity(name, type) || around.fieldsOf(type).some((field) => field.name === name)))
    return `${key}: no ${targets.join(' or ')} has the field "${name}". Add it, or name another.`;
  const known = targets.flatMap((type) => around.fieldsOf(type).filter((field) => field.name === name));
  const types = known.map(fieldTypeOf);
  if (
    property !== undefined &&
    types.length > 0 &&
    !types.some((type) => type.hasAnyMember || type.properties.includes(property))
  )
    return `${key}: the field "${name}" keeps no "${property}". Choose from: ${[...new Set(types.flatMap(({ properties }) => properties))].join(', ')}.`;
  const hasAddress = known.some((field) => field.type === 'file_uri' || targetTypeOf(field) !== undefined);
  return (column?.as === 'url' || column?.as === 'path') && !hasAddress
    ? `${key}: as: only a reference to a record or a file has an address. Write text.`
    : undefined;
};

const isIdentity = (name: string, type: string): boolean => {
  const { id, bundle } = identityOf(type);
  return name === id || name === bundle || (name === addressField && type === 'taxonomy_term');
};

/** The types of the records that a reference leads to. */
const targetsOf = (
  reference: string,
  listed: RepositoryType,
  { fieldsOf }: ListSurroundings,
): readonly RepositoryType[] => {
  const definitions = fieldsOf(listed).filter(({ name }) => name === reference);
  return [...new Set(definitions.flatMap((field) => targetTypeOf(field) ?? []))];
};

const otherFaults = (content: ListInput, { roles, prefixes }: ListSurroundings): string[] => {
  const prefix = prefixes.find((each) => content.path === each || content.path.startsWith(`${each}/`));
  return [
    ...content.roles
      .filter((role) => !roles.includes(role))
      .map((role) => `roles: there is no role "${role}". Choose from: ${roles.join(', ')}.`),
    ...(prefix === undefined ? [] : [`path: ${prefix} is where files are. Choose another path.`]),
    ...(content.fields !== undefined && content.formats.includes('jsonld')
      ? ['formats: rows of chosen fields have no JSON-LD. Write [json], or leave fields out.']
      : []),
  ];
};
