/** The listener: heads that never end, too many connections, clients that do not read, and refusals before any operation. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { listen } from '../../src/server/server-start.ts';
import { send, startServer, type TestServer } from '../support/server.ts';
import { converse, exchange, openSocket, rawRequest, readAnswer, type RawAnswer } from '../support/sockets.ts';
import { basic } from '../support/requests.ts';
import { until } from '../support/until.ts';
import { hangMs } from '../support/hang.ts';

jest.setTimeout(30_000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ onDisk: true, readerIdleMs: 600 });
});
afterAll(() => server.stop());

const messageOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { message?: unknown }).message; // a refusal
const authorization = `Authorization: ${basic('admin').headers['Authorization'] ?? ''}`;
const nodes = '/node/1?_format=json';

describe('a refusal before any operation', () => {
  it.each([
    ['no Host', 400, [`GET ${nodes} HTTP/1.1`, 'Connection: close', '', '']],
    ['a head that is no HTTP', 400, ['nonsense', '', '']],
    [
      'an unknown expectation',
      417,
      [`GET ${nodes} HTTP/1.1`, 'Host: localhost', 'Expect: coffee', 'Connection: close', '', ''],
    ],
  ])('of %s is %i with the JSON of every refusal', async (_what, status, lines) => {
    const answer = await exchange(server.port, lines.join('\r\n'));
    expect([answer.status, typeof messageOf(answer)]).toEqual([status, 'string']);
    expect(answer.head).toMatch(/^content-type: application\/json\r?$/im);
    expect(answer.head).toMatch(/^connection: close\r?$/im);
  });

  it('needs no Host from HTTP/1.0', async () => {
    expect((await exchange(server.port, `GET ${nodes} HTTP/1.0\r\n\r\n`)).status).toBe(200);
  });

  it.each(['gzip, chunked', 'deflate, chunked', 'identity, chunked'])(
    'of Transfer-Encoding: %s is 415: the bytes would be stored as they come',
    async (coding) => {
      const headers = [authorization, 'Content-Type: text/plain', 'Content-Location: public://coded.txt'];
      const line = 'PUT /node/1/media/file/16';
      const body = '5\r\nhello\r\n0\r\n\r\n';
      const answer = await exchange(server.port, rawRequest(line, [...headers, `Transfer-Encoding: ${coding}`], body));
      expect([answer.status, messageOf(answer)]).toEqual([415, expect.stringContaining('transfer coding')]);
      expect((await send(server, 'GET', '/sites/default/files/coded.txt')).status).toBe(404);
    },
  );

  it('takes "Chunked" in any case', async () => {
    const headers = [authorization, 'Content-Type: application/json', 'Transfer-Encoding: Chunked'];
    const answer = await exchange(server.port, rawRequest('POST /node', headers, '2\r\n{}\r\n0\r\n\r\n'));
    expect(answer.status).toBe(422);
  });

  it('no 100 Continue is sent to HTTP/1.0', async () => {
    const head = ['PUT /node/1/media/file/16 HTTP/1.0', authorization, 'Content-Type: text/plain'];
    const rest = ['Content-Location: public://old.txt', 'Content-Length: 5', 'Expect: 100-continue', '', 'hello'];
    const text = await openAndSend([...head, ...rest].join('\r\n'));
    expect(text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

const openAndSend = (text: string): Promise<string> => {
  const { socket, all } = openSocket(server.port);
  socket.write(text);
  return all;
};

it('ends a head that does not come to its end within a second of its time: 408', async () => {
  const listener = await listen('127.0.0.1', 0, { headMs: 500 });
  const started = performance.now();
  const conversation = await converse(listener.port);
  conversation.send('GET / HTTP/1.1\r\nHost: localhost\r\n');
  const answer = readAnswer(await conversation.ended());
  expect([answer.status, messageOf(answer)]).toEqual([408, 'Request Timeout']);
  expect(performance.now() - started).toBeLessThan(hangMs);
  await listener.stop(0);
});

describe('more connections than allowed', () => {
  it('are ended at once, over both loopback addresses together; the others go on; room that is given back is used', async () => {
    const full: number[] = [];
    const listener = await listen('localhost', 0, { maxConnections: 4, onFull: (max) => full.push(max) });
    listener.serve((_request, response) => void response.end('here'));
    let ended = 0;
    const opened = Array.from({ length: 10 }, (_, index) =>
      connect(listener.port, index % 2 === 0 ? '127.0.0.1' : '::1')
        .on('error', () => undefined)
        .on('close', () => (ended += 1))
        .resume(),
    );
    await until(() => ended === 6, 'six are ended');
    // Once, not for each connection.
    expect(full).toEqual([4]);
    const first = opened.find((socket) => !socket.destroyed);
    first?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => (first?.bytesRead ?? 0) > 0, 'one that was let in is answered');
    for (const socket of opened) socket.destroy();
    const ask = (): Promise<RawAnswer> => exchange(listener.port, rawRequest('GET /'));
    await until(async () => (await ask()).status === 200, 'a new one is let in');
    await listener.stop(0);
  });

  it('are let in up to the limit when all of them come over one address', async () => {
    const listener = await listen('localhost', 0, { maxConnections: 4 });
    listener.serve((_request, response) => void response.end('here'));
    const opened = Array.from({ length: 10 }, () =>
      connect(listener.port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    for (const socket of opened) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => opened.filter(({ bytesRead }) => bytesRead > 0).length === 4, 'four are answered');
    await until(() => opened.filter(({ destroyed }) => destroyed).length === 6, 'six are ended');
    for (const socket of opened) socket.destroy();
    await listener.stop(0);
  });
});

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

describe('a client that does not read its answer', () => {
  const mebibytes = 20;
  beforeAll(async () => {
    const headers = { 'Content-Type': 'text/plain', 'Content-Location': 'public://long.txt' };
    const body = Buffer.alloc(mebibytes * 1024 * 1024, 'x');
    expect((await send(server, 'PUT', '/node/1/media/file/17', { headers, body })).status).toBe(201);
  });
  const path = '/sites/default/files/long.txt';

  it('is ended, and gives its descriptors back', async () => {
    const before = await openFiles();
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return socket;
    });
    // A connection has two ends in this process, and each answer has a file.
    await until(async () => (await openFiles()) >= before + 40, 'the answers have begun');
    // The clients' own ends stay open until they are closed here.
    await until(async () => (await openFiles()) <= before + 22, 'the descriptors are given back');
    for (const socket of sockets) socket.destroy();
    expect(server.errors).toEqual([]);
  });

  it('may be slow, as long as it takes some bytes in each time', async () => {
    const socket = connect(server.port, '127.0.0.1');
    let received = 0;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeGreaterThan(mebibytes * 1024 * 1024);
  });

  it('may keep its connection after the answer, and read events that come rarely', async () => {
    const conversation = await converse(server.port);
    conversation.send(`GET ${nodes} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await conversation.until(/\}$/);
    const events = await fetch(`${server.url}/_atoll/traffic/stream`);
    await new Promise((resolve) => setTimeout(resolve, 1400));
    conversation.send(`GET /taxonomy/term/24?_format=json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect((await conversation.ended()).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    const reader = events.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

it('a browser that asks for /favicon.ico gets one, in each world, and nothing is remembered of it', async () => {
  const icon = await send(server, 'GET', '/favicon.ico', { as: null });
  expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(icon.body.toString()).toContain('<svg');
  expect((await send(server, 'HEAD', '/favicon.ico', { as: null })).status).toBe(200);
  expect((await send(server, 'POST', '/favicon.ico')).status).toBe(404);
  expect((await send(server, 'GET', '/_atoll/traffic')).body.toString()).not.toContain('"GET","path":"/favicon');
});
