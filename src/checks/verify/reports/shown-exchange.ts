/** Writes an exchange as reports show it: without secrets, with short bodies, and with the `curl` command of its request. */
import { credentialOptions, curlLine, shellWord, shownInUrl } from '../../../exchange/curl.ts';
import type { Redaction } from '../../../exchange/redaction/redaction.ts';
import { isSecretHeader } from '../../../exchange/redaction/secrets.ts';
import { type HeaderLine, valueOf, type WireBody, type WireExchange } from '../../../exchange/wire-exchange.ts';
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
    curl: shownCurl(exchange, sender.baseUrl, redaction),
  };
};

const shownBody = (body: WireBody, headers: readonly HeaderLine[], redaction: Redaction): string | undefined => {
  if (body.bytes === 0) return undefined;
  const text = redaction.body(body, valueOf(headers, 'content-type'));
  if (text === undefined) return `(${body.bytes} bytes)`;
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}… (${body.bytes} bytes)` : text;
};

/** Headers that `curl` adds itself, or that are in other options. */
const ownOptions: ReadonlySet<string> = new Set(['host', 'content-length', 'authorization', 'cookie', 'x-csrf-token']);

/** Secrets are variables of the shell, and a body that is not a short text is the file `BODY`. */
const shownCurl = ({ request }: WireExchange, baseUrl: string, redaction: Redaction): string => {
  const { method, headers, body } = request;
  const others = headers.filter(([name]) => !ownOptions.has(name.toLowerCase()));
  const text = redaction.body(body, valueOf(headers, 'content-type'));
  const isShort = text !== undefined && text.length <= shownCharacters;
  return curlLine({
    ...{ method, url: shownInUrl(baseUrl + redaction.path(request.path)) },
    shows: '-i',
    options: [
      ...credentialOptions({
        authorization: valueOf(headers, 'authorization'),
        hasCookie: valueOf(headers, 'cookie') !== undefined,
        hasCsrfToken: valueOf(headers, 'x-csrf-token') !== undefined,
      }),
      ...others.flatMap(([name]) => (isSecretHeader(name) ? ['-H', `"${name}: $ATOLL_SECRET"`] : [])),
    ],
    headers: redaction.headers(others.filter(([name]) => !isSecretHeader(name))),
    body: body.bytes === 0 ? [] : ['--data-binary', isShort ? shellWord(text) : '@BODY'],
  });
};
