/** Writes the values of a field for people, by field type. Every text of a record is escaped. */
import { roleOf } from '../access/permissions.ts';
import { nameParts } from '../content/fields/compound-types.ts';
import { targetTypeOf } from '../content/fields/field-type.ts';
import type { FieldDefinition, FieldTypeName } from '../model/bundle.ts';
import { entityKey, entityTypes, textOf, type Entity, type Json, type JsonObject } from '../model/entity.ts';
import { plainText } from '../representations/web-links.ts';
import { addressPath } from '../site/site.ts';
import { bytesPath, numberedName, recordLink, type PageContext, type References } from './page-context.ts';
import { markup, joined, Markup } from './page-markup.ts';
import { textOfHtml } from './text-of-html.ts';
import { shownDate, shownLanguage, shownTime } from './words.ts';

/** What writing a value needs. */
export type ValueContext = PageContext & References & { readonly entity: Entity };

/** Items as the JSON of the record shows them. */
type Writer = (item: JsonObject, context: ValueContext, field: FieldDefinition) => Markup;

/** One item of a field. */
export const shownValue: Writer = (item, context, field) => writers[field.type](item, context, field);

const scalar: Writer = ({ value }) => markup`${textOf(value ?? '')}`;

const code: Writer = ({ value }) => markup`<code>${textOf(value ?? '')}</code>`;

const yesOrNo: Writer = ({ value }) => markup`${value === true || value === 1 || value === '1' ? 'Yes' : 'No'}`;

const lines: Writer = ({ value }) => markup`<span class="lines">${textOf(value ?? '')}</span>`;

const time: Writer = ({ value }) => shownTime(textOf(value ?? ''));

const date: Writer = ({ value }) => shownDate(textOf(value ?? ''));

/** `plainText` escapes its text itself, and its anchors lead to web and mail addresses only. */
const formatted: Writer = ({ value, format }, { world }) => {
  const text = textOf(value ?? '');
  const isHtml = typeof format === 'string' && world.site.htmlFormats.has(format);
  return markup`<div class="text">${new Markup(plainText(isHtml ? textOfHtml(text) : text))}</div>`;
};

const listed: Writer = ({ value }, _context, { allowedValues = {} }) => {
  const key = textOf(value ?? '');
  return markup`${Object.hasOwn(allowedValues, key) ? allowedValues[key] : key}`;
};

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

const link: Writer = ({ uri, title }, context) => {
  const address = textOf(uri ?? '');
  const words = typeof title === 'string' && title !== '' ? title : address;
  const target = safeTarget(address, context);
  return target === undefined
    ? markup`${words}${words === address ? undefined : ` (${address})`}`
    : markup`<a href="${target}">${words}</a>`;
};

const authorityLink: Writer = (item, context, field) => {
  const { source } = item;
  const name = typeof source === 'string' && source !== '' ? (field.forms?.sources?.[source] ?? source) : undefined;
  return markup`${link(item, context, field)}${name === undefined ? undefined : ` (${name})`}`;
};

const email: Writer = ({ value }) => {
  const address = textOf(value ?? '');
  return markup`<a href="mailto:${address}">${address}</a>`;
};

/** What a reference leads to: its label where the viewer may view it, else its number alone. */
const target = ({ target_id: id }: JsonObject, context: ValueContext, field: FieldDefinition): Markup => {
  const type = targetTypeOf(field);
  if (type === undefined || typeof id !== 'number') return namedTarget(id ?? null, context, field);
  const found = context.targets.get(entityKey(type, id));
  if (found === undefined) return markup`${numberedName(type, id)} <span class="note">(does not exist)</span>`;
  if (!context.visible.has(entityKey(type, id))) {
    return markup`${numberedName(type, id)} <span class="note">(not shown to you)</span>`;
  }
  return recordLink(found, context);
};

/** Bundles and roles have machine names. A term without a parent is at the root. */
const namedTarget = (id: Json, { world: { site }, entity }: ValueContext, field: FieldDefinition): Markup => {
  if (id === null) return markup`none`;
  const name = textOf(id);
  if (field.target?.type === 'user_role')
    return markup`${site.roles.get(roleOf({ target_id: id }) ?? '')?.label ?? name}`;
  return markup`${site.model.bundle(entity.type, name)?.label ?? name}`;
};

const relation: Writer = (item, context, field) => {
  const type = textOf(item['rel_type'] ?? '');
  const words = field.shown?.relationLabels?.[type] ?? type;
  return markup`${target(item, context, field)}${words === '' ? undefined : markup` <span class="note">(${words})</span>`}`;
};

/** A file with its description, an image with its alternative text, a track with its label. */
const file: Writer = (item, context, field) => {
  const words = ['description', 'alt', 'label'].map((name) => item[name]).find((text) => text !== null && text !== '');
  return markup`${target(item, context, field)}${typeof words === 'string' ? ` – ${words}` : undefined}`;
};

const fileAddress: Writer = ({ value }, { entity, world }) => {
  const path = bytesPath(entity, world);
  return path === undefined ? markup`${textOf(value ?? '')}` : markup`<a href="${path}">${textOf(value ?? '')}</a>`;
};

const place: Writer = ({ lat, lng }) => markup`${textOf(lat ?? '')}, ${textOf(lng ?? '')}`;

const personName: Writer = (item) =>
  markup`${nameParts.flatMap((part) => (typeof item[part] === 'string' ? [item[part]] : [])).join(' ')}`;

const comments: Writer = ({ status }) =>
  markup`${{ 0: 'Hidden', 1: 'Closed', 2: 'Open' }[textOf(status ?? '')] ?? textOf(status ?? '')}`;

const address: Writer = ({ alias }) => markup`${typeof alias === 'string' ? alias : 'none'}`;

/** For a field type without a writer of its own: shows its value, or the names and values of its properties. */
const properties: Writer = (item) => {
  const { value } = item;
  if (typeof value === 'string' || typeof value === 'number') return markup`<span class="lines">${value}</span>`;
  const parts = Object.entries(item).map(([name, each]) => markup`<span>${name}: ${textOf(each)}</span>`);
  return joined(parts, markup`<br />`);
};

const writers: { readonly [T in FieldTypeName]: Writer } = {
  boolean: yesOrNo,
  integer: scalar,
  decimal: scalar,
  float: scalar,
  string: scalar,
  string_long: lines,
  text: formatted,
  text_long: formatted,
  text_with_summary: formatted,
  uuid: code,
  language: ({ value }) => shownLanguage(textOf(value ?? '')),
  timestamp: time,
  changed: time,
  datetime: date,
  edtf: scalar,
  entity_reference: target,
  typed_relation: relation,
  file,
  image: file,
  media_track: file,
  file_uri: fileAddress,
  link,
  authority_link: authorityLink,
  list_string: listed,
  list_integer: listed,
  email,
  geolocation: place,
  comment: comments,
  name: personName,
  path: address,
  metatag: properties,
  redirect_source: properties,
  other: properties,
};
