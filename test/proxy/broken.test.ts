/** What goes wrong between a client, the proxy and its target: each ends in one clear answer, and nothing hangs. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../support/free-port.ts';
import { converse, exchange, rawRequest } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { proxyTo, proxyToRaw, stopAll, stops, type TestProxy, type TestProxyOptions } from './start-proxy.ts';

jest.setTimeout(30_000);

afterEach(stopAll);

const proxyToNode = async (server: Server, options: TestProxyOptions = {}): Promise<TestProxy> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options); // it listens on a port
};

const messageOf = (body: string): unknown => (JSON.parse(body) as { readonly message: unknown }).message; // a refusal
/** Status and message of a refusal. */
const refused = async (proxy: TestProxy, request: string): Promise<readonly unknown[]> => {
  const { status, body } = await exchange(proxy.port, request);
  return [status, messageOf(body)];
};

describe('A target', () => {
  it('that is not there: 502 with one line', async () => {
    const port = await freePort();
    const proxy = await proxyTo(`http://127.0.0.1:${port}`);
    const answer = await exchange(proxy.port, rawRequest('GET /node/1'));
    expect([answer.status, messageOf(answer.body)]).toEqual([502, expect.stringContaining('nobody answers there')]);
    expect(answer.head).toContain('Atoll-Proxy: no-answer');
    expect(proxy.failures).toEqual([messageOf(answer.body)]);
    expect(proxy.counts()).toEqual({ broken: 0, failed: 1 });
  });

  it.each([
    ['speaks no HTTP', '220 mail.test ESMTP\r\n', 'HTTP/1.1'],
    [
      'changes to another protocol unasked',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      'another protocol',
    ],
    [
      'has a head that is too long',
      `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`,
      'headers of its answer',
    ],
  ])('that %s: 502', async (_what, reply, words) => {
    const { proxy } = await proxyToRaw((_received, socket) => socket.end(reply));
    expect(await refused(proxy, rawRequest('GET /'))).toEqual([502, expect.stringContaining(words)]);
  });

  it('that closes without an answer: 502', async () => {
    const { proxy } = await proxyToRaw((_received, socket) => socket.destroy());
    const post = rawRequest('POST /x', ['Content-Length: 2'], '{}');
    expect(await refused(proxy, post)).toEqual([502, expect.stringContaining('cut before')]);
  });

  it('that says nothing: 504', async () => {
    const { proxy } = await proxyToRaw(() => undefined, { silenceMs: 200 });
    const silent = expect.stringContaining('said nothing for 0.2 seconds');
    expect(await refused(proxy, rawRequest('GET /'))).toEqual([504, silent]);
  });

  it('that falls silent in the middle of an answer ends the connection of the client', async () => {
    const { proxy } = await proxyToRaw(
      (_received, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
      {
        silenceMs: 200,
      },
    );
    const answer = await exchange(proxy.port, rawRequest('GET /'));
    expect([answer.status, answer.body]).toEqual([200, 'half']);
  });

  it('that cuts an answer: the client sees it cut', async () => {
    const { proxy } = await proxyToRaw((_received, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.destroy());
    });
    const { body } = await exchange(proxy.port, rawRequest('GET /'));
    expect(body).toBe('4\r\nhalf\r\n');
  });

  it('that refuses an upload early and closes: the client gets the refusal', async () => {
    const server = createServer((_request, response) => {
      response
        .writeHead(413, { 'Content-Type': 'application/json', Connection: 'close' })
        .end('{"message":"too long"}');
    });
    const proxy = await proxyToNode(server);
    const talk = await converse(proxy.port);
    talk.send('PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc');
    const text = await talk.ended();
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*"too long"}/);
  });

  it('that closes a kept connection just as it is used again is asked once more, for a read', async () => {
    const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const { proxy, target } = await proxyToRaw((received, socket) => {
      if (received.split('GET ').length > 2) socket.resetAndDestroy();
      else socket.write(reply);
    });
    const talk = await converse(proxy.port);
    talk.send('GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await talk.until(/ok$/);
    talk.send('GET /2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await talk.ended()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(target.received.length).toBe(2);
  });
});

