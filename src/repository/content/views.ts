/** Finds records for somebody who reads: 404 for one that is not there, 403 for one that they may not see. */
import { bundleOf } from '../model/bundle.ts';
import type { Principal } from '../model/principal.ts';
import type { Site } from '../site/site.ts';
import { mediaUsing } from './file-uses.ts';
import { fileAt, mediaUsingFile } from '../model/index-keys.ts';
import type { Records } from '../model/reading.ts';
import { readBytesVerdict, reasonOfDraft, throwIfDenied, type Verdict, viewVerdict } from './verdicts.ts';
import { type Entity, entityKey, firstValue, textOf } from '../../openapi/openapi-records.ts';
import type { Problem } from '../../openapi/openapi-terms.ts';

/** The entity that a path names. `absent` makes the 404 with the text of the route. */
export type Address = { readonly type: string; readonly id: number; readonly absent: () => Problem };

/** Who reads what. */
export type Viewer = {
  readonly principal: Principal;
  readonly records: Pick<Records, 'get' | 'lookup'>;
  readonly site: Site;
};

/** Throws 404 and 403. */
export const viewed = ({ type, id, absent }: Address, viewer: Viewer): Entity => {
  const entity = viewer.records.get(entityKey(type, id));
  if (entity === undefined) throw absent();
  bundleOf(viewer.site, entity);
  throwIfDenied(verdictOf(entity, viewer));
  return entity;
};

/** Whether the principal may see an entity. */
export const mayView = (entity: Entity, viewer: Viewer): boolean =>
  viewer.site.model.bundle(entity.type, entity.bundle) !== undefined && verdictOf(entity, viewer) === undefined;

/** Only a guarded file needs a look-up: of the media that use it. */
const verdictOf = (entity: Entity, viewer: Viewer): Verdict => {
  const media = mediaOpening(entity, viewer);
  const verdict = viewVerdict(viewer.principal, entity, media === undefined ? everybodys : { open: false, media });
  return verdict !== undefined && viewer.site.modules.contentModeration ? reasonOfDraft(entity, verdict) : verdict;
};

const everybodys = { open: true, media: [] };

/** Whether everybody may read the bytes of a file's scheme. */
export const isOpen = (file: Entity, { storages }: Pick<Site, 'storages'>): boolean => {
  const uri = textOf(firstValue(file, 'uri'));
  return storages.some(({ access, scheme }) => access === 'open' && (uri === scheme || uri.startsWith(`${scheme}://`)));
};

/** The media that use a guarded file: who may see one of them may see the file. Undefined for any other entity. */
export const mediaOpening = (
  entity: Entity,
  { records, site }: Omit<Viewer, 'principal'>,
): readonly Entity[] | undefined =>
  entity.type !== 'file' || isOpen(entity, site)
    ? undefined
    : mediaUsing(records.lookup(mediaUsingFile(entity.id)), entity.id, site.model);

/**
 * The file at `scheme://path`, for sending its bytes. Everybody may read the files of open schemes; with `opensUnusedFiles`
 * also those of guarded ones that no media uses.
 */
export const fileToSend = (
  uri: string,
  absent: () => Problem,
  { opensUnusedFiles, ...viewer }: Viewer & { readonly opensUnusedFiles: boolean },
): Entity => {
  const [file] = viewer.records.lookup(fileAt(uri));
  if (file?.blob === undefined) throw absent();
  const media = mediaOpening(file, viewer);
  if (media !== undefined && (media.length > 0 || !opensUnusedFiles)) {
    throwIfDenied(readBytesVerdict(viewer.principal, file, media));
  }
  return file;
};
