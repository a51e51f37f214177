/** Finds the pictures that a manifest shows: the media of a node or of its members, with the files in them and their sizes. */
import { mediaOf, membersOf, termWithUri } from '../../model/index-keys.ts';
import { mayView, type Viewer } from '../../content/views.ts';
import { isPublished, targetIds } from '../../model/entity.ts';
import { contentUrl } from '../../site/content-url.ts';
import { sourceFieldOf, targetsOf } from '../../representations/targets.ts';
import type { ManifestView } from './manifest-settings.ts';
import { entityKey, firstValue, items, type Entity, type FieldItem } from '../../../openapi/openapi-records.ts';

/** `text` is the address of a media with the text of the page. */
export type Picture = {
  readonly media: Entity;
  readonly file: Entity;
  readonly width: number;
  readonly height: number;
  readonly text: string | undefined;
};

export type PictureReader = Viewer & {
  readonly baseUrl: string;
  /** Whether this server is the image server, and so knows the size of each picture. */
  readonly isImageServer: boolean;
};

/**
 * In the order of the pages. Media that are not published are left out for everybody, and so is a picture of unknown size. A page that
 * is not published stays: the real view asks of the media alone.
 */
export const picturesOf = (node: Entity, view: ManifestView, reader: PictureReader): readonly Picture[] => {
  const owners = view.of === 'node' ? [node] : pagesOf(node, reader);
  return owners.flatMap((owner) =>
    mediaWith(owner, view.use, reader)
      .filter(isPublished)
      .flatMap((media) => picturesIn(media, view, reader)),
  );
};

/** By weight, those without one first, then by their creation. */
const pagesOf = (node: Entity, { records }: PictureReader): readonly Entity[] =>
  [...records.lookup(membersOf(node.id))].sort(
    (a, b) =>
      numberIn(a, 'field_weight', -Infinity) - numberIn(b, 'field_weight', -Infinity) ||
      numberIn(a, 'created', 0) - numberIn(b, 'created', 0),
  );

const numberIn = (entity: Entity, field: string, missing: number): number => {
  const value = firstValue(entity, field);
  return typeof value === 'number' ? value : missing;
};

const mediaWith = (node: Entity, use: string, { records }: PictureReader): readonly Entity[] => {
  const terms = new Set(records.lookup(termWithUri(use)).map(({ id }) => id));
  return records
    .lookup(mediaOf(node.id))
    .filter((media) => targetIds(media, 'field_media_use').some((term) => terms.has(term)));
};

const picturesIn = (media: Entity, view: ManifestView, reader: PictureReader): readonly Picture[] =>
  view.fields.flatMap((field) =>
    items(media, field).flatMap((item): readonly Picture[] => {
      const id = item['target_id'];
      const file = typeof id === 'number' ? reader.records.get(entityKey('file', id)) : undefined;
      if (file === undefined || !mayView(file, reader)) return [];
      const size = sizeOf(item, media, file, reader);
      return size === undefined ? [] : [{ media, file, ...size, text: textOf(media, view, reader) }];
    }),
  );

type Size = { readonly width: number; readonly height: number };

/** The size in the field, else that of the media, else that in the header of a TIFF; for all else the image server is asked. */
const sizeOf = (item: FieldItem, media: Entity, file: Entity, { isImageServer }: PictureReader): Size | undefined => {
  const isRead = isImageServer || firstValue(file, 'filemime') === 'image/tiff';
  return (
    sizeIn(item['width'], item['height']) ??
    sizeIn(firstValue(media, 'field_width'), firstValue(media, 'field_height')) ??
    (isRead ? sizeIn(file.blob?.width, file.blob?.height) : undefined)
  );
};

const sizeIn = (width: unknown, height: unknown): Size | undefined => {
  const size = { width: Number(width ?? 0), height: Number(height ?? 0) };
  return size.width > 0 && size.height > 0 ? size : undefined;
};

/** The file of the first media with text that the node of the picture has. */
const textOf = (media: Entity, { text_use: use }: ManifestView, reader: PictureReader): string | undefined => {
  const [owner] = targetIds(media, 'field_media_of');
  const node = owner === undefined ? undefined : reader.records.get(entityKey('node', owner));
  const [text] = node === undefined ? [] : mediaWith(node, use, reader);
  const bundle = text && reader.site.model.bundle('media', text.bundle);
  const field = bundle && sourceFieldOf(bundle);
  const [file] = text === undefined || field === undefined ? [] : targetsOf(text, field, reader.records);
  return file && mayView(file, reader) ? contentUrl(reader.site, reader.baseUrl, file) : undefined;
};
