/** Writes the request of an exchange as a `curl` command for reports, without secrets. */
import { curlLine, shellWord } from '../curl.ts';
import { headerValue, type WireExchange } from '../wire-exchange.ts';
import type { Redaction } from './redaction.ts';
import { isSecretHeader } from './secrets.ts';

type CurlOptions = {
  /** The base URL of the server. */
  readonly baseUrl: string;
  readonly redaction: Redaction;
  /** A body of more characters is the file `BODY`, and so is one of bytes. */
  readonly shownCharacters: number;
};

/** Headers that `curl` adds itself, or that are in other options. */
const ownOptions: ReadonlySet<string> = new Set(['host', 'content-length', 'authorization', 'cookie', 'x-csrf-token']);

/** Secrets are variables of the shell. */
export const curlOfExchange = (
  { request }: Pick<WireExchange, 'request'>,
  { baseUrl, redaction, shownCharacters }: CurlOptions,
): string => {
  const { method, headers, body } = request;
  const others = headers.filter(([name]) => !ownOptions.has(name.toLowerCase()));
  const text = redaction.body(body, headerValue(headers, 'content-type'));
  const isShort = text !== undefined && text.length <= shownCharacters;
  return curlLine({
    ...{ method, url: baseUrl + redaction.path(request.path) },
    shows: '-i',
    credentials: {
      authorization: headerValue(headers, 'authorization'),
      hasCookie: headerValue(headers, 'cookie') !== undefined,
      hasCsrfToken: headerValue(headers, 'x-csrf-token') !== undefined,
    },
    options: others.flatMap(([name]) => (isSecretHeader(name) ? ['-H', `"${name}: $ATOLL_SECRET"`] : [])),
    headers: redaction.headers(others.filter(([name]) => !isSecretHeader(name))),
    body: body.bytes === 0 ? [] : ['--data-binary', isShort ? shellWord(text) : '@BODY'],
  });
};
