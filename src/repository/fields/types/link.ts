/** Links to the web and into the site, plain and with the authority that they belong to. */
import type { FieldDefinition } from '../../model/bundle.ts';
import { entityTypes } from '../../model/entity.ts';
import { markup, type Markup } from '../../markup/page-markup.ts';
import { escapeUri } from '../../model/uri.ts';
import { addressPath } from '../../site/site.ts';
import { isAllowedLink, isInsideSite, schemeOf } from '../address-rules.ts';
import { type FieldType, type FormPart, shapes, type Trials, type ValueContext } from '../field-type.ts';
import type { ItemRule, PropertyRule } from '../rule.ts';
import { fits, text } from '../rules.ts';
import { isMissingOrEmptyText, quotedInput, scalarText, textOrNull, wrongPrimitive } from '../values.ts';
import { type FieldItem, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

const isValid: ItemRule = ({ uri }) =>
  isAllowedLink(scalarText(uri)) ? [] : [{ message: `The path '${quotedInput(uri)}' is invalid.` }];

/** Addresses that lead out of the site or into it, where a field allows only the others. `internal:x` is not an address, and not valid already. */
const isOfKind: ItemRule = ({ uri }, field) => {
  const address = scalarText(uri);
  const isRead = schemeOf(address) !== undefined && !/^internal:[^/?#]/.test(address);
  return !isRead || (field.link ?? 'both') === 'both' || isInsideSite(address) === (field.link === 'internal')
    ? []
    : [{ message: `The path '${quotedInput(uri)}' is invalid.` }];
};

const isAbsolute: PropertyRule = (value) => (schemeOf(scalarText(value)) === undefined ? wrongPrimitive : undefined);

/** Browsers take a backslash for a slash and pass over control characters, and two slashes lead to another host. */
const isOfHost = (path: string): boolean => !/^\/\/|[\\\p{Cc}]/u.test(path);

/** Where an address of a link leads on this host or on the web; undefined for any other scheme, such as `javascript:`. */
const safeTarget = (uri: string, { world }: ValueContext): string | undefined => {
  if (/^(?:https?:\/\/|mailto:)/i.test(uri)) return uri;
  const path = /^(?:internal|base):(\/.*|)$/s.exec(uri)?.[1];
  if (path !== undefined) return isOfHost(path) ? `${world.basePath}${path === '' ? '/' : path}` : undefined;
  const [, name, id] = /^entity:(\w+)\/(\d{1,15})$/.exec(uri) ?? [];
  const type = entityTypes.find((each) => each === name);
  return type === undefined ? undefined : world.basePath + addressPath(world.site, type, Number(id));
};

const page = ({ uri, title }: JsonObject, context: ValueContext): Markup => {
  const address = textOf(uri ?? '');
  const words = typeof title === 'string' && title !== '' ? title : address;
  const target = safeTarget(address, context);
  return target === undefined
    ? markup`${words}${words === address ? undefined : ` (${address})`}`
    : markup`<a href="${target}">${words}</a>`;
};

const store = ({ uri, title, options }: FieldItem): FieldItem => ({
  uri: textOf(uri),
  title: textOrNull(title),
  options: typeof options === 'object' && options !== null ? options : [],
});

const json = ({ uri, title, options }: FieldItem): JsonObject => ({
  uri: uri ?? null,
  title: title ?? null,
  options: options ?? [],
});

const sample: NonNullable<FieldType['sample']> = (field, draw) => ({
  uri: field.link === 'internal' ? 'internal:/node/1' : `https://example.org/sample/${draw.below(1000)}`,
  title: field.forms?.linkTitle === 'disabled' ? null : draw.name(field),
});

const form = ({ link: kind, forms }: FieldDefinition): readonly FormPart[] => [
  {
    property: 'uri',
    label: 'Address',
    hint: kind === 'internal' ? 'Such as internal:/node/1.' : 'Such as https://example.org or internal:/node/1.',
  },
  ...(forms?.linkTitle === 'disabled' ? [] : [{ property: 'title', label: 'Title' }]),
];

const outside = ['http://example.org/a?b=c#d', 'https://example.org/', 'mailto:nobody@example.org'];
const inside = ['internal:/node'];
const never = ['javascript:alert(1)', 'data:text/plain,x', 'urn:isbn:0', 'no address'];

const withUris = (uris: readonly string[]): readonly FieldItem[] => uris.map((uri) => ({ uri }));

const trials = ({ link: kind = 'both' }: FieldDefinition): Required<Trials> => ({
  taken: withUris([...(kind === 'internal' ? [] : outside), ...(kind === 'external' ? [] : inside)]),
  refused: withUris([...never, ...(kind === 'both' ? [] : kind === 'internal' ? outside.slice(0, 1) : inside)]),
});

export const link = {
  name: 'link',
  sourceOf: 'address',
  main: 'uri',
  properties: ['uri', 'title', 'options'],
  isEmpty: ({ uri }) => isMissingOrEmptyText(uri),
  store,
  item: [isOfKind, isValid],
  rules: { uri: [isAbsolute, fits(2048)], title: [text] },
  json,
  jsonld: ({ uri }) => (typeof uri === 'string' ? [{ '@id': escapeUri(uri) }] : []),
  page,
  sample,
  form,
  trials,
  schema: shapes('LinkItem', 'LinkInput'),
  module: 'link',
  widget: 'link_default',
  keys: ['link', 'link_title'],
} satisfies FieldType;

/** A link with the authority that it belongs to. `term-uris.ts` knows such an item by its `source`, which is never left out. */
export const authorityLink: FieldType = {
  ...link,
  name: 'authority_link',
  sourceOf: undefined,
  properties: [...link.properties, 'source'],
  store: (item) => ({ ...store(item), source: textOrNull(item['source']) }),
  rules: { ...link.rules, source: [text, fits(255)] },
  json: (item) => ({ ...json(item), source: item['source'] ?? null }),
  page: (item, context, field) => {
    const { source } = item;
    const name = typeof source === 'string' && source !== '' ? (field.forms?.sources?.[source] ?? source) : undefined;
    return markup`${page(item, context)}${name === undefined ? undefined : ` (${name})`}`;
  },
  sample: (field, draw) => ({
    ...sample(field, draw),
    source: draw.pick(Object.keys(field.forms?.sources ?? {})) ?? null,
  }),
  form: (field) => [{ property: 'source', label: 'Authority', choicesIn: 'sources' }, ...form(field)],
  trials: (field) => ({ ...trials(field), taken: withUris(outside) }),
  schema: shapes('AuthorityLinkItem', 'AuthorityLinkInput'),
  module: 'controlled_access_terms',
  widget: 'authority_link_default',
  keys: ['link', 'link_title', 'sources'],
};