describe('A client', () => {
  it('that leaves in the middle of an upload: the target sees it cut', async () => {
    const seen: string[] = [];
    const server = createServer((incoming) => {
      incoming.on('data', () => seen.push('data'));
      incoming.on('error', () => seen.push('cut'));
    });
    const proxy = await proxyToNode(server);
    const talk = await converse(proxy.port);
    talk.send('PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc');
    await until(() => seen.includes('data'), 'the target has got the first bytes');
    talk.close();
    await until(() => seen.includes('cut'), 'the target has seen the cut');
  });

  it('that leaves in the middle of a download: the target stops', async () => {
    const ended = new Promise<void>((done) => {
      stops.push(async () => undefined);
      void (async () => {
        const server = createServer((_incoming, response) => {
          response.once('close', () => done());
          const more = (): void => {
            while (!response.destroyed && response.write(Buffer.alloc(65_536)));
            response.once('drain', more);
          };
          more();
        });
        const proxy = await proxyToNode(server);
        const talk = await converse(proxy.port);
        talk.send('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await talk.until(/\r\n\r\n/);
        talk.close();
      })();
    });
    await ended;
  });

  it('that stalls in an upload: 408', async () => {
    const proxy = await proxyToNode(
      createServer((incoming) => incoming.resume()),
      { silenceMs: 200 },
    );
    const put = rawRequest('PUT /x', ['Content-Length: 100'], 'abc');
    expect(await refused(proxy, put)).toEqual([408, expect.stringContaining('no progress')]);
  });

  it('that waits for 100 gets it from the target, and only from there', async () => {
    const asked: string[] = [];
    const server = createServer();
    server.on('checkContinue', (incoming: IncomingMessage, response) => {
      asked.push(incoming.headers.expect ?? '');
      response.writeContinue();
      incoming.on('data', (piece: Buffer) => asked.push(piece.toString()));
      incoming.on('end', () => response.end('taken'));
    });
    const proxy = await proxyToNode(server);
    const talk = await converse(proxy.port);
    talk.send(
      'PUT /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
    );
    await talk.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    expect(asked).toEqual(['100-continue']);
    talk.send('abc');
    expect(await talk.ended()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(asked).toEqual(['100-continue', 'abc']);
  });

  it('that wants another protocol is refused, and one that offers HTTP/2 is answered', async () => {
    const { proxy, target } = await proxyToRaw((_received, socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    );
    const upgrade = rawRequest('GET /ws', ['Upgrade: websocket']);
    const asked = upgrade.replace('Connection: close', 'Connection: Upgrade, close');
    expect(await refused(proxy, asked)).toEqual([501, expect.stringContaining('"websocket"')]);
    expect(target.received).toEqual([]);
    expect((await exchange(proxy.port, rawRequest('GET /', ['Upgrade: h2c']))).status).toBe(200);
    expect(target.received.join('')).not.toMatch(/upgrade/i);
  });
});

it('A body of any size passes with bounded memory, no faster than it is taken', async () => {
  const mebibyte = Buffer.alloc(1024 * 1024);
  const most = 64;
  let sent = 0;
  const server = createServer((_incoming, response) => {
    const more = (): void => {
      while (sent < most) {
        sent += 1;
        if (!response.write(mebibyte)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const proxy = await proxyToNode(server);
  const response = await new Promise<IncomingMessage>((resolve) => {
    request(`${proxy.url}/long`, resolve).end();
  });
  response.pause();
  // Nobody reads: the buffers of the system and of both sides fill, and then the target has to wait.
  let before = -1;
  await until(() => {
    const isStill = before === sent;
    before = sent;
    return isStill;
  }, 'the target waits');
  expect(sent).toBeLessThan(most);
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) bytes += piece.length;
  expect(bytes).toBe(most * mebibyte.length);
});
