/** Shows the media of an object, or the file of a media, with a picture or a player where a browser has one. */
import { bundleOf } from '../model/bundle.ts';
import { mediaOf } from '../model/index-keys.ts';
import { rankOfUses } from '../model/term-uris.ts';
import { fileToSend } from '../content/views.ts';
import { targetIds } from '../model/entity.ts';
import { inLanguage } from '../model/translations.ts';
import { sourceFieldOf } from '../representations/targets.ts';
import { isRestrictedFrom, isVisible, visibleKeys } from './visible-records.ts';
import {
  bytesPath,
  type PageContext,
  recordLink,
  shownLabel,
  type Targets,
  targetsAt,
} from '../markup/page-context.ts';
import { markup, type Markup } from '../markup/page-markup.ts';
import { shownSize } from '../markup/words.ts';
import { entityKey, firstValue, keyOf, textOf, type Entity } from '../../openapi/openapi-records.ts';
import { notFound, Problem } from '../../openapi/openapi-terms.ts';

/** An object can have 10,000 media. The linkset names them all. */
const mostMedia = 24;

/** What browsers show by themselves. */
const pictures = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const sounds = /^audio\//;
const films = /^video\/(?:mp4|webm|ogg|quicktime)$/;

/** The media of a node that the viewer may view; for a media its own file. Undefined where there is nothing to show. */
export const mediaSection = (entity: Entity, context: PageContext): Markup | undefined => {
  if (entity.type === 'media') return ownFile(entity, context);
  if (entity.type !== 'node') return undefined;
  const { media, isMore } = firstMedia(entity, context);
  if (media.length === 0) return undefined;
  const keys = [
    ...media.flatMap((each) => fileIds(each, context).map((id) => entityKey('file', id))),
    ...media.flatMap((each) => targetIds(each, 'field_media_use').map((id) => entityKey('taxonomy_term', id))),
  ];
  const used = targetsAt(keys, context);
  const visible = visibleKeys(used.values(), context);
  const usesOf = (each: Entity): Entity[] =>
    targetIds(each, 'field_media_use').flatMap((id) => {
      const key = entityKey('taxonomy_term', id);
      return isRestrictedFrom(each, 'field_media_use', context) || !visible.has(key) ? [] : (used.get(key) ?? []);
    });
  const figures = media.map((each) => figureOf(each, usesOf(each), used, context));
  return markup`<section aria-labelledby="media">
<h2 id="media">Media</h2>
<ul class="media">
${figures}
</ul>
${isMore ? markup`<p class="note">These are the first ${mostMedia}. The linkset below names all.</p> ` : undefined}
</section>
`;
};

/**
 * The best picture of a node whose bytes the viewer may read, as a real site shows it above the fields. Who may read the bytes is
 * a rule of the file: that the media may not be viewed does not hide them.
 */
export const leadPicture = (node: Entity, context: PageContext): Markup | undefined => {
  const { records, world } = context;
  const found = records.lookup(mediaOf(node.id)).slice(0, mostMedia);
  const rankOf = (media: Entity): number => {
    const terms = targetIds(media, 'field_media_use').map((id) => records.get(entityKey('taxonomy_term', id)));
    return rankOfUses(terms.filter((term) => term !== undefined));
  };
  const ranked = found.map((media) => ({ media, rank: rankOf(media) })).sort((a, b) => a.rank - b.rank);
  for (const { media } of ranked) {
    const [file] = fileIds(media, context).flatMap((id) => records.get(entityKey('file', id)) ?? []);
    const path = file === undefined ? undefined : bytesPath(file, world);
    if (file === undefined || path === undefined || !pictures.test(textOf(firstValue(file, 'filemime')))) continue;
    if (mayReadBytes(file, context))
      return markup`<img class="lead" src="${path}" alt="Picture of ${shownLabel(node, world)}" /> `;
  }
  return undefined;
};

