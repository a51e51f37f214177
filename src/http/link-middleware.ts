/** Response middleware: Link headers on successful GET and HEAD of an entity, for the one who asks (contract: Signposting). */
import type { ResponseMiddleware } from '../engine/engine.ts';
import { linkHeadersOf } from '../links/bounded-links.ts';
import { linkContextOf } from '../links/link-context.ts';

/** Adds one `Link` line per link. The link sources see what the principal may see and nothing else. */
export const withLinks: ResponseMiddleware = async (reply, { operation, request }, world) => {
  const { status, subject } = reply;
  if (subject === undefined || status !== 200 || operation.method !== 'GET') return reply;
  const context = linkContextOf(world, request.identity.principal, subject.type, request.format);
  const links = await linkHeadersOf(subject, context);
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
};
