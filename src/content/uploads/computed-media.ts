/** Computes the fields that a saved media takes from its file: name, MIME type, size, dimensions, thumbnail. */
import { firstValue, items, type Entity, type FieldItem, type FieldItems, type Fields } from '../../model/entity.ts';
import type { Bundle } from '../../model/bundle.ts';

const iconSize = 180;

/** How a media is saved. */
type MediaSave = {
  readonly isNew: boolean;
  /** The source field has another value than before, if only another caption. */
  readonly sourceChanged: boolean;
  /** The file entity of the generic icon for media that are not images. */
  readonly iconFile?: number | undefined;
  /** The file of an item. Undefined when there is none. */
  readonly fileOf: (item: FieldItem | undefined) => Entity | undefined;
};

/**
 * The fields of a media after a save. A computed field is filled when it is empty. When the source field changed, it is
 * filled in any case, also if the same request has sent it: the real site overwrites the name, too.
 */
export const computeMedia = (fields: Fields, bundle: Bundle, save: MediaSave): Fields => {
  const source = bundle.source;
  const item = source === undefined ? undefined : fields[source.field]?.[0];
  const file = save.fileOf(item);
  if (source === undefined || item === undefined || file === undefined) return fields;
  const isImage = source.kind === 'image';
  const sourceItem = isImage ? withDimensions(item, file) : item;
  const computed: Fields = {
    name: items(file, 'filename'),
    field_mime_type: items(file, 'filemime'),
    field_file_size: [{ value: firstValue(file, 'filesize') ?? 0 }],
    ...(isImage ? { field_width: numberItems(file.blob?.width), field_height: numberItems(file.blob?.height) } : {}),
  };
  const filled = Object.entries(computed).filter(
    ([name]) => bundle.fields.has(name) && (save.sourceChanged || (fields[name] ?? []).length === 0),
  );
  const saved: Fields = {
    ...fields,
    ...Object.fromEntries(filled),
    [source.field]: [sourceItem],
    ...thumbnailField(fields['thumbnail']?.[0], { item: sourceItem, file, isImage }, save),
  };
  return Object.fromEntries(Object.entries(saved).filter(([, value]) => value.length > 0));
};

const numberItems = (value: number | undefined): FieldItems => (value === undefined ? [] : [{ value }]);

/** An image keeps dimensions that were sent. When one is missing, both become those of the file. */
const withDimensions = (item: FieldItem, file: Entity | undefined): FieldItem => {
  const { width, height } = file?.blob ?? {};
  const isGiven = Number(item['width'] ?? 0) !== 0 && Number(item['height'] ?? 0) !== 0;
  return isGiven || width === undefined || height === undefined ? item : { ...item, width, height };
};

type Source = { readonly item: FieldItem; readonly file: Entity; readonly isImage: boolean };

/** A thumbnail that was sent with a new media is overwritten. One that was set later stays until the source changes. */
const thumbnailField = (present: FieldItem | undefined, { item, file, isImage }: Source, save: MediaSave): Fields => {
  if (present !== undefined && !save.isNew && !save.sourceChanged && save.fileOf(present) !== undefined) {
    return { thumbnail: [withDimensions(present, save.fileOf(present))] };
  }
  if (isImage) {
    const { width = null, height = null } = file.blob ?? {};
    return { thumbnail: [{ ...item, title: null, width, height }] };
  }
  if (save.iconFile === undefined) return {};
  return { thumbnail: [{ target_id: save.iconFile, alt: '', title: null, width: iconSize, height: iconSize }] };
};
