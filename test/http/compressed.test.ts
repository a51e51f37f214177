/** Long texts of the control interface are compressed for clients that take gzip; answers of the repository never. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const asked = async (path: string, coding: string): Promise<{ headers: IncomingMessage['headers']; bytes: Buffer }> => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: server.port, path, headers: { 'Accept-Encoding': coding } }, resolve).on('error', reject);
  });
  return { headers: response.headers, bytes: await buffer(response) };
};

it('a long text, with its length and what it varies by', async () => {
  const plain = await asked('/_atoll/model', 'identity');
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(plain.bytes.length) });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const short = await asked('/_atoll/model', 'br, gzip;q=0.5');
  expect(short.headers).toMatchObject({
    ...{ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-length': String(short.bytes.length) },
  });
  expect(short.bytes.length).toBeLessThan(plain.bytes.length / 5);
  expect(gunzipSync(short.bytes)).toEqual(plain.bytes);
});

it.each([
  ['gzip is refused', '/_atoll/model', 'gzip;q=0'],
  ['the text is short', '/_atoll/health', 'gzip'],
  ['the answer is the repository’s', '/openapi.json', 'gzip'],
])('not where %s', async (_case, path, coding) => {
  expect((await asked(path, coding)).headers).not.toHaveProperty('content-encoding');
});
