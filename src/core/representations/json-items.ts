/** Writes the items of a field as JSON, by field type, also those that are made of the record: path, metatags, moderation state, discovered image. `json.ts` writes whole records. */
import { roleOf } from '../access/permissions.ts';
import { aliasNumber } from '../content/fields/denormalise.ts';
import { workflowOf } from '../model/workflow.ts';
import { stateItems } from '../content/fields/moderation.ts';
import { discoveredImage } from '../content/discovered-image.ts';
import { nameParts } from '../content/fields/compound-types.ts';
import { scalarText, targetTypeOf } from '../content/fields/field-type.ts';
import { formatTimestamp, numberIfNumeric, timestampPattern } from '../content/fields/value-types.ts';
import { eachOf, type Records } from '../content/reading.ts';
import { oncePerBundle, type FieldDefinition, type FieldTypeName } from '../model/bundle.ts';
import {
  type Entity,
  entityKey,
  type FieldItem,
  type FieldItems,
  firstValue,
  items,
  type JsonObject,
  labelOf,
} from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { entityPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { contentPath, contentUrl } from './content-url.ts';
import { formattedText } from './web-links.ts';

/** What writing an item needs. */
export type ItemContext = Pick<World, 'site' | 'baseUrl' | 'basePath'> & {
  readonly records: Records;
  /** The principal who reads. Without one nothing is shown that depends on the viewer. */
  readonly viewer?: Principal | undefined;
};

type ItemWriter = (item: FieldItem, context: ItemContext, field: FieldDefinition) => JsonObject;

/** Writes stored items in the shapes that the contract gives them. */
export const jsonItems = (stored: FieldItems, context: ItemContext, field: FieldDefinition): readonly JsonObject[] => {
  const write = writers[field.type];
  if (write === asStored) return stored;
  const [only] = stored;
  if (only !== undefined && stored.length === 1) return [write(only, context, field)];
  const name = `json of ${field.name}`;
  return eachOf(stored, (item) => write(item, context, field), { records: context.records, name });
};

const asStored: ItemWriter = (item) => item;

const time: ItemWriter = ({ value }) =>
  typeof value === 'number' ? { value: formatTimestamp(value), format: timestampPattern } : { value: value ?? null };

/** `columns` are the item's own properties apart from its target. A dead reference has no other properties. */
const reference =
  (...columns: string[]): ItemWriter =>
  (item, context, field) => {
    if (field.target?.type === 'user_role') return roleReference(item, context);
    const type = targetTypeOf(field);
    // The term 0 is the root of a vocabulary, which has no id.
    const id = (type === 'taxonomy_term' ? item['target_id'] || null : item['target_id']) ?? null;
    const target = type && typeof id === 'number' ? context.records.get(entityKey(type, id)) : undefined;
    if (columns.length === 0) return target === undefined ? { target_id: id } : renderTarget(target, context).withId;
    const own = Object.fromEntries(columns.map((column) => [column, item[column] ?? null]));
    return { target_id: id, ...own, ...(target && renderTarget(target, context).properties) };
  };

/** A role that the site has no more is a dead reference. */
const roleReference = (item: FieldItem, { site }: ItemContext): JsonObject => {
  const id = roleOf(item) ?? null;
  const role = site.roles.get(id ?? '');
  return role === undefined ? { target_id: id } : { target_id: id, target_type: 'user_role', target_uuid: role.uuid };
};

/** A target as references show it: `withId` in references without columns, `properties` in the others. */
type RenderedTarget = Omit<ItemContext, 'records'> & {
  readonly properties: JsonObject;
  readonly withId: JsonObject;
};

/**
 * Records never change, so a rendered target can be kept. Only terms and accounts are kept: they are few, and most
 * references lead to them. A file is usually referred to only once.
 */
const renderedTargets = new WeakMap<Entity, RenderedTarget>();

const renderTarget = (target: Entity, context: ItemContext): RenderedTarget => {
  const { site, baseUrl, basePath } = context;
  const known = renderedTargets.get(target);
  if (known?.site === site && known.baseUrl === baseUrl && known.basePath === basePath) return known;
  const url = referenceUrl(target, context);
  const properties = { target_type: target.type, target_uuid: target.uuid, ...(url === undefined ? {} : { url }) };
  const rendered = { site, baseUrl, basePath, properties, withId: { target_id: target.id, ...properties } };
  if (target.type === 'taxonomy_term' || target.type === 'user') renderedTargets.set(target, rendered);
  return rendered;
};

/** The path of the target on this site. For a file: the absolute URL of its content. */
const referenceUrl = (target: Entity, { site, baseUrl, basePath }: ItemContext): string | undefined =>
  target.type === 'file' ? contentUrl(site, baseUrl, target) : basePath + entityPath(site, target);

const text: ItemWriter = ({ value, format }, { site }) => ({
  value: value ?? null,
  format: format ?? null,
  processed: typeof value === 'string' ? formattedText(value, format, site) : '',
});

const link: ItemWriter = ({ uri, title, options }) => ({
  uri: uri ?? null,
  title: title ?? null,
  options: options ?? [],
});

const textWithSummary: ItemWriter = (item, context, field) => ({
  ...text(item, context, field),
  summary: item['summary'] ?? null,
});

const authorityLink: ItemWriter = (item, context, field) => ({
  ...link(item, context, field),
  source: item['source'] ?? null,
});

/** What the real site computes to find what is near, it does not show. */
const geolocation: ItemWriter = ({ lat, lng, data }) => {
  // Sites bring places of terms along, with numbers as text.
  const [latitude, longitude] = [numberIfNumeric(lat), numberIfNumeric(lng)];
  return {
    ...{ lat: latitude, lng: longitude, data: data ?? [] },
    value: `${scalarText(latitude)}, ${scalarText(longitude)}`,
  };
};

/** There are no comments here. */
const comment: ItemWriter = ({ status, last_comment_timestamp: time }) => ({
  status: status ?? null,
  cid: 0,
  last_comment_timestamp: time ?? 0,
  last_comment_name: null,
  last_comment_uid: 0,
  comment_count: 0,
});

const name: ItemWriter = (item) => Object.fromEntries(nameParts.map((part) => [part, item[part] ?? null]));

/** A day is written as it is kept, a time with its offset. */
const date: ItemWriter = ({ value }) => ({
  value: typeof value === 'string' && value.includes('T') ? `${value}+00:00` : (value ?? null),
});

const fileUri: ItemWriter = ({ value }, { site, basePath }) => {
  const path = typeof value === 'string' ? contentPath(site, value) : undefined;
  return { value: value ?? null, ...(path === undefined ? {} : { url: basePath + path }) };
};

const writers: { readonly [T in FieldTypeName]: ItemWriter } = {
  boolean: asStored,
  integer: asStored,
  string: asStored,
  string_long: asStored,
  text_long: text,
  uuid: asStored,
  language: asStored,
  timestamp: time,
  changed: time,
  entity_reference: reference(),
  typed_relation: reference('rel_type'),
  file: reference('display', 'description'),
  image: reference('alt', 'title', 'width', 'height'),
  file_uri: fileUri,
  link,
  edtf: asStored,
  // `computed-items.ts` writes these.
  path: asStored,
  metatag: asStored,
  redirect_source: ({ path, query }) => ({ path: path ?? null, query: query ?? [] }),
  text,
  text_with_summary: textWithSummary,
  list_string: asStored,
  list_integer: asStored,
  email: asStored,
  authority_link: authorityLink,
  geolocation,
  media_track: reference('label', 'kind', 'srclang', 'default'),
  comment,
  name,
  datetime: date,
  decimal: asStored,
  float: asStored,
  other: asStored,
};

export type ComputedName = 'path' | 'metatag' | 'moderation_state' | 'did_image';
type Compute = (entity: Entity, context: ItemContext) => readonly JsonObject[];

/** A record without an alias has an item, too. */
const path: Compute = (entity, { site }) => {
  const [{ alias = null, langcode: own } = {}] = items(entity, 'path');
  const langcode = own ?? firstValue(entity, 'langcode') ?? site.langcode;
  return [{ alias, pid: alias === null ? null : aliasNumber(entity), langcode }];
};

/** Title and address, which the module writes for every record. A site can configure more, which Atoll does not know. */
const metatag: Compute = (entity, { site, baseUrl }) => [
  { tag: 'meta', attributes: { name: 'title', content: `${labelOf(entity)} | ${site.name}` } },
  { tag: 'link', attributes: { rel: 'canonical', href: baseUrl + entityPath(site, entity) } },
];

const moderationState: Compute = (entity, { site }) =>
  stateItems(entity, workflowOf(site.model.bundle(entity.type, entity.bundle)));

const discovered: Compute = (entity, { viewer, ...context }) => {
  const image = viewer && discoveredImage(entity, { ...context, principal: viewer });
  return image === undefined ? [] : [renderTarget(image, context).withId];
};

const computations: { readonly [N in ComputedName]: Compute } = {
  path,
  metatag,
  moderation_state: moderationState,
  did_image: discovered,
};

const computedNames: readonly ComputedName[] = ['path', 'metatag', 'moderation_state', 'did_image'];

/** The computed base fields of a bundle. A bundle of a site without such modules has none. */
export const computedFieldsOf = oncePerBundle((bundle): readonly ComputedName[] =>
  // The path of an alias is where it leads.
  bundle.entityType === 'path_alias'
    ? []
    : computedNames.filter((name) => bundle.fields.get(name)?.configured === false),
);

export const computedItems = (name: ComputedName, entity: Entity, context: ItemContext): readonly JsonObject[] =>
  computations[name](entity, context);
