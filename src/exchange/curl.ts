/** Writes a request as one line of a shell with `curl`. */
import type { HeaderLine } from './wire-exchange.ts';

type CurlRequest = {
  readonly method: string;
  readonly url: string;
  /** `-i` shows the head of the answer, `-s` no progress. */
  readonly shows?: '-i' | '-s' | undefined;
  /** The credentials that were sent: the command has variables of the shell in their place. */
  readonly credentials?: SentCredentials | undefined;
  /** Further options before the address. */
  readonly options?: readonly string[] | undefined;
  readonly headers?: readonly HeaderLine[] | undefined;
  /** The last options: those of the body. */
  readonly body?: readonly string[] | undefined;
  /** How a text becomes a word of the shell. Default: `shellWord`. */
  readonly word?: ((text: string) => string) | undefined;
};

/** A request as one line. The mark for a removed secret is written without brackets in the address: there `curl` treats them as patterns. */
export const curlLine = (request: CurlRequest): string => {
  const { method, url, shows, credentials, options = [], headers = [], body = [], word = shellWord } = request;
  return [
    'curl',
    ...(shows === undefined ? [] : [shows]),
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...(credentials === undefined ? [] : credentialOptions(credentials)),
    ...options,
    word(url.replaceAll('[redacted]', 'REDACTED')),
    ...headers.flatMap(([name, value]) => ['-H', word(`${name}: ${value}`)]),
    ...body,
  ].join(' ');
};

/** A text as one word of a shell. A shell changes nothing within single quotes (POSIX.1-2017, Shell Command Language 2.2.2). */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

type SentCredentials = {
  readonly authorization: string | undefined;
  readonly hasCookie: boolean;
  readonly hasCsrfToken: boolean;
};

/** The options for the same kind of credentials, with variables of the shell: `ATOLL_PASSWORD`, `_TOKEN`, `_COOKIE`, `_CSRF_TOKEN`. */
const credentialOptions = ({ authorization = '', hasCookie, hasCsrfToken }: SentCredentials): string[] => {
  const name = accountIn(authorization);
  const isBasic = name !== undefined;
  return [
    ...(isBasic ? ['-u', `${shellWord(`${name}:`)}"$ATOLL_PASSWORD"`] : []),
    ...(authorization === '' || isBasic ? [] : ['-H', '"Authorization: Bearer $ATOLL_TOKEN"']),
    ...(hasCookie ? ['-H', '"Cookie: $ATOLL_COOKIE"'] : []),
    ...(hasCsrfToken ? ['-H', '"X-CSRF-Token: $ATOLL_CSRF_TOKEN"'] : []),
  ];
};

/** The name in a Basic header. Without a colon the text may be a password, so the name is empty. */
export const accountIn = (authorization: string): string | undefined => {
  if (!/^basic /i.test(authorization)) return undefined;
  const pair = Buffer.from(authorization.slice('basic '.length), 'base64').toString();
  return pair.slice(0, Math.max(0, pair.indexOf(':')));
};
