/** Defines the schema of a file in `lists/`, and makes the list that it declares. */
import * as v from 'valibot';
import { providerNames } from '../model/principal.ts';
import {
  columnForms,
  comparedText,
  listedTypes,
  type ListField,
  type ListTest,
  type RecordList,
} from '../site/record-list.ts';
import { machineName, positive } from '../site/schema-words.ts';

const path = v.pipe(
  v.string(),
  v.regex(
    /^(\/([A-Za-z0-9._~-]+|\{[a-z][a-z0-9_]*\}))+$/,
    'must be a path of names and {arguments} that begins with / and does not end with it',
  ),
  v.check((text) => !text.split('/').some((part) => part === '.' || part === '..'), 'must have no part "." or ".."'),
  v.check((text) => /^\/[A-Za-z0-9._~-]/.test(text), 'must not begin with an argument'),
  v.check(
    (text) => !/^\/(_atoll|~[^/]*|openapi\.json|openapi\.yaml|openapi-3\.0\.json|favicon\.ico)(\/|$)/.test(text),
    'must not be an address of the program itself, such as /_atoll or /openapi.json',
  ),
);
const field = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/, 'must be a field, or a field and its property: field_link.uri'),
);
const parameterName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be a name of letters, digits, _ and -'),
  v.check((name) => !['page', 'items_per_page', '_format'].includes(name), 'is a parameter that every list has'),
);
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const values = v.union([scalar, v.pipe(v.array(scalar), v.nonEmpty('must name at least one value'))]);

/** A list that a site declares. Its conditions must all be met. */
export const listFile = v.strictObject({
  path,
  label: v.pipe(v.string(), v.nonEmpty('must not be empty')),
  entity_type: v.picklist(listedTypes),
  arguments: v.optional(
    v.record(machineName, v.union([field, v.strictObject({ field, check: v.optional(v.boolean(), true) })])),
    {},
  ),
  parameters: v.optional(
    v.record(
      parameterName,
      v.union([
        field,
        v.strictObject({
          field,
          required: v.optional(v.union([v.boolean(), v.literal('not_found')]), false),
          not: v.optional(v.boolean(), false),
        }),
      ]),
    ),
    {},
  ),
  where: v.optional(
    v.record(field, v.union([values, v.strictObject({ not: values }), v.strictObject({ set: v.boolean() })])),
    {},
  ),
  sort: v.optional(
    v.array(
      v.pipe(v.string(), v.regex(/^-?[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/, 'must be a field, or - and a field')),
    ),
    [],
  ),
  fields: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.nonEmpty()),
        v.union([
          field,
          v.strictObject({
            field,
            as: v.optional(v.picklist(columnForms), 'text'),
            through: v.optional(machineName),
            limit: v.optional(positive),
            offset: v.optional(positive),
          }),
        ]),
      ),
      v.check((columns) => Object.keys(columns).length > 0, 'must name at least one field'),
    ),
  ),
  page_size: v.union([positive, v.literal('all')]),
  largest_page: v.optional(positive),
  limit: v.optional(positive),
  permissions: v.optional(v.array(v.string()), []),
  roles: v.optional(v.array(machineName), []),
  formats: v.optional(v.pipe(v.array(v.picklist(['json', 'jsonld'])), v.nonEmpty('must name at least one format')), [
    'json',
  ]),
  providers: v.optional(v.pipe(v.array(v.picklist(providerNames)), v.nonEmpty('must name at least one provider')), [
    ...providerNames,
  ]),
});

export type ListInput = v.InferOutput<typeof listFile>;

/** The arguments of a path in their order. */
export const argumentsIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export const fieldIn = (text: string): ListField => {
  const [name = '', property] = text.split('.');
  return { name, property };
};

