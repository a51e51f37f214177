/** Adds the Link headers of Signposting to a successful GET or HEAD of an entity. It is response middleware. */
import type { PresentLinks, ResponseMiddleware } from '../../core/engine/engine-options.ts';
import { linkHeadersOf } from '../../core/links/bounded-links.ts';
import { linkContextOf, readFormats } from '../../core/links/link-context.ts';
import { presentLinkLines } from '../../core/links/present-links.ts';

/** Adds one `Link` line for each link. The links name only what the principal may see. */
export const withLinks: ResponseMiddleware = async (reply, { operation, request }, world) => {
  const { status, subject } = reply;
  if (subject === undefined || status !== 200 || operation.method !== 'GET') return reply;
  const context = linkContextOf(world, request.identity.principal, subject.type, request.format);
  const links = await linkHeadersOf(subject, context);
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
};

/** The same lines for a record that is in memory. */
export const presentLinks: PresentLinks = (subject, { identity, format, present }, { site, baseUrl, repository }) =>
  presentLinkLines(subject, {
    ...{ site, baseUrl, format, present, viewer: identity.principal },
    canView: (entity) => repository.canView(identity.principal, entity),
    formats: readFormats(site, subject.type),
  });
