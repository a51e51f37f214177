/** Advises of what an upload or a new source file does not store as it was sent, and of fields that it takes from the file again. */
import { inHeader, inPath, inRecord, type Advise } from '../../../openapi/openapi-host.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { DecisionContext } from '../changes.ts';
import { computeMedia } from './computed-media.ts';
import { decodeHeader } from './content-location.ts';
import {
  entityKey,
  firstValue,
  items,
  type Entity,
  type FieldItem,
  type FieldName,
} from '../../../openapi/openapi-records.ts';

/** The headers and parts of the path that describe an upload. */
export type UploadLabels = {
  readonly contentLocation?: string | undefined;
  /** The media type that the path names. */
  readonly mediaType?: string | undefined;
};

/** Advises of an upload that replaces the file of a media. */
export const adviseOfReplacement = (labels: UploadLabels, media: Entity, file: Entity, advise: Advise): void => {
  const { contentLocation, mediaType } = labels;
  const uri = firstValue(file, 'uri');
  const location = contentLocation === undefined ? undefined : (decodeHeader(contentLocation) ?? contentLocation);
  if (location !== undefined && location !== '' && location !== uri) {
    const reason = 'The media exists already, and its file keeps its location.';
    advise?.({ pointer: inHeader('content-location'), sent: location, stored: uri, reason });
  }
  if (mediaType !== undefined && mediaType !== media.bundle) {
    const reason = 'The node has a media with this use already. Its file is replaced, whatever its media type is.';
    advise?.({ pointer: inPath('media_type'), sent: mediaType, stored: media.bundle, reason });
  }
};

type SavedMedia = {
  readonly before: Entity;
  readonly after: Entity;
  readonly bundle: Bundle;
  /** The fields that the request sent. */
  readonly sent: ReadonlySet<FieldName>;
};

/**
 * Advises of fields that a save of a media takes from the file again although a client had set them. A value that came from the
 * old file is not a loss.
 */
export const adviseOfOverwritten = (
  { before, after, bundle, sent }: SavedMedia,
  { advise, view, iconFile }: Pick<DecisionContext, 'advise' | 'view' | 'iconFile'>,
): void => {
  if (advise === undefined || after.type !== 'media') return;
  const fileOf = (item: FieldItem | undefined): Entity | undefined =>
    view.get(entityKey('file', Number(item?.['target_id'])));
  const save = { isNew: false, sourceChanged: true, iconFile, fileOf };
  const fromOldFile = computeMedia(before.fields, bundle, save);
  for (const name of Object.keys(before.fields)) {
    if (sent.has(name) || name === 'changed' || name === bundle.source?.field) continue;
    const [old, computed, stored] = [items(before, name), fromOldFile[name] ?? [], items(after, name)].map((list) =>
      JSON.stringify(list),
    );
    if (old === stored || old === computed) continue;
    const reason = 'The request sets the source file, and then the real site takes this field from the file again.';
    advise({ pointer: inRecord(name), before: items(before, name), stored: items(after, name), reason });
  }
};
