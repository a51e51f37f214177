/** Sends one request of the audit and keeps every header line as it was sent. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { parsedJson } from '../../basics/json.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';

/** `headers` has the lines of each header by its name in lower case. `json` is undefined when the body is not JSON. */
export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage['headersDistinct'];
  readonly json: unknown;
};

/** Sends a request without a body. Throws `ConfigurationError` when the server does not answer. */
export const ask = (method: string, url: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const failed = (cause: unknown): void => {
      reject(new ConfigurationError(`${method} ${url}: nobody answers. Name a running server with --url.`, { cause }));
    };
    request(url, { method, headers }, (response) => {
      read(response).then(resolve, failed);
    })
      .on('error', failed)
      .end();
  });

const read = async (response: IncomingMessage): Promise<Answer> => {
  const { headersDistinct: headers } = response;
  const isJson = /json/.test(headers['content-type']?.[0] ?? '');
  const pieces: Buffer[] = [];
  for await (const piece of response as AsyncIterable<Buffer>) if (isJson) pieces.push(piece); // a stream without encoding
  return { status: response.statusCode ?? 0, headers, json: parsedJson(Buffer.concat(pieces).toString()) };
};
