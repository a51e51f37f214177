/** Bodies of JSON that have arrived before anybody reads them, and those that come in pieces: both keep the connection. */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';
import { converse } from '../support/sockets.ts';
import { basic } from '../support/requests.ts';

jest.setTimeout(30_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const authorization = `Authorization: ${basic('admin').headers['Authorization'] ?? ''}`;

const patchWith = (body: string, ...headers: readonly string[]): string =>
  [
    'PATCH /node/1?_format=json HTTP/1.1',
    ...[
      'Host: localhost',
      'Content-Type: application/json',
      authorization,
      `Content-Length: ${body.length}`,
      ...headers,
    ],
    ...['', body],
  ].join('\r\n');

const titled = (title: string): string =>
  JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });

/** The statuses of all answers, after the last of which the server closes the connection. */
const statusesOf = async (...pieces: readonly string[]): Promise<(string | undefined)[]> => {
  const conversation = await converse(server.port);
  // The first request of a connection checks a password, so its body has arrived by then in any case.
  conversation.send(patchWith(titled('A')));
  await conversation.until(/\]\}$/);
  for (const piece of pieces) {
    conversation.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  conversation.send(patchWith(titled('Last'), 'Connection: close'));
  const text = await conversation.ended();
  expect(text.match(/connection: close/gi)).toHaveLength(1);
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status);
};

it('a PATCH that changes nothing, and is answered before its end is read', async () => {
  expect(await statusesOf(patchWith(titled('A')), patchWith(titled('A')))).toEqual(['200', '200', '200', '200']);
});

it('a body in pieces, whose last piece comes late', async () => {
  const whole = patchWith(titled('In pieces'));
  const pieces = [whole.slice(0, 40), whole.slice(40, -30), whole.slice(-30, -1), whole.slice(-1)];
  expect(await statusesOf(...pieces)).toEqual(['200', '200', '200']);
});

it('requests that arrive together', async () => {
  expect(await statusesOf(patchWith(titled('B')) + patchWith(titled('B')) + patchWith(titled('C')))).toEqual(
    Array(5).fill('200'),
  );
});

it('a body that is refused, or empty', async () => {
  expect(await statusesOf(patchWith('{"type":'), patchWith(''), patchWith('7'))).toEqual([
    ...['200', '400', '400', '422', '200'],
  ]);
});
