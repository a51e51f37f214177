/** Defines one exchange on its way through the proxy. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { hasBody, type PlainReply, type PlainRequest } from '../../openapi/openapi-host.ts';
import { wholeBody, type KeptBytes } from '../../exchange/exchange-target.ts';
import type { WireBody, WireExchange, WireReply } from '../../exchange/exchange.ts';
import { pairsOf } from '../../basics/formats/pairs.ts';

export type ProxiedExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly plain: PlainRequest;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** By `performance.now()`. */
  readonly began: number;
  /** The first bytes of the request's body. Undefined when it has none. */
  readonly sent: KeptBytes | undefined;
  /** The request to the target, as soon as there is one. */
  upstream: ClientRequest | undefined;
  /** Stops passing the request's body on. */
  stopUpload: (() => void) | undefined;
  hasClientLeft: boolean;
  /** Whether the answer is a stream that may say nothing for a long time. */
  mayBeSilent: boolean;
};

const noBody = wholeBody(new Uint8Array());

/** The path and query of a target, which may be in absolute form (RFC 9112 §3.2.2). */
const pathAndQuery = (target: string): string => {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/** Begins an exchange. `keep` makes what keeps the bytes of the request's body. */
export const beginExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  keep: () => KeptBytes,
): ProxiedExchange => {
  const { method = 'GET', url = '/', socket } = request;
  const headers = request.headers as Record<string, string | undefined>; // only `set-cookie` can be a list, and it is not a header of requests
  const [path = '', ...query] = pathAndQuery(url).split('?');
  const plain: PlainRequest = {
    ...{ method, headers },
    ...{ path, query: query.join('?') },
    // Faults on demand read it this way. Without them it is passed on piece by piece.
    body: { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) },
    address: socket.remoteAddress ?? '',
    connection: socket,
  };
  const proxied: ProxiedExchange = {
    ...{ request, response, plain, at: Date.now(), began: performance.now() },
    sent: hasBody(headers) ? keep() : undefined,
    ...{ upstream: undefined, stopUpload: undefined, hasClientLeft: false, mayBeSilent: false },
  };
  response.once('close', () => {
    if (response.writableFinished) return;
    proxied.hasClientLeft = true;
    proxied.upstream?.destroy();
  });
  return proxied;
};

/** The path and query of a plain request. */
export const addressOf = ({ path, query }: PlainRequest): string => (query === '' ? path : `${path}?${query}`);

const exchangeOf = ({ request, plain, sent, at, began }: ProxiedExchange, reply: WireReply): WireExchange => ({
  ...{ at, durationMs: performance.now() - began, account: undefined },
  request: {
    method: plain.method,
    path: addressOf(plain),
    headers: pairsOf(request.rawHeaders),
    body: sent?.body(request.complete) ?? noBody,
  },
  reply,
});

/** An exchange with the target. */
export const targetExchange = (proxied: ProxiedExchange, message: IncomingMessage, body: WireBody): WireExchange =>
  exchangeOf(proxied, {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? '',
    headers: pairsOf(message.rawHeaders),
    trailers: pairsOf(message.rawTrailers),
    body,
  });

/** An exchange that the target has not answered. */
export const ownExchange = (proxied: ProxiedExchange, { status, headers, body }: PlainReply): WireExchange =>
  exchangeOf(proxied, {
    ...{ status, reason: '', trailers: [] },
    headers: Object.entries(headers).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    ),
    body: typeof body === 'string' ? wholeBody(Buffer.from(body)) : noBody,
  });
