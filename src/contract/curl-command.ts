/** Writes a corrected request as a `curl` command, without secrets. */
import type { CorrectedRequest } from './corrected-request.ts';
import { credentialOptions, curlLine, shellWord, shownInUrl } from '../exchange/curl.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';
import { shownAddress, shownHeaders, shownJson, shownQuery } from '../exchange/redaction/secrets.ts';
import type { HeaderLine } from '../exchange/wire-exchange.ts';

/** Returns one line. `curl` reads a body of bytes from the file `BODY`. */
export const curlOf = ({ method, url, contentType, body }: CorrectedRequest, exchange: RecordedExchange): string =>
  curlLine({
    ...{ method, url: shownUrl(url), options: credentialsOf(exchange) },
    headers: [
      ...['content-location', 'link', 'range'].flatMap((name) => headerOf(exchange, name)),
      ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
    ],
    body:
      body === undefined
        ? []
        : body === 'bytes'
          ? ['--data-binary', '@BODY']
          : ['--data', shellWord(shownAddress(JSON.stringify(shownJson(body.json))))],
  });

const shownUrl = (url: string): string => {
  const [address = '', ...query] = url.split('?');
  return shownInUrl(shownAddress(query.length === 0 ? address : `${address}?${shownQuery(query.join('?'))}`));
};

const headerOf = ({ headers }: RecordedExchange, name: string): HeaderLine[] => {
  const value = shownHeaders({ [name]: headers[name] })[name];
  return value === undefined ? [] : [[name, [value].flat().join(', ')]];
};

/** A server asks for one kind of credentials: a cookie is sent where there is no header. */
const credentialsOf = ({ headers: { authorization = '', cookie }, observations }: RecordedExchange): string[] => {
  const hasCookie = authorization === '' && cookie !== undefined;
  const hasCsrfToken = hasCookie && observations.operation?.needsCsrfToken === true;
  return credentialOptions({ authorization, hasCookie, hasCsrfToken });
};
