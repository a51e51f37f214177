/** Computes the fields that a saved media takes from its file: name, MIME type, size, dimensions, thumbnail. */
import { usualFieldMap, type Bundle, type FieldDefinition, type MediaSource } from '../../model/bundle.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import {
  firstValue,
  items,
  type Entity,
  type FieldItem,
  type FieldItems,
  type Fields,
} from '../../../openapi/openapi-records.ts';

const iconSize = 180;

/** How a media is saved. */
export type MediaSave = {
  readonly isNew: boolean;
  /** The source field has another value than before, if only another caption. */
  readonly sourceChanged: boolean;
  /** The file is the same and has other bytes. What these do not say, such as the width of a text, stays as it was. */
  readonly bytesReplaced?: boolean | undefined;
  /** What a media is called that has no file to be called after. */
  readonly unnamed?: string | undefined;
  /** The file entity of the generic icon for media that are not images. */
  readonly iconFile?: number | undefined;
  /** The text of a file, where it was read for this save. */
  readonly textOf?: ((file: Entity) => string | undefined) | undefined;
  /** The file of an item. Undefined when there is none. */
  readonly fileOf: (item: FieldItem | undefined) => Entity | undefined;
};

/**
 * The fields of a media after a save. A computed field is filled when it is empty. When the source field changed, it is
 * filled in any case, also if the same request has sent it: the real site overwrites the name, too.
 */
export const computeMedia = (fields: Fields, bundle: Bundle, save: MediaSave): Fields => {
  const { source } = bundle;
  if (source === undefined) return fields;
  const item = fields[source.field]?.[0];
  const file = save.fileOf(item);
  if (source.kind === 'oembed') return { ...fields, ...thumbnailField(fields['thumbnail']?.[0], undefined, save) };
  if (item === undefined) return withoutFile(fields, source, save);
  if (file === undefined) return fields;
  const isImage = source.kind === 'image';
  const sourceItem = isImage ? withDimensions(item, file) : item;
  const filled = computedFields(file, bundle, source).filter(
    ({ name, value, isOverwritten }) =>
      bundle.fields.has(name) &&
      ((save.sourceChanged && isOverwritten && !(save.bytesReplaced === true && value.length === 0)) ||
        (fields[name] ?? []).length === 0),
  );
  const saved: Fields = {
    ...fields,
    ...Object.fromEntries(filled.map(({ name, value }) => [name, value])),
    ...textField(fields, bundle, save.textOf?.(file)),
    [source.field]: [sourceItem],
    ...thumbnailField(fields['thumbnail']?.[0], { item: sourceItem, file, isImage }, save),
  };
  return Object.fromEntries(Object.entries(saved).filter(([, value]) => value.length > 0));
};

/** Where the media type lets a media be without its file, one that loses it loses all that the file has said, also its name. */
const withoutFile = (fields: Fields, { kind, fieldMap }: MediaSource, save: MediaSave): Fields => {
  const lost = save.isNew || !save.sourceChanged ? [] : Object.values(fieldMap ?? usualFieldMap(kind));
  const { name, ...kept } = Object.fromEntries(Object.entries(fields).filter(([each]) => !lost.includes(each)));
  return {
    ...kept,
    name: name ?? [{ value: save.unnamed ?? '' }],
    ...thumbnailField(kept['thumbnail']?.[0], undefined, save),
  };
};

/** The text of a new file with breaks for its lines. Markup, such as hOCR, is left to others. */
const textField = (fields: Fields, { source, fields: known }: Bundle, text: string | undefined): Fields => {
  const name = source?.textField;
  if (name === undefined || text === undefined || text === '' || text.startsWith('<?xml')) return {};
  if (!known.has(name) || (fields[name] ?? []).length > 0) return {};
  return { [name]: [{ value: text.replace(/\r\n|\n\r|\n|\r/g, '<br />$&'), format: 'basic_html' }] };
};

/** The fields of a media type that a save fills from the file, at least where they are empty. */
export const filledFields = ({ source, fields }: Bundle): readonly string[] => {
  if (source === undefined || source.kind === 'oembed') return [];
  const usual = usualFieldMap(source.kind);
  const facts = Object.entries(source.fieldMap ?? usual).filter(([fact]) => fact in usual);
  return ['name', 'thumbnail', ...facts.map(([, name]) => name)].filter((name) => fields.has(name));
};

type ComputedField = { readonly name: string; readonly value: FieldItems; readonly isOverwritten: boolean };

/** The fields that the file fills. A name that the media type does not map is filled once and then stays. */
const computedFields = (file: Entity, bundle: Bundle, { kind, fieldMap }: MediaSource): readonly ComputedField[] => {
  const facts: Fields = {
    name: items(file, 'filename'),
    mimetype: items(file, 'filemime'),
    filesize: [{ value: firstValue(file, 'filesize') ?? 0 }],
    ...(kind === 'image' ? { width: numberItems(file.blob?.width), height: numberItems(file.blob?.height) } : {}),
  };
  const mapped = Object.entries(fieldMap ?? usualFieldMap(kind)).flatMap(([fact, name]): ComputedField[] => {
    const value = facts[fact];
    return value === undefined ? [] : [{ name, value: asStored(value, bundle.fields.get(name)), isOverwritten: true }];
  });
  const isNamed = mapped.some(({ name }) => name === 'name');
  return isNamed ? mapped : [{ name: 'name', value: items(file, 'filename'), isOverwritten: false }, ...mapped];
};

/** A number can be mapped to a text. */
const asStored = (value: FieldItems, field: FieldDefinition | undefined): FieldItems =>
  field === undefined ? value : value.map((item) => fieldTypeOf(field).store(item));

const numberItems = (value: number | undefined): FieldItems => (value === undefined ? [] : [{ value }]);

/** An image keeps dimensions that were sent. When one is missing, both become those of the file. */
export const withDimensions = (item: FieldItem, file: Entity | undefined): FieldItem => {
  const { width, height } = file?.blob ?? {};
  const isGiven = Number(item['width'] ?? 0) !== 0 && Number(item['height'] ?? 0) !== 0;
  return isGiven || width === undefined || height === undefined ? item : { ...item, width, height };
};

type Source = { readonly item: FieldItem; readonly file: Entity; readonly isImage: boolean };

/** A thumbnail that was sent with a new media is overwritten. One that was set later stays until the source changes. */
const thumbnailField = (present: FieldItem | undefined, source: Source | undefined, save: MediaSave): Fields => {
  if (present !== undefined && !save.isNew && !save.sourceChanged && save.fileOf(present) !== undefined) {
    return { thumbnail: [withDimensions(present, save.fileOf(present))] };
  }
  if (source?.isImage === true) {
    const { item, file } = source;
    const { width = null, height = null } = file.blob ?? {};
    return { thumbnail: [{ ...item, title: null, width, height }] };
  }
  if (save.iconFile === undefined) return {};
  return { thumbnail: [{ target_id: save.iconFile, alt: '', title: null, width: iconSize, height: iconSize }] };
};
