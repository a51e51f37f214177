/** Puts together what was seen of an exchange, for checks, traffic and recordings. */
import type { IncomingMessage } from 'node:http';
import type { PlainReply } from '../../core/engine/exchange.ts';
import { linesOf, type WireBody, type WireExchange, type WireReply } from '../../exchange/wire-exchange.ts';
import { noBytes, textBytes } from './kept-bytes.ts';
import { addressOf, type Passage } from './proxied-exchange.ts';

const exchangeOf = ({ request, plain, sent, at, began }: Passage, reply: WireReply): WireExchange => ({
  ...{ at, durationMs: performance.now() - began, account: undefined },
  request: {
    method: plain.method,
    path: addressOf(plain),
    headers: linesOf(request.rawHeaders),
    body: sent?.body(request.complete) ?? noBytes,
  },
  reply,
});

/** An exchange with the target. */
export const targetExchange = (passage: Passage, message: IncomingMessage, body: WireBody): WireExchange =>
  exchangeOf(passage, {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? '',
    headers: linesOf(message.rawHeaders),
    trailers: linesOf(message.rawTrailers),
    body,
  });

/** An exchange that the target has not answered. */
export const ownExchange = (passage: Passage, { status, headers, body }: PlainReply): WireExchange =>
  exchangeOf(passage, {
    ...{ status, reason: '', trailers: [] },
    headers: Object.entries(headers).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    ),
    body: typeof body === 'string' ? textBytes(body) : noBytes,
  });
