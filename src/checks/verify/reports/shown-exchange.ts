/** Writes an exchange as reports show it: without secrets, with short bodies, and with the `curl` command of its request. */
import {
  type Redaction,
  curlOfExchange,
  type HeaderLine,
  headerValue,
  type WireBody,
  type WireExchange,
} from '../../../exchange/exchange.ts';
import type { BrokenDocument, ShownExchange } from '../check-result.ts';

export const showBroken = (broken: BrokenDocument, redaction: Redaction): BrokenDocument => ({
  ...broken,
  request: redaction.path(broken.request),
  message: redaction.text(broken.message),
  ...(broken.arrived === undefined ? {} : { arrived: redaction.text(broken.arrived) }),
});

/** `GET /node/1 as editor → 200` */
export const exchangeTitle = ({ method, path, account, status }: ShownExchange): string =>
  `${method} ${path}${account === undefined ? '' : ` as ${account}`} → ${status}`;

type ShowingParts = { readonly redaction: Redaction; readonly sender: { readonly baseUrl: string } };

/** More of a body helps nobody. */
const shownCharacters = 2000;

export const showExchange = (exchange: WireExchange, { redaction, sender }: ShowingParts): ShownExchange => {
  const { request, reply } = exchange;
  const lines = (headers: readonly HeaderLine[]): string[] =>
    redaction.headers(headers).map(([name, value]) => `${name}: ${value}`);
  return {
    method: request.method,
    path: redaction.path(request.path),
    account: exchange.account,
    requestHeaders: lines(request.headers),
    requestBody: shownBody(request.body, request.headers, redaction),
    status: reply.status,
    replyHeaders: lines(reply.headers),
    replyBody: shownBody(reply.body, reply.headers, redaction),
    durationMs: exchange.durationMs,
    curl: curlOfExchange(exchange, { baseUrl: sender.baseUrl, redaction, shownCharacters }),
  };
};

const shownBody = (body: WireBody, headers: readonly HeaderLine[], redaction: Redaction): string | undefined => {
  if (body.bytes === 0) return undefined;
  const text = redaction.body(body, headerValue(headers, 'content-type'));
  if (text === undefined) return `(${body.bytes} bytes)`;
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}… (${body.bytes} bytes)` : text;
};
