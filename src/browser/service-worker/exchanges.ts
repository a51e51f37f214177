/** Follows the requests that pages speak of: whether one was broken off, and whether its body is complete. */
import { confirmedMark, exchangeHeader } from './messages.ts';

/** What the worker knows of requests that are in progress. */
export type Exchanges = {
  /** The page sent the whole body. */
  sent(name: string): void;
  /** The page broke the request off. */
  aborted(name: string): void;
  /** The request without the header that names it, with a signal that the page's messages reach. Call `end` after the answer. */
  followed(request: Request): { readonly request: Request; readonly end: () => void };
};

type Exchange = {
  readonly controller: AbortController;
  readonly complete: Promise<void>;
  readonly confirm: () => void;
};

/** Names of requests that never arrived. More of them are forgotten. */
const mostKept = 1000;

export const createExchanges = (): Exchanges => {
  const kept = new Map<string, Exchange>();
  const exchangeOf = (name: string): Exchange => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = createExchange();
    kept.set(name, made);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return made;
  };
  return {
    sent: (name) => exchangeOf(name).confirm(),
    aborted: (name) => exchangeOf(name).controller.abort(),
    followed: (request) => {
      const mark = request.headers.get(exchangeHeader);
      if (mark === null) return { request, end: () => undefined };
      const isConfirmed = mark.endsWith(confirmedMark);
      const name = isConfirmed ? mark.slice(0, -confirmedMark.length) : mark;
      const exchange = exchangeOf(name);
      return {
        request: requestOf(request, exchange, isConfirmed),
        end: () => void kept.delete(name),
      };
    },
  };
};

const createExchange = (): Exchange => {
  const controller = new AbortController();
  let confirm: () => void = () => undefined;
  const complete = new Promise<void>((resolve, reject) => {
    confirm = resolve;
    controller.signal.addEventListener('abort', () => reject(brokenOff()), { once: true });
  });
  complete.catch(() => undefined); // most requests have no body that waits for it
  return { controller, complete, confirm };
};

const brokenOff = (): Error => new DOMException('The page broke the request off.', 'AbortError');

const requestOf = (request: Request, { controller, complete }: Exchange, isConfirmed: boolean): Request => {
  const headers = new Headers(request.headers);
  headers.delete(exchangeHeader);
  const init: RequestInit = { headers, signal: controller.signal };
  if (!isConfirmed || request.body === null) return new Request(request, init);
  const body = request.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: () => complete }));
  return new Request(request, { ...init, body, ...{ duplex: 'half' } }); // the type lacks `duplex`
};