const firstMedia = (
  node: Entity,
  context: PageContext,
): { readonly media: readonly Entity[]; readonly isMore: boolean } => {
  const media: Entity[] = [];
  for (const each of context.records.lookup(mediaOf(node.id))) {
    if (!isVisible(each, context)) continue;
    if (media.length === mostMedia) return { media, isMore: true };
    media.push(inLanguage(each, context.world.language));
  }
  return { media, isMore: false };
};

/** The files of a media's source field, where the viewer may see that field. */
const fileIds = (media: Entity, context: PageContext): readonly number[] => {
  const source = sourceFieldOf(bundleOf(context.world.site, media));
  return source === undefined || isRestrictedFrom(media, source.name, context)
    ? []
    : targetIds(media, source.name).slice(0, 1);
};

const figureOf = (media: Entity, uses: readonly Entity[], files: Targets, context: PageContext): Markup => {
  const [file] = fileIds(media, context).flatMap((id) => files.get(entityKey('file', id)) ?? []);
  const shown = file === undefined ? undefined : preview(media, file, context);
  const words = uses.map((use) => shownLabel(use, context.world)).join(', ');
  const kind = words === '' ? bundleOf(context.world.site, media).label : words;
  return markup`<li>
${shown?.player}
<p>
${recordLink(media, context)}${firstValue(media, 'status') === false ? markup` <span class="badge">not published</span>` : undefined}
</p>
<p class="note">${kind}</p>
${shown?.link}
</li>
`;
};

const ownFile = (media: Entity, context: PageContext): Markup | undefined => {
  const [file] = fileIds(media, context).flatMap((id) => context.records.get(entityKey('file', id)) ?? []);
  if (file === undefined) return undefined;
  const { player, link } = preview(media, file, context);
  return markup`<section aria-labelledby="media">
<h2 id="media">File</h2>
<div class="file">${player}${link}</div>
</section>
`;
};

type Preview = { readonly player: Markup | undefined; readonly link: Markup };

/** The picture or player of a file, and a link to its bytes. Without the right to read the bytes it says so. */
const preview = (media: Entity, file: Entity, context: PageContext): Preview => {
  const { world } = context;
  const type = textOf(firstValue(file, 'filemime'));
  const path = bytesPath(file, world);
  if (path === undefined) return { player: undefined, link: markup`<p class="note">Its bytes are not here.</p> ` };
  if (!mayReadBytes(file, context)) {
    return { player: undefined, link: markup`<p class="note">You may not read its bytes.</p> ` };
  }
  const { size = 0 } = file.blob ?? {};
  const [visible] = visibleKeys([file], context);
  const label = visible === keyOf(file) ? shownLabel(file, world) : undefined;
  // Most media have the name of their file, and two links of one name should lead to one place.
  const name = label === undefined || label === shownLabel(media, world) ? 'Open the file' : label;
  return {
    player: playerOf(type, path, media, context),
    link: markup`<p><a href="${path}">${name}</a> <span class="note">${type}, ${shownSize(size)}</span></p> `,
  };
};

const playerOf = (type: string, path: string, media: Entity, { world }: PageContext): Markup | undefined => {
  const label = shownLabel(media, world);
  if (pictures.test(type)) {
    const source = sourceFieldOf(bundleOf(world.site, media));
    const alt = source === undefined ? undefined : media.fields[source.name]?.[0]?.['alt'];
    return markup`<img src="${path}" alt="${typeof alt === 'string' && alt !== '' ? alt : label}" loading="lazy" /> `;
  }
  if (sounds.test(type)) return markup`<audio controls preload="none" src="${path}" aria-label="${label}"></audio> `;
  if (films.test(type)) return markup`<video controls preload="metadata" src="${path}" aria-label="${label}"></video> `;
  return undefined;
};

/** As for a request for the bytes. */
const mayReadBytes = (
  file: Entity,
  { world: { site, repository }, viewer: principal, records }: PageContext,
): boolean => {
  const opensUnusedFiles = repository.parts.opensUnusedFiles === true;
  try {
    fileToSend(textOf(firstValue(file, 'uri')), () => notFound(''), { principal, records, site, opensUnusedFiles });
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
};