export const listOfFile = (input: ListInput): RecordList => ({
  path: input.path,
  label: input.label,
  entityType: input.entity_type,
  arguments: argumentsIn(input.path).flatMap((name) => {
    const written = input.arguments[name];
    if (written === undefined) return [];
    return typeof written === 'string'
      ? [{ name, field: fieldIn(written), isChecked: true }]
      : [{ name, field: fieldIn(written.field), isChecked: written.check }];
  }),
  parameters: Object.entries(input.parameters).map(([name, written]) =>
    typeof written === 'string'
      ? { name, field: fieldIn(written), isRequired: false, isPartOfAddress: false, isNegated: false }
      : {
          ...{ name, field: fieldIn(written.field), isNegated: written.not },
          ...{ isRequired: written.required !== false, isPartOfAddress: written.required === 'not_found' },
        },
  ),
  tests: Object.entries(input.where).map(([name, written]) => testOf(fieldIn(name), written)),
  order: input.sort.map((name) => ({ field: fieldIn(name.replace(/^-/, '')), isDescending: name.startsWith('-') })),
  columns:
    input.fields &&
    Object.entries(input.fields).map(([name, written]) =>
      typeof written === 'string'
        ? { name, field: fieldIn(written), form: 'text' }
        : {
            ...{ name, field: fieldIn(written.field), form: written.as },
            ...{ through: written.through, limit: written.limit, offset: written.offset },
          },
    ),
  pageSize: input.page_size === 'all' ? undefined : input.page_size,
  largestPage: input.largest_page,
  limit: input.limit,
  permissions: input.permissions,
  roles: input.roles,
  formats: input.formats,
  providers: input.providers,
});

const testOf = (of: ListField, written: ListInput['where'][string]): ListTest => {
  if (typeof written !== 'object' || Array.isArray(written)) return { field: of, equals: textsOf(written) };
  return 'set' in written ? { field: of, isSet: written.set } : { field: of, differs: textsOf(written.not) };
};

type Values = v.InferOutput<typeof values>;

const textsOf = (written: Values): string[] => [written].flat().map(comparedText);

/** The lists that the program had before sites could declare them, for a site that switches them on and declares none. */
const onceBuiltIn: readonly (readonly ['node_lists' | 'term_lookup', v.InferInput<typeof listFile>])[] = [
  [
    'node_lists',
    {
      ...{ path: '/node/{node}/media', label: 'The media of a node', entity_type: 'media', page_size: 50 },
      ...{ arguments: { node: 'field_media_of' }, largest_page: 100, formats: ['jsonld', 'json'] },
    },
  ],
  [
    'node_lists',
    {
      ...{ path: '/node/{node}/members', label: 'The members of a node', entity_type: 'node', page_size: 50 },
      ...{ arguments: { node: 'field_member_of' }, sort: ['field_weight'], largest_page: 100 },
      formats: ['jsonld', 'json'],
    },
  ],
  [
    'term_lookup',
    {
      ...{ path: '/term_from_uri', label: 'Terms by their address', entity_type: 'taxonomy_term', page_size: 50 },
      ...{ parameters: { uri: { field: 'uri', required: true } }, largest_page: 100 },
    },
  ],
  [
    'term_lookup',
    {
      ...{ path: '/term_from_term_name', label: 'Terms by their name', entity_type: 'taxonomy_term', page_size: 50 },
      ...{ parameters: { name: { field: 'name', required: true }, vocab: 'vid' }, largest_page: 100 },
    },
  ],
];

/** Undefined: the site's files decide alone. */
type Switches = { readonly [N in 'node_lists' | 'term_lookup']?: boolean | undefined };

/** The lists of a site: those of its files, and the ones that its switches in `beyond` turn on or off. */
export const listsOfSite = (declared: readonly ListInput[], switches: Switches): readonly RecordList[] => {
  const standard = onceBuiltIn.map(([name, input]) => ({ name, list: listOfFile(v.parse(listFile, input)) }));
  const isOff = ({ path: of }: RecordList): boolean =>
    standard.some(({ name, list }) => list.path === of && switches[name] === false);
  const own = declared.map(listOfFile).filter((list) => !isOff(list));
  const added = standard.filter(
    ({ name, list }) => switches[name] === true && !own.some(({ path: of }) => of === list.path),
  );
  return [...own, ...added.map(({ list }) => list)];
};
