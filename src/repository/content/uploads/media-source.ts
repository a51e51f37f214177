/** Makes the records of an upload: a new media with its file, or a media with new content. Nothing here waits. */
import type { Principal } from '../../model/principal.ts';
import { editVerdict } from '../verdicts.ts';
import { saveMedia, timeOrFlag, type DecisionContext } from '../changes.ts';
import { withState } from '../fields/moderation.ts';
import { nextRevision } from '../revisions.ts';
import { adviseOfName, fileNameOf, freeUri } from './content-location.ts';
import { adviseOfOverwritten, adviseOfReplacement, type UploadLabels } from './upload-advice.ts';
import { changedAt } from '../../model/changed-at.ts';
import { newFields } from '../../model/default-fields.ts';
import { stateField } from '../../model/entity.ts';
import { fileAt } from '../../model/index-keys.ts';
import type { Bundle, MediaSource, Model } from '../../model/bundle.ts';
import { denied, notFound, type Problem } from '../../../openapi/openapi-terms.ts';
import {
  type StoreView,
  firstValue,
  items,
  keyOf,
  textOf,
  type BlobReference,
  type Entity,
  type EntityKey,
  type FieldItem,
  type Fields,
} from '../../../openapi/openapi-records.ts';

/** The records after an upload. `old` is the file before its content was replaced. */
type StoredMedia = {
  readonly created: boolean;
  readonly media: Entity;
  readonly file: Entity;
  readonly old: Entity | undefined;
};

/** The stored bytes, the content type that the client declared, and what else it said. */
type UploadedContent = {
  readonly blob: BlobReference;
  readonly contentType: string;
  readonly labels?: UploadLabels | undefined;
};

/** The 404 for a media whose file is missing. The real site answers 500. */
export const noSourceFile = (): Problem => notFound('The media has no source file.');

/** The key of a media's source file. Throws 404 when it has none. */
export const sourceFileKey = (media: Entity, model: Model): EntityKey => {
  const source = model.bundle('media', media.bundle)?.source;
  const id = source === undefined ? undefined : items(media, source.field)[0]?.['target_id'];
  if (typeof id !== 'number') throw noSourceFile();
  return `file:${id}`;
};

/** The media that an upload replaces. If there are several, it is the first that the principal may edit; 403 if there is none. */
export const mediaToReplace = (found: readonly Entity[], principal: Principal, model: Model): Entity | undefined => {
  if (found.length <= 1) return found[0];
  const editable = found.find((media) => editVerdict(principal, media, model) === undefined);
  if (editable === undefined) throw denied('');
  return editable;
};

/** New content for a media. `mid`, `fid`, `uuid` and `uri` stay. The name becomes the file name again. */
export const replaceSource = (
  media: Entity,
  content: UploadedContent,
  model: Model,
  context: DecisionContext,
): StoredMedia => {
  const old = context.view.get(sourceFileKey(media, model));
  const bundle = model.bundle('media', media.bundle);
  if (old === undefined || bundle === undefined) throw noSourceFile();
  const fields = { ...old.fields, ...contentFields(content), changed: changedAt(old, context.now) };
  const file: Entity = { ...old, blob: content.blob, fields };
  const emptied: Entity = { ...media, fields: { ...media.fields, ...undimensioned(media, bundle) } };
  const filled = saveWithFile(file, emptied, bundle, false, context);
  const marks = timeOrFlag(media, filled.fields, { bundle, changed: new Map(), now: context.now });
  // The media is saved, which makes a revision where each save does.
  const saved: Entity = { ...filled, fields: { ...filled.fields, ...marks, ...nextRevision(bundle, context) } };
  adviseOfReplacement(content.labels ?? {}, media, file, context.advise);
  adviseOfOverwritten({ before: media, after: saved, bundle, sent: new Set() }, context);
  return { created: false, media: saved, file, old };
};

type NewMedia = {
  readonly bundle: Bundle;
  readonly source: MediaSource;
  readonly uri: string;
  readonly node: number;
  readonly term: number;
  /** The id of the file, where it was drawn before. */
  readonly fileId?: number | undefined;
};

/** A media and its file, linked to the node. The file's uri is the plan's, or the next free one. */
export const createMedia = (
  plan: NewMedia,
  content: UploadedContent,
  model: Model,
  context: DecisionContext,
): StoredMedia => {
  const { bundle, source } = plan;
  const file = newFile(plan.uri, { ...content, fileId: plan.fileId }, model, context);
  const filename = textOf(firstValue(file, 'filename'));
  const item: FieldItem =
    source.kind === 'image'
      ? { target_id: file.id, alt: filename, title: null, width: null, height: null }
      : { target_id: file.id, display: null, description: null };
  const id = context.view.nextId('media');
  const fields: Fields = {
    ...newFields({
      ...{ ...context, uid: context.principal.uid },
      ...{ bundle, revision: context.view.nextId('media_revision') },
    }),
    [source.field]: [item],
    field_media_of: [{ target_id: plan.node }],
    field_media_use: [{ target_id: plan.term }],
  };
  const media: Entity = {
    type: 'media',
    id,
    uuid: context.newUuid(),
    bundle: bundle.id,
    fields: bundle.fields.has(stateField) ? withState(fields, bundle) : fields,
  };
  adviseOfName('content-location', plan.uri, textOf(firstValue(file, 'uri')), context.advise);
  return { created: true, media: saveWithFile(file, media, bundle, true, context), file, old: undefined };
};

/** The record of a file at `preferredUri`, or at the next free one. */
export const newFile = (
  preferredUri: string,
  content: UploadedContent & { readonly fileId?: number | undefined },
  model: Model,
  context: Pick<DecisionContext, 'view' | 'principal' | 'langcode' | 'now' | 'newUuid'>,
): Entity => {
  const bundle = model.bundle('file', 'file');
  if (bundle === undefined) throw new Error('The model has no file bundle.');
  const uri = freeUri(preferredUri, (candidate) => context.view.lookup(fileAt(candidate)).length > 0);
  return {
    type: 'file',
    id: content.fileId ?? context.view.nextId('file'),
    uuid: context.newUuid(),
    bundle: bundle.id,
    blob: content.blob,
    fields: {
      ...newFields({ ...context, uid: context.principal.uid, bundle, revision: 0 }),
      filename: [{ value: fileNameOf(uri) }],
      uri: [{ value: uri }],
      ...contentFields(content),
      status: [{ value: true }],
    },
  };
};

const contentFields = ({ blob, contentType }: UploadedContent): Entity['fields'] => ({
  filemime: [{ value: contentType }],
  filesize: [{ value: blob.size }],
});

/** The source field of an image without the dimensions of its old content. */
const undimensioned = (media: Entity, { source }: Bundle): Entity['fields'] =>
  source?.kind === 'image'
    ? { [source.field]: items(media, source.field).map((item) => ({ ...item, width: null, height: null })) }
    : {};

/** Saves a media together with its file, which the store does not have yet. */
const saveWithFile = (
  file: Entity,
  media: Entity,
  bundle: Bundle,
  isNew: boolean,
  context: DecisionContext,
): Entity => {
  const view: StoreView = { ...context.view, get: (key) => (key === keyOf(file) ? file : context.view.get(key)) };
  return saveMedia(media, bundle, { isNew, sourceChanged: true, bytesReplaced: !isNew }, { ...context, view });
};
