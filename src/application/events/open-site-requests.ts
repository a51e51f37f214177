/** Opens what sites do by themselves where there are files and sockets: their messages go to processes, a broker or a webhook. */
import type { OwnWorkOptions } from '../../server/application.ts';
import { openEventTarget } from './event-target.ts';
import { createSiteRequests, type SiteRequests } from './site-requests.ts';

/** Throws `ConfigurationError` where messages cannot go. */
export const openSiteRequests = async ({ events, reactionsDelay }: OwnWorkOptions): Promise<SiteRequests> =>
  createSiteRequests(reactionsDelay, await openEventTarget(events));
