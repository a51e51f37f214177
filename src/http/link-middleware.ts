/** Adds the Link headers of Signposting to a successful GET or HEAD of an entity. It is response middleware. */
import type { ResponseMiddleware } from '../engine/engine-options.ts';
import { linkHeadersOf } from '../links/bounded-links.ts';
import { linkContextOf } from '../links/link-context.ts';

/** Adds one `Link` line for each link. The links name only what the principal may see. */
export const withLinks: ResponseMiddleware = async (reply, { operation, request }, world) => {
  const { status, subject } = reply;
  if (subject === undefined || status !== 200 || operation.method !== 'GET') return reply;
  const context = linkContextOf(world, request.identity.principal, subject.type, request.format);
  const links = await linkHeadersOf(subject, context);
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
};
