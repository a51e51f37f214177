/** What a media draws from its file when it is saved: name, MIME type, size, dimensions, thumbnail (R 2.6, 3.1, 3.2). */
import { firstValue, items, type Entity, type FieldItem, type FieldItems, type Fields } from '../../model/entity.ts';
import type { Bundle, MediaSource } from '../../model/bundle.ts';

/** The generic icons' file entity stands in for everything that is not an image (R 3.1). */
export type Thumbnail = { readonly iconFile: number } | 'source';

const iconSize = 180;

/** A media's source item, if it has one. */
const sourceItem = (media: Fields, source: MediaSource): FieldItem | undefined => media[source.field]?.[0];

/**
 * The fields of a media after a save. A mapped field is filled when it is empty or when the source changed; a value that
 * was sent otherwise stays (R 2.6). An image's source item and thumbnail always show the file's real dimensions.
 */
export const computeMedia = (
  fields: Fields,
  bundle: Bundle,
  file: Entity | undefined,
  options: { readonly sourceChanged: boolean; readonly iconFile: number | undefined },
): Fields => {
  const source = bundle.source;
  const item = source === undefined ? undefined : sourceItem(fields, source);
  if (source === undefined || item === undefined || file === undefined) return fields;
  const pixels: FieldItem = { width: file.blob?.width ?? null, height: file.blob?.height ?? null };
  const isImage = source.kind === 'image';
  const shownItem: FieldItem = isImage ? { ...item, ...pixels } : item;
  const computed: Fields = {
    name: items(file, 'filename'),
    field_mime_type: items(file, 'filemime'),
    field_file_size: [{ value: firstValue(file, 'filesize') ?? 0 }],
    ...(isImage ? { field_width: pixel(pixels['width']), field_height: pixel(pixels['height']) } : {}),
  };
  const mapped = Object.entries(computed).filter(
    ([name]) => bundle.fields.has(name) && (options.sourceChanged || isEmpty(fields[name])),
  );
  return {
    ...fields,
    ...Object.fromEntries(mapped),
    [source.field]: [shownItem],
    ...thumbnailFields(fields, shownItem, isImage, options),
  };
};

const isEmpty = (value: FieldItems | undefined): boolean => value === undefined || value.length === 0;

const pixel = (value: FieldItem[string] | undefined): FieldItems => (typeof value === 'number' ? [{ value }] : []);

const thumbnailFields = (
  fields: Fields,
  shownItem: FieldItem,
  isImage: boolean,
  options: { readonly sourceChanged: boolean; readonly iconFile: number | undefined },
): Fields => {
  const present = fields['thumbnail']?.[0];
  if (isImage) {
    // An own thumbnail set by PATCH stays until the source changes (recording: "PATCH media thumbnail").
    const isOwn = present !== undefined && present['target_id'] !== shownItem['target_id'] && !options.sourceChanged;
    return isOwn ? {} : { thumbnail: [{ ...shownItem, title: null }] };
  }
  if (options.iconFile === undefined || (present !== undefined && !options.sourceChanged)) return {};
  return {
    thumbnail: [{ target_id: options.iconFile, alt: '', title: null, width: iconSize, height: iconSize }],
  };
};
