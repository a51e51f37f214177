/** Writes a corrected request as a `curl` command that can be pasted as it is, without secrets. */
import { readBasic } from '../basics/formats/basic-credentials.ts';
import type { CorrectedRequest } from './contract-judge.ts';
import {
  curlLine,
  shellWord,
  type RecordedExchange,
  shownAddress,
  shownHeaders,
  shownJson,
  shownPath,
  type HeaderLine,
} from '../exchange/exchange.ts';

type CurlOptions = {
  /** Hides what the exchange tells of secrets. */
  readonly hide: (text: string) => string;
  /** The published password of a demo account. */
  readonly passwordOf: (account: string) => string | undefined;
};

/** Returns one line. `curl` reads a body of bytes from the file `BODY`. */
export const curlOf = (
  { method, url, contentType, headers, body }: CorrectedRequest,
  exchange: RecordedExchange,
  { hide, passwordOf }: CurlOptions,
): string =>
  curlLine({
    ...{ method, url: hide(shownPath(url)), ...credentialsOf(exchange, passwordOf) },
    headers: [
      ...keptHeaders
        .filter((name) => headers.every(([changed]) => changed.toLowerCase() !== name))
        .flatMap((name) => headerOf(exchange, name)),
      ...headers,
      ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
    ].map(([name, value]) => [name, hide(value)] as const),
    body:
      body === undefined
        ? []
        : body === 'bytes'
          ? ['--data-binary', '@BODY']
          : [
              '--data',
              shellWord(hide(shownAddress('text' in body ? body.text : JSON.stringify(shownJson(body.json))))),
            ],
  });

/** What of a request's head says what it asks for. */
const keptHeaders = ['content-disposition', 'content-location', 'link', 'range'];

const headerOf = ({ headers }: RecordedExchange, name: string): HeaderLine[] => {
  const value = shownHeaders({ [name]: headers[name] })[name];
  return value === undefined ? [] : [[name, [value].flat().join(', ')]];
};

/** A server asks for one kind of credentials: a cookie is sent where there is no header. A demo account has its password instead. */
const credentialsOf = (exchange: RecordedExchange, passwordOf: CurlOptions['passwordOf']) => {
  const { authorization = '', cookie } = exchange.headers;
  const { identity, operation } = exchange.observations;
  const account =
    readBasic(authorization)?.name ?? (identity?.principal.uid === 0 ? undefined : identity?.principal.name);
  const password = account === undefined ? undefined : passwordOf(account);
  if (password !== undefined && exchange.operation?.providers.includes('basic_auth') === true)
    return { options: ['-u', shellWord(`${account}:${password}`)] };
  const hasCookie = authorization === '' && cookie !== undefined;
  return {
    credentials: { authorization, hasCookie, hasCsrfToken: hasCookie && operation?.needsCsrfToken === true },
  };
};
