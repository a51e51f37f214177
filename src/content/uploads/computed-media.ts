/** Computes the fields that a saved media takes from its file: name, MIME type, size, dimensions, thumbnail. */
import { firstValue, items, type Entity, type FieldItem, type FieldItems, type Fields } from '../../model/entity.ts';
import type { Bundle } from '../../model/bundle.ts';

const iconSize = 180;

/** Whether the source file changed, and the file entity of the generic icon for media that are not images. */
type SaveOptions = { readonly sourceChanged: boolean; readonly iconFile?: number | undefined };

/**
 * The fields of a media after a save. A computed field is filled when it is empty or when the source changed; otherwise
 * its value stays. An image's source item and thumbnail always have the file's real dimensions.
 */
export const computeMedia = (
  fields: Fields,
  bundle: Bundle,
  file: Entity | undefined,
  options: SaveOptions,
): Fields => {
  const source = bundle.source;
  const item = source === undefined ? undefined : fields[source.field]?.[0];
  if (source === undefined || item === undefined || file === undefined) return fields;
  const dimensions: FieldItem = { width: file.blob?.width ?? null, height: file.blob?.height ?? null };
  const isImage = source.kind === 'image';
  const sourceItem: FieldItem = isImage ? { ...item, ...dimensions } : item;
  const computed: Fields = {
    name: items(file, 'filename'),
    field_mime_type: items(file, 'filemime'),
    field_file_size: [{ value: firstValue(file, 'filesize') ?? 0 }],
    ...(isImage
      ? { field_width: numberItems(dimensions['width']), field_height: numberItems(dimensions['height']) }
      : {}),
  };
  const filled = Object.entries(computed).filter(
    ([name]) => bundle.fields.has(name) && (options.sourceChanged || (fields[name] ?? []).length === 0),
  );
  return {
    ...fields,
    ...Object.fromEntries(filled),
    [source.field]: [sourceItem],
    ...thumbnailFields(fields, sourceItem, isImage, options),
  };
};

const numberItems = (value: FieldItem[string] | undefined): FieldItems =>
  typeof value === 'number' ? [{ value }] : [];

const thumbnailFields = (fields: Fields, sourceItem: FieldItem, isImage: boolean, options: SaveOptions): Fields => {
  const present = fields['thumbnail']?.[0];
  if (isImage) {
    // A thumbnail set by PATCH stays until the source changes.
    // Recorded: "PATCH media thumbnail" in test/contract/recordings/observed-media-and-file.json.
    const isOwn = present !== undefined && present['target_id'] !== sourceItem['target_id'] && !options.sourceChanged;
    return isOwn ? {} : { thumbnail: [{ ...sourceItem, title: null }] };
  }
  if (options.iconFile === undefined || (present !== undefined && !options.sourceChanged)) return {};
  return {
    thumbnail: [{ target_id: options.iconFile, alt: '', title: null, width: iconSize, height: iconSize }],
  };
};
