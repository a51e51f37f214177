/**
 * Makes the `Link` header lines of a record without waiting, from a store that has its records at hand. They are those of
 * `linkHeadersOf`. Where they need more than that, such as a look-up of who uses a file, there are none.
 */
import { areMany } from '../../basics/long-work.ts';
import { targetTypeOf } from '../content/fields/field-type.ts';
import { mediaOf } from '../content/index-keys.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { PresentRecords } from '../model/entity-store.ts';
import { type Entity, entityKey, labelOf, targetIds } from '../model/entity.ts';
import { escapeUri } from '../representations/uri.ts';
import type { Site } from '../site/site.ts';
import { lineBytes, maxLinkBytes, maxLinkLines } from './bounded-links.ts';
import { hasIslandoraLinks, mediaLink } from './entity-links.ts';
import { type LinkContext, shownBundle } from './link-context.ts';
import { platformLinks } from './platform-links.ts';
import { alternateLinks, linkedFieldsOf, referenceLink } from './shared-links.ts';
import { linkHeader } from './typed-link.ts';

type PresentLinkContext = Omit<LinkContext, 'store' | 'mediaLimit' | 'mayEditSource'> & {
  readonly present: PresentRecords;
};

/** A node with more media is not read at once. */
const mostMedia = 20;

/** Undefined when the lines must be made by `linkHeadersOf`. */
export const presentLinkLines = (entity: Entity, context: PresentLinkContext): readonly string[] | undefined => {
  const hasMore = hasIslandoraLinks(entity, context);
  // A media leads to its file, and who may see that needs a look-up.
  if (hasMore && entity.type !== 'node') return undefined;
  const lines = platformLines(entity, context);
  if (hasMore && !addNodeLines(lines, entity, context)) return undefined;
  return fits(lines) ? lines : undefined;
};

const fits = (lines: readonly string[]): boolean => {
  let bytes = 0;
  for (const line of lines) bytes += lineBytes(line);
  return lines.length <= maxLinkLines && bytes <= maxLinkBytes;
};

/** Adds the links of `nodeLinks`, in its order. Returns false when one of them cannot be made. */
const addNodeLines = (lines: string[], node: Entity, context: PresentLinkContext): boolean => {
  // A look-up reads all that it finds, and a node can have 10,000 media.
  if (context.present.count(mediaOf(node.id)) > mostMedia) return false;
  for (const field of linkedFieldsOf(shownBundle(node, context))) {
    if (node.fields[field.name] !== undefined && !addReferences(lines, node, field, context)) return false;
  }
  for (const item of context.present.lookup(mediaOf(node.id))) if (!addMedia(lines, item, context)) return false;
  for (const link of alternateLinks(node, context)) lines.push(linkHeader(link));
  return true;
};

const addReferences = (lines: string[], node: Entity, field: FieldDefinition, context: PresentLinkContext): boolean => {
  const type = targetTypeOf(field);
  if (type === undefined) return true;
  const ids = targetIds(node, field.name);
  if (areMany(ids)) return false;
  for (const id of ids) {
    const target = context.present.get(entityKey(type, id));
    if (target === undefined) continue;
    const isShown = context.canView(target);
    if (typeof isShown !== 'boolean') return false;
    if (isShown) lines.push(referenceLine(target, field, context));
  }
  return true;
};

type TermLine = Pick<LinkContext, 'site' | 'baseUrl'> & { readonly line: string };

/** Records never change, and terms are few. Their links depend on no field. */
const termLines = new WeakMap<Entity, TermLine>();

const referenceLine = (target: Entity, field: FieldDefinition, { site, baseUrl }: PresentLinkContext): string => {
  const isTerm = target.type === 'taxonomy_term';
  const known = isTerm ? termLines.get(target) : undefined;
  if (known?.site === site && known.baseUrl === baseUrl) return known.line;
  const line = linkHeader(referenceLink(target, field, { site, baseUrl }));
  if (isTerm) termLines.set(target, { site, baseUrl, line });
  return line;
};

const addMedia = (lines: string[], media: Entity, context: PresentLinkContext): boolean => {
  const isMediaShown = context.canView(media);
  if (typeof isMediaShown !== 'boolean') return false;
  for (const id of isMediaShown ? targetIds(media, 'field_media_use') : []) {
    const term = context.present.get(entityKey('taxonomy_term', id));
    if (term === undefined) continue;
    const isShown = context.canView(term);
    if (typeof isShown !== 'boolean') return false;
    if (isShown) lines.push(linkHeader(mediaLink(media, labelOf(term), context)));
  }
  return true;
};

/** A header value from behind the base URL on, cut at the id of the record. */
type Pattern = readonly string[];

/** No record has this id: it stands for that of any record. */
const anyId = Number.MAX_SAFE_INTEGER;

/** By type and bundle. They have no base URL: each world has another, and worlds come and go. */
type Patterns = Map<string, readonly Pattern[]>;

const patternsOf = new WeakMap<Site, Patterns>();

/** The values of the `Link` header lines of `platformLinks`. */
export const platformLines = (entity: Entity, context: Pick<LinkContext, 'site' | 'baseUrl'>): string[] => {
  // The address of a record with an alias is its own.
  if (entity.fields['path'] !== undefined) return platformLinks(entity, context).map(linkHeader);
  const id = String(entity.id);
  const start = `<${escapeUri(context.baseUrl)}`;
  return bundlePatterns(entity, context.site).map((pattern) => filled(pattern, start, id));
};

const filled = (pattern: Pattern, start: string, id: string): string => {
  let line = start + (pattern[0] ?? '');
  for (let at = 1; at < pattern.length; at += 1) line += id + (pattern[at] ?? '');
  return line;
};

const bundlePatterns = (entity: Entity, site: Site): readonly Pattern[] => {
  const ofSite = patternsOf.get(site) ?? new Map<string, readonly Pattern[]>();
  patternsOf.set(site, ofSite);
  const key = `${entity.type}/${entity.bundle}`;
  const known = ofSite.get(key);
  if (known !== undefined) return known;
  const lines = platformLinks({ ...entity, id: anyId }, { site, baseUrl: '' }).map(linkHeader);
  const made = lines.map((line) => line.slice('<'.length).split(String(anyId)));
  ofSite.set(key, made);
  return made;
};
