/** Makes the requests of a site to itself: what it does some time after a write, it asks for as a client does. */
import type { PlainReply, PlainRequest } from '../../openapi/openapi-host.ts';
import type { EventSettings, SiteRequest } from '../../repository/repository-content.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';

import type { OwnWork } from '../../server/server-application.ts';

type Answer = (request: PlainRequest) => Promise<PlainReply>;

/** How a server does what its sites do by themselves some time after a write. */
export type SiteRequests = OwnWork & {
  /** From a commit to what follows from it, in milliseconds of the clock of the world. */
  readonly delayMs: number;
  /** Where messages go. */
  readonly events: EventSettings;
  /** How much of it may wait in a world when a write adds more. Undefined: as much as usual. */
  readonly mostWaiting: number | undefined;
  /** What `end` ends, for each world. */
  readonly ends: Set<() => void>;
  /** Asks in a world. Rejects with a Problem as long as nobody answers. */
  readonly ask: (
    world: { readonly name: string; readonly baseUrl: string },
    request: SiteRequest,
  ) => Promise<PlainReply>;
};

/** Messages are kept, and nobody answers them. */
const kept: EventSettings = { send: undefined, services: undefined };

/** `delay` in seconds. */
export const createSiteRequests = (
  delay = 0,
  events: EventSettings & { readonly close?: () => Promise<void> } = kept,
  mostWaiting?: number,
): SiteRequests => {
  let answer: Answer | undefined;
  const ends = new Set<() => void>();
  return {
    ...{ delayMs: 1000 * delay, events, mostWaiting, ends },
    end: () => {
      for (const end of ends) end();
    },
    close: async () => events.close?.(),
    use: (next) => {
      answer = next;
    },
    ask: async (world, request) => {
      if (answer === undefined) throw unavailable('The server answers no requests yet.');
      return answer(plainRequest(world, request));
    },
  };
};

const plainRequest = (
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
  { method, path, query = '', headers = {}, body }: SiteRequest,
): PlainRequest => ({
  ...{ method, path, query, address: '127.0.0.1' },
  headers: {
    host: new URL(baseUrl).host,
    'atoll-world': name,
    ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    ...headers,
  },
  body: (async function* () {
    if (body !== undefined) yield body;
  })(),
});
