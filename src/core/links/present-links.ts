/**
 * Makes the `Link` header lines of a record without waiting, from a store that has its records at hand. They are those of
 * `linkHeadersOf`. Where they need more than that, such as a look-up by whom a file is used, there are none.
 */
import { mediaOf } from '../content/index-keys.ts';
import { areMany } from '../../basics/long-work.ts';
import { entityKey, labelOf, targetIds, type Entity } from '../model/entity.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { PresentRecords } from '../model/entity-store.ts';
import { targetTypeOf } from '../content/fields/field-type.ts';
import { lineBytes, maxLinkBytes, maxLinkLines } from './bounded-links.ts';
import { hasIslandoraLinks } from './entity-links.ts';
import { shownBundle, type LinkContext } from './link-context.ts';
import { mediaLink } from './node-links.ts';
import { platformLines } from './platform-lines.ts';
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
