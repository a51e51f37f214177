/** A `fetch` of the page that tells the worker what browsers do not: that a request was broken off, and that its body is complete. */
import { canSendStreams } from '../../client/request-streams.ts';
import type { Fetch } from '../../exchange/worlds/controlled-world.ts';
import { confirmedMark, exchangeHeader, type PageNews } from './messages.ts';

/** `isServed` says whether the repository answers at an address. Other requests go their usual way. */
export const createPageFetch =
  (tell: (news: PageNews) => void, isServed: (url: URL) => boolean): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    if (!isServed(new URL(request.url))) return fetch(request);
    const exchange = crypto.randomUUID();
    try {
      return await fetch(marked(request, exchange, tell));
    } catch (error) {
      tell({ kind: 'aborted', exchange });
      throw error;
    }
  };

const marked = (request: Request, exchange: string, tell: (news: PageNews) => void): Request => {
  const headers = new Headers(request.headers);
  if (request.body === null || !canSendStreams()) {
    headers.set(exchangeHeader, exchange);
    return new Request(request, { headers });
  }
  headers.set(exchangeHeader, exchange + confirmedMark);
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({ flush: () => tell({ kind: 'sent', exchange }) }),
  );
  return new Request(request, { headers, body, ...{ duplex: 'half' } }); // the type lacks `duplex`
};
