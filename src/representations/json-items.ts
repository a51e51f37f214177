/** How one element of a field looks in JSON, by field type. Which fields a record has is said in `json.ts`. */
import {
  canonicalPath,
  entityKey,
  type Entity,
  type FieldItem,
  type FieldItems,
  type JsonObject,
} from '../model/entity.ts';
import type { FieldDefinition, FieldTypeName } from '../model/bundle.ts';
import { formatTimestamp, timestampPattern } from '../content/fields/timestamps.ts';
import type { Site } from '../site/site.ts';
import { contentPath, contentUrl } from './content-url.ts';
import { formattedText } from './formatted-text.ts';
import { targetTypeOf, type Targets } from './targets.ts';

/** What the elements are rendered against. `basePath` is the world's prefix of site-relative addresses, or empty. */
export type ItemContext = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly basePath: string;
  readonly targets: Targets;
};

type ItemWriter = (item: FieldItem, context: ItemContext, field: FieldDefinition) => JsonObject;

/** Stored items as the contract's element shapes (contract: Element shapes; reference 2.3). */
export const jsonItems = (stored: FieldItems, context: ItemContext, field: FieldDefinition): readonly JsonObject[] => {
  const write = writers[field.type];
  return write === asStored ? stored : stored.map((item) => write(item, context, field));
};

const asStored: ItemWriter = (item) => item;

const time: ItemWriter = ({ value }) =>
  typeof value === 'number' ? { value: formatTimestamp(value), format: timestampPattern } : { value: value ?? null };

/** `columns` are the members that the item keeps besides its target; a dead reference keeps only them (reference 2.5). */
const reference =
  (...columns: string[]): ItemWriter =>
  (item, context, field) => {
    const id = item['target_id'] ?? null;
    const type = targetTypeOf(field);
    const target = type && typeof id === 'number' ? context.targets.get(entityKey(type, id)) : undefined;
    if (columns.length === 0) return target === undefined ? { target_id: id } : shownTarget(target, context).whole;
    const own = Object.fromEntries(columns.map((column) => [column, item[column] ?? null]));
    return { target_id: id, ...own, ...(target && shownTarget(target, context).members) };
  };

/** What references show of a target: `whole` with its id, for those that show nothing else. */
type ShownTarget = Pick<ItemContext, 'site' | 'baseUrl' | 'basePath'> & {
  readonly members: JsonObject;
  readonly whole: JsonObject;
};

/**
 * Records never change, so what is shown of one stays true where it was made. Only of terms and accounts, to which most
 * references are and of which there are few: of 100,000 files each would be remembered for a single media.
 */
const shownTargets = new WeakMap<Entity, ShownTarget>();

const shownTarget = (target: Entity, context: ItemContext): ShownTarget => {
  const { site, baseUrl, basePath } = context;
  const known = shownTargets.get(target);
  if (known?.site === site && known.baseUrl === baseUrl && known.basePath === basePath) return known;
  const url = referenceUrl(target, context);
  const members = { target_type: target.type, target_uuid: target.uuid, ...(url === undefined ? {} : { url }) };
  const shown = { site, baseUrl, basePath, members, whole: { target_id: target.id, ...members } };
  if (target.type === 'taxonomy_term' || target.type === 'user') shownTargets.set(target, shown);
  return shown;
};

/** Site-relative, but the absolute content URL for files (reference 2.3). */
const referenceUrl = (target: Entity, { site, baseUrl, basePath }: ItemContext): string | undefined =>
  target.type === 'file' ? contentUrl(site, baseUrl, target) : basePath + canonicalPath(target.type, target.id);

const text: ItemWriter = ({ value, format }) => ({
  value: value ?? null,
  format: format ?? null,
  processed: typeof value === 'string' ? formattedText(value) : '',
});

const link: ItemWriter = ({ uri, title, options }) => ({
  uri: uri ?? null,
  title: title ?? null,
  options: options ?? [],
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
};
