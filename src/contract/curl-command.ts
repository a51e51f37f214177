/** Writes a corrected request as a `curl` command. Credentials are shell variables: `ATOLL_PASSWORD`, `ATOLL_TOKEN`, `ATOLL_COOKIE` and `ATOLL_CSRF_TOKEN`. */
import type { CorrectedRequest } from './corrected-request.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';
import { redacted, shownAddress, shownHeaders, shownJson, shownQuery } from '../exchange/redaction/secrets.ts';

/** Returns one line. `curl` reads a body of bytes from the file `BODY`. */
export const curlOf = ({ method, url, contentType, body }: CorrectedRequest, exchange: RecordedExchange): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    quoted(shownUrl(url)),
    ...credentialsOf(exchange),
    ...['content-location', 'link', 'range'].flatMap((name) => headerOf(exchange, name)),
    ...(contentType === undefined ? [] : ['-H', quoted(`Content-Type: ${contentType}`)]),
    ...(body === undefined
      ? []
      : body === 'bytes'
        ? ['--data-binary', '@BODY']
        : ['--data', quoted(shownAddress(JSON.stringify(shownJson(body.json))))]),
  ].join(' ');

/** `curl` treats brackets in a URL as patterns, so the mark for secrets is written without brackets. */
const shownUrl = (url: string): string => {
  const [address = '', ...query] = url.split('?');
  const shown = query.length === 0 ? address : `${address}?${shownQuery(query.join('?'))}`;
  return shownAddress(shown).replaceAll(redacted, 'REDACTED');
};

const headerOf = ({ headers }: RecordedExchange, name: string): string[] => {
  const value = shownHeaders({ [name]: headers[name] })[name];
  return value === undefined ? [] : ['-H', quoted(`${name}: ${[value].flat().join(', ')}`)];
};

/** The options for the same kind of credentials as the client has sent. */
const credentialsOf = ({ headers, observations }: RecordedExchange): string[] => {
  const authorization = headers['authorization'] ?? '';
  if (/^basic /i.test(authorization)) {
    const credentials = Buffer.from(authorization.slice('basic '.length), 'base64').toString();
    // Without a colon the text may be a password, so no name is shown.
    const name = credentials.slice(0, Math.max(0, credentials.indexOf(':')));
    return ['-u', `${quoted(`${name}:`)}"$ATOLL_PASSWORD"`];
  }
  if (authorization !== '') return ['-H', '"Authorization: Bearer $ATOLL_TOKEN"'];
  if (headers['cookie'] === undefined) return [];
  const csrf = observations.operation?.needsCsrfToken === true ? ['-H', '"X-CSRF-Token: $ATOLL_CSRF_TOKEN"'] : [];
  return ['-H', '"Cookie: $ATOLL_COOKIE"', ...csrf];
};

/** A shell changes nothing within single quotes (POSIX.1-2017, Shell Command Language 2.2.2). */
export const quoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
