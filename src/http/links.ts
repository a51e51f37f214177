/** Response middleware: Link headers on successful GET and HEAD of an entity, for the one who asks (contract: Signposting). */
import { editSourceVerdict } from '../content/access.ts';
import type { ResponseMiddleware } from '../contract/engine.ts';
import { linkHeadersOf } from '../links/bounded-links.ts';

/** Adds one `Link` line per link. The link sources see what the principal may see and nothing else. */
export const withLinks: ResponseMiddleware = async (reply, { operation, request }, world) => {
  if (reply.subject === undefined || reply.status !== 200 || operation.method !== 'GET') return reply;
  const { principal } = request.identity;
  const links = await linkHeadersOf(reply.subject, {
    site: world.site,
    store: world.store,
    baseUrl: world.baseUrl,
    format: request.format,
    formats: operation.format?.enabled ?? [],
    canView: (entity) => world.repository.canView(principal, entity),
    mayEditSource: () => editSourceVerdict(principal) === undefined,
  });
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
};
