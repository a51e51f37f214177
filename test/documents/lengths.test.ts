/** An answer has one Content-Length, whichever method asks and whether there is a body (RFC 9110 §8.6). */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startOwn, type OwnServer } from './support/own-document.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Lengths', version: '1' },
  paths: {
    '/empty': { get: { responses: { 404: { description: 'There is none.' } } } },
    '/text': { get: { responses: { 200: { description: 'ok', content: { 'text/plain': { example: 'tide' } } } } } },
    '/nothing': { delete: { responses: { 204: { description: 'gone' } } } },
  },
};

let server: OwnServer;
beforeAll(async () => {
  server = await startOwn({ 'api.yaml': JSON.stringify(document) });
});
afterAll(() => server.close());

/** The lengths that were sent: Node joins repeated headers, but not the raw ones. */
const lengthsOf = (method: string, path: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, server.url), { method }, (response) => {
      response.resume();
      const { rawHeaders } = response;
      resolve(
        rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'content-length'),
      );
    });
    sent.on('error', reject).end();
  });

it.each([
  ['GET', '/text', ['4']],
  ['HEAD', '/text', ['4']],
  ['GET', '/empty', ['0']],
  ['DELETE', '/nothing', []],
])('%s %s', async (method, path, lengths) => {
  expect(await lengthsOf(method, path)).toEqual(lengths);
});
