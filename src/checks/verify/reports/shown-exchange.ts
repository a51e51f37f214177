/** Writes an exchange as reports show it: without secrets, with short bodies, and with the `curl` command of its request. */
import { quoted } from '../../../contract/curl-command.ts';
import type { Redaction } from '../../../exchange/redaction/report-redaction.ts';
import { isSecretHeader } from '../../../exchange/redaction/secrets.ts';
import { type HeaderLine, valueOf, type WireBody, type WireExchange } from '../../../exchange/wire-exchange.ts';
import type { BrokenDocument, ShownExchange } from '../check-result.ts';

export const showBroken = (broken: BrokenDocument, redaction: Redaction): BrokenDocument => ({
  ...broken,
  request: redaction.path(broken.request),
  message: redaction.text(broken.message),
  ...(broken.arrived === undefined ? {} : { arrived: redaction.text(broken.arrived) }),
});

type ShowingParts = {
  readonly parts: { readonly redaction: Redaction; readonly sender: { readonly baseUrl: string } };
};

/** More of a body helps nobody. */
const shownCharacters = 2000;

export const showExchange = (exchange: WireExchange, { parts }: ShowingParts): ShownExchange => {
  const { redaction } = parts;
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
    curl: curlLine(exchange, parts.sender.baseUrl, redaction),
  };
};

const shownBody = (body: WireBody, headers: readonly HeaderLine[], redaction: Redaction): string | undefined => {
  if (body.bytes === 0) return undefined;
  const text = redaction.body(body, valueOf(headers, 'content-type'));
  if (text === undefined) return `(${body.bytes} bytes)`;
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}… (${body.bytes} bytes)` : text;
};

/** Headers that `curl` adds itself, or that stand in other options. */
const ownOptions: ReadonlySet<string> = new Set(['host', 'content-length', 'authorization', 'cookie', 'x-csrf-token']);

/**
 * One line. Credentials are the variables `ATOLL_PASSWORD`, `ATOLL_TOKEN`, `ATOLL_COOKIE` and `ATOLL_CSRF_TOKEN` of the shell, and a
 * body that is not a short text is the file `BODY`.
 */
const curlLine = ({ request }: WireExchange, baseUrl: string, redaction: Redaction): string => {
  const { method, headers, body } = request;
  const text = redaction.body(body, valueOf(headers, 'content-type'));
  const others = redaction
    .headers(headers.filter(([name]) => !ownOptions.has(name.toLowerCase())))
    .map(([name, value]) => ['-H', isSecretHeader(name) ? `"${name}: $ATOLL_SECRET"` : quoted(`${name}: ${value}`)]);
  return [
    ...['curl', '-i'],
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    quoted(`${baseUrl}${redaction.path(request.path).replaceAll(/\[redacted\]/g, 'REDACTED')}`),
    ...credentialsOf(headers),
    ...others.flat(),
    ...(body.bytes === 0
      ? []
      : text !== undefined && text.length <= shownCharacters
        ? ['--data-binary', quoted(text)]
        : ['--data-binary', '@BODY']),
  ].join(' ');
};

/** A name before a colon is shown; without a colon the text may be a password. */
const credentialsOf = (headers: readonly HeaderLine[]): string[] => {
  const authorization = valueOf(headers, 'authorization');
  const isBasic = /^basic /i.test(authorization ?? '');
  const pair = isBasic ? Buffer.from((authorization ?? '').slice('basic '.length), 'base64').toString() : '';
  const name = pair.slice(0, Math.max(0, pair.indexOf(':')));
  return [
    ...(isBasic ? ['-u', `${quoted(`${name}:`)}"$ATOLL_PASSWORD"`] : []),
    ...(authorization !== undefined && !isBasic ? ['-H', '"Authorization: Bearer $ATOLL_TOKEN"'] : []),
    ...(valueOf(headers, 'cookie') === undefined ? [] : ['-H', '"Cookie: $ATOLL_COOKIE"']),
    ...(valueOf(headers, 'x-csrf-token') === undefined ? [] : ['-H', '"X-CSRF-Token: $ATOLL_CSRF_TOKEN"']),
  ];
};
