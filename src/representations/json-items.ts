/** How one element of a field looks in JSON, by field type. Which fields a record has is said in `json.ts`. */
import { canonicalPath, entityKey, type FieldItem, type JsonObject, type Entity } from '../content/entity.ts';
import type { FieldDefinition, FieldTypeName } from '../content/model.ts';
import { formatTimestamp, timestampPattern } from '../content/timestamps.ts';
import type { Site } from '../site/site.ts';
import { contentPath, contentUrl } from './content-url.ts';
import { formattedText } from './formatted-text.ts';
import { targetTypeOf, type Targets } from './targets.ts';

/** What the elements are rendered against. `basePath` is the world's prefix of site-relative addresses, or empty. */
export type Surroundings = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly basePath: string;
  readonly targets: Targets;
};

type ItemWriter = (item: FieldItem, around: Surroundings, field: FieldDefinition) => JsonObject;

/** A stored item as the contract's element shape (contract: Element shapes; reference 2.3). */
export const jsonItem: ItemWriter = (item, around, field) => writers[field.type](item, around, field);

const asStored: ItemWriter = (item) => item;

const time: ItemWriter = ({ value }) =>
  typeof value === 'number' ? { value: formatTimestamp(value), format: timestampPattern } : { value: value ?? null };

/** `columns` are the members that the item keeps besides its target; a dead reference keeps only them (reference 2.5). */
const reference =
  (...columns: string[]): ItemWriter =>
  (item, around, field) => {
    const id = item['target_id'] ?? null;
    const own = Object.fromEntries(columns.map((column) => [column, item[column] ?? null]));
    const type = targetTypeOf(field);
    const target = type && typeof id === 'number' ? around.targets.get(entityKey(type, id)) : undefined;
    if (target === undefined) return { target_id: id, ...own };
    const url = referenceUrl(target, around);
    return {
      target_id: id,
      ...own,
      target_type: target.type,
      target_uuid: target.uuid,
      ...(url === undefined ? {} : { url }),
    };
  };

/** Site-relative, but the absolute content URL for files (reference 2.3). */
const referenceUrl = (target: Entity, { site, baseUrl, basePath }: Surroundings): string | undefined =>
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
