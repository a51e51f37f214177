/** Limits how many links the header of an answer has. `linkset.ts` writes all links as a document. */
import type { Entity } from '../model/entity.ts';
import { linksOf } from './entity-links.ts';
import type { EntityLink, LinkContext, LinkKind } from './link-context.ts';
import { linksetLink } from './linkset.ts';
import { linkHeader, type TypedLink } from './typed-link.ts';

/** Python clients fail when an answer has more than 100 header lines. The answer's other headers need some of these lines. */
export const maxLinkLines = 60;

/** Node clients fail at 16 KiB of headers. Atoll sends at most 14 KiB: 13 for links, 1 for other headers. */
export const maxLinkBytes = 13 * 1024;

/** The kinds of links in the order in which they are left out. `kept` links stay. */
const leftOutOrder: readonly LinkKind[] = ['page', 'media', 'tag', 'related'];

/** The `Link` header lines of an entity for one requester, within both limits. */
export const linkHeadersOf = (entity: Entity, context: Omit<LinkContext, 'mediaLimit'>): string[] => {
  const links = linksOf(entity, { ...context, mediaLimit: maxLinkLines + 1 });
  return boundedLinks(links, linksetLink(entity, context));
};

/**
 * One header value per link, in order. When they do not fit, links are left out kind by kind, from the end of each kind,
 * until the rest fits together with the link to the complete set. That link comes last.
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
  const remaining = new Set(lines);
  for (const line of leftOutOrder.flatMap((kind) => lines.filter((each) => each.kind === kind).reverse())) {
    if (count <= maxLinkLines && bytes <= maxLinkBytes) break;
    remaining.delete(line);
    count -= 1;
    bytes -= lineBytes(line.line);
  }
  return [...[...remaining].map(({ line }) => line), last];
};

/** The bytes of a line in HTTP/1.1, with `Link: ` and CR LF. `linkHeader` writes ASCII only. */
export const lineBytes = (line: string): number => line.length + 'Link: \r\n'.length;
