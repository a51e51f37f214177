/** Checks that the lists of a site fit its fields, roles, storages and each other. `list-files.ts` checks each file alone. */
import { identityFields, type EntityType } from '../model/entity.ts';
import { argumentsIn, fieldIn, type ListInput } from './list-files.ts';
import { addressField, hashField, pathShape } from './record-list.ts';

type SourcedList = { readonly file: string; readonly content: ListInput };

export type ListSurroundings = {
  /** The names of the fields that records of a type may have. */
  readonly fieldsOf: (type: EntityType) => ReadonlySet<string>;
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

const fieldFaults = (content: ListInput, { fieldsOf }: ListSurroundings): string[] => {
  const { entity_type: type, fields = {} } = content;
  const known = fieldsOf(type);
  const { id, bundle } = identityFields[type];
  const isKnown = (text: string): boolean => {
    const { name } = fieldIn(text);
    return known.has(name) || name === id || name === bundle || (name === addressField && type === 'taxonomy_term');
  };
  const named = (key: string, part: Readonly<Record<string, string | { readonly field: string }>>) =>
    Object.entries(part).map(([name, of]) => [`${key}.${name}`, typeof of === 'string' ? of : of.field] as const);
  return [
    ...named('arguments', content.arguments),
    ...named('parameters', content.parameters),
    ...Object.keys(content.where).map((name) => [`where.${name}`, name] as const),
    ...named('fields', fields).filter(([, text]) => text !== hashField || type !== 'file'),
  ].flatMap(([key, text]) =>
    isKnown(text) ? [] : [`${key}: no ${type} has the field "${fieldIn(text).name}". Add it, or name another.`],
  );
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
