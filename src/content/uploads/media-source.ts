/** What an upload makes of the records: a new media with its file, or a media with new content. Nothing is awaited here. */
import type { Principal } from '../../model/principal.ts';
import { denied, notFound, type Problem } from '../../problem.ts';
import type { StoreView } from '../../model/entity-store.ts';
import { editVerdict } from '../verdicts.ts';
import { saveMedia, type DecisionContext } from '../changes.ts';
import { fileNameOf, freeUri, type ContentLocation } from './content-location.ts';
import { newFields } from '../../model/default-fields.ts';
import { firstValue, items, keyOf, textOf } from '../../model/entity.ts';
import type { BlobReference, Entity, EntityKey, FieldItem } from '../../model/entity.ts';
import { fileAt } from '../index-keys.ts';
import type { Bundle, MediaSource, Model } from '../../model/bundle.ts';

/** The records after an upload. `old` is the file before its content was replaced. */
export type StoredUpload = {
  readonly created: boolean;
  readonly media: Entity;
  readonly file: Entity;
  readonly old: Entity | undefined;
};

/** The bytes, where they lie, and the type that was declared for them. */
export type ArrivedContent = { readonly blob: BlobReference; readonly contentType: string };

/** 4xx of a media whose file is gone (decisions: Smaller points). */
export const noSourceFile = (): Problem => notFound('The media has no source file.');

/** The key of a media's source file. Throws 404 when it has none. */
export const sourceFileKey = (media: Entity, model: Model): EntityKey => {
  const source = model.bundle('media', media.bundle)?.source;
  const id = source === undefined ? undefined : items(media, source.field)[0]?.['target_id'];
  if (typeof id !== 'number') throw noSourceFile();
  return `file:${id}`;
};

/** One media is replaced; of several the lowest that the requester may edit, 403 if there is none (decisions: Upload details). */
export const mediaToReplace = (found: readonly Entity[], principal: Principal): Entity | undefined => {
  if (found.length <= 1) return found[0];
  const editable = found.find((media) => editVerdict(principal, media) === undefined);
  if (editable === undefined) throw denied('');
  return editable;
};

/** New content for a media: its mid, and its file's fid, uuid and uri stay; its name returns to the file name (R 3.2). */
export const replaceSource = (
  media: Entity,
  content: ArrivedContent,
  model: Model,
  ground: DecisionContext,
): StoredUpload => {
  const old = ground.view.get(sourceFileKey(media, model));
  const bundle = model.bundle('media', media.bundle);
  if (old === undefined || bundle === undefined) throw noSourceFile();
  const changed = [{ value: ground.now }];
  const described = contentFields(content);
  const file: Entity = { ...old, blob: content.blob, fields: { ...old.fields, ...described, changed } };
  const touched: Entity = { ...media, fields: { ...media.fields, changed } };
  return { created: false, media: saveWith(file, touched, bundle, ground), file, old };
};

export type NewMedia = {
  readonly bundle: Bundle;
  readonly source: MediaSource;
  readonly location: ContentLocation;
  readonly node: number;
  readonly term: number;
};

/** A media and its file, linked to the node (R 3.1). The file's uri is the location, or the next free one. */
export const createMedia = (
  plan: NewMedia,
  content: ArrivedContent,
  model: Model,
  ground: DecisionContext,
): StoredUpload => {
  const { bundle, source } = plan;
  const file = newFile(plan.location, content, model, ground);
  const filename = textOf(firstValue(file, 'filename'));
  const item: FieldItem =
    source.kind === 'image'
      ? { target_id: file.id, alt: filename, title: null, width: null, height: null }
      : { target_id: file.id, display: null, description: null };
  const media: Entity = {
    type: 'media',
    id: ground.view.nextId('media'),
    uuid: ground.newUuid(),
    bundle: bundle.id,
    fields: {
      ...newFields({ ...newcomer(ground), bundle, revision: ground.view.nextId('media_revision') }),
      [source.field]: [item],
      field_media_of: [{ target_id: plan.node }],
      field_media_use: [{ target_id: plan.term }],
    },
  };
  return { created: true, media: saveWith(file, media, bundle, ground), file, old: undefined };
};

/** A file's record at the location, or at the next free one. */
export const newFile = (
  location: ContentLocation,
  content: ArrivedContent,
  model: Model,
  ground: DecisionContext,
): Entity => {
  const bundle = model.bundle('file', 'file');
  if (bundle === undefined) throw new Error('The model has no file bundle.');
  const uri = freeUri(location.uri, (candidate) => ground.view.lookup(fileAt(candidate)).length > 0);
  return {
    type: 'file',
    id: ground.view.nextId('file'),
    uuid: ground.newUuid(),
    bundle: bundle.id,
    blob: content.blob,
    fields: {
      ...newFields({ ...newcomer(ground), bundle, revision: 0 }),
      filename: [{ value: fileNameOf(uri) }],
      uri: [{ value: uri }],
      ...contentFields(content),
      status: [{ value: true }],
    },
  };
};

const newcomer = (ground: DecisionContext): { langcode: string; uid: number; now: number } => ({
  langcode: ground.langcode,
  uid: ground.principal.uid,
  now: ground.now,
});

const contentFields = ({ blob, contentType }: ArrivedContent): Entity['fields'] => ({
  filemime: [{ value: contentType }],
  filesize: [{ value: blob.size }],
});

/** Saves a media as if its file, which belongs to the same change, were there already. */
const saveWith = (file: Entity, media: Entity, bundle: Bundle, ground: DecisionContext): Entity => {
  const view: StoreView = { ...ground.view, get: (key) => (key === keyOf(file) ? file : ground.view.get(key)) };
  return saveMedia(media, bundle, true, { ...ground, view });
};
