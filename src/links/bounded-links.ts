/** How many links go into a header, and which are given up when there are too many. The complete set is `linkset.ts`. */
import type { Entity } from '../model/entity.ts';
import { linksOf } from './entity-links.ts';
import type { EntityLink, LinkContext, LinkKind } from './link-source.ts';
import { linksetLink } from './linkset.ts';
import { linkHeader, type TypedLink } from './typed-link.ts';

/** Python reads 100 header lines, the answer's other headers included (decisions: Too many links for a header). */
export const maxLinkLines = 60;

/** Of the 14 KiB that a header block may have, 1 KiB is left for the answer's other headers. */
export const maxLinkBytes = 13 * 1024;

/** Given up first to last; `kept` links stay. */
const givenUp: readonly LinkKind[] = ['page', 'media', 'tag', 'related'];

/** The `Link` header lines of an entity for one requester, bounded. */
export const linkHeadersOf = async (entity: Entity, context: Omit<LinkContext, 'mediaLimit'>): Promise<string[]> => {
  const links = await linksOf(entity, { ...context, mediaLimit: maxLinkLines + 1 });
  return boundedLinks(links, linksetLink(entity, context));
};

/**
 * One header value per link, in order. When they do not fit, links are left out one by one, from the end of the first kind
 * that is left, until they fit together with the link to the complete set, which is last.
 */
export const boundedLinks = (links: readonly EntityLink[], linkset: TypedLink | undefined): string[] => {
  const lines = links.map((link) => ({ kind: link.kind, line: linkHeader(link) }));
  let bytes = lines.reduce((sum, { line }) => sum + lineBytes(line), 0);
  if (linkset === undefined || (lines.length <= maxLinkLines && bytes <= maxLinkBytes)) {
    return lines.map(({ line }) => line);
  }
  const last = linkHeader(linkset);
  let count = lines.length + 1;
  bytes += lineBytes(last);
  const left = new Set(lines);
  for (const one of givenUp.flatMap((kind) => lines.filter((line) => line.kind === kind).reverse())) {
    if (count <= maxLinkLines && bytes <= maxLinkBytes) break;
    left.delete(one);
    count -= 1;
    bytes -= lineBytes(one.line);
  }
  return [...[...left].map(({ line }) => line), last];
};

/** As sent by HTTP/1.1: `Link: ` before, CR LF after. The writer makes ASCII only. */
const lineBytes = (line: string): number => line.length + 'Link: \r\n'.length;
