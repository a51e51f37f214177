/** Writes a corrected request as a command for a shell. Credentials are variables of it: `ATOLL_PASSWORD`, `ATOLL_TOKEN`, `ATOLL_COOKIE`, `ATOLL_CSRF_TOKEN`. */
import type { CorrectedRequest } from './corrected-request.ts';
import type { Exchanged } from './traffic-log.ts';
import { redacted, shownAddress, shownJson, shownQuery } from './secrets.ts';

/** One line. A body of bytes is read from the file `BODY`. */
export const curlOf = ({ method, url, contentType, body }: CorrectedRequest, exchanged: Exchanged): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    quoted(shownUrl(url)),
    ...credentialsOf(exchanged),
    ...['content-location', 'link', 'range'].flatMap((name) => headerOf(exchanged, name)),
    ...(contentType === undefined ? [] : ['-H', quoted(`Content-Type: ${contentType}`)]),
    ...(body === undefined
      ? []
      : body === 'bytes'
        ? ['--data-binary', '@BODY']
        : ['--data', quoted(JSON.stringify(shownJson(body.json)))]),
  ].join(' ');

/** Brackets stand for many addresses in those that curl reads. */
const shownUrl = (url: string): string => {
  const [address = '', ...query] = url.split('?');
  const shown = query.length === 0 ? address : `${address}?${shownQuery(query.join('?'))}`;
  return shownAddress(shown).replaceAll(redacted, 'REDACTED');
};

const headerOf = ({ headers }: Exchanged, name: string): string[] => {
  const value = headers[name];
  return value === undefined ? [] : ['-H', quoted(`${name}: ${shownAddress(value)}`)];
};

/** The same kind as were sent. */
const credentialsOf = ({ headers, findings }: Exchanged): string[] => {
  const authorization = headers['authorization'] ?? '';
  if (/^basic /i.test(authorization)) {
    const credentials = Buffer.from(authorization.slice('basic '.length), 'base64').toString();
    // Without a colon it may be a password as well as a name.
    const name = credentials.slice(0, Math.max(0, credentials.indexOf(':')));
    return ['-u', `${quoted(`${name}:`)}"$ATOLL_PASSWORD"`];
  }
  if (authorization !== '') return ['-H', '"Authorization: Bearer $ATOLL_TOKEN"'];
  if (headers['cookie'] === undefined) return [];
  const csrf = exchangedNeedsCsrf(findings.operation) ? ['-H', '"X-CSRF-Token: $ATOLL_CSRF_TOKEN"'] : [];
  return ['-H', '"Cookie: $ATOLL_COOKIE"', ...csrf];
};

const exchangedNeedsCsrf = (operation: Exchanged['operation']): boolean => operation?.needsCsrfToken === true;

/** In single quotes a shell reads everything as it is (POSIX.1-2017, Shell Command Language 2.2.2). */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
