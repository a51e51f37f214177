/** One request to any server: the kept bytes, and one clear line for everything that can go wrong. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSender, type SenderOptions } from '../../src/exchange/exchange-target.ts';
import { targetUnreachableCode } from '../../src/exchange/exchange.ts';
import { testCertificate } from './certificate.ts';
import { endless, plainServer, selfSignedServer, strangeServer, type Strange } from './strange-servers.ts';

const started: { stop(): void }[] = [];
afterEach(() => {
  for (const each of started.splice(0)) each.stop();
});

const senderTo = (server: Strange, options: Partial<SenderOptions> = {}) => {
  const sender = createSender({ baseUrl: server.url, silenceMs: 5000, ...options });
  started.push(server, { stop: () => sender.close() });
  return sender;
};

describe('A request', () => {
  it('arrives with its own lines, and the answer is kept as it was on the wire', async () => {
    const server = await strangeServer((request, response) => {
      void buffer(request).then((body) => {
        response.writeHead(201, 'Made So', ['X-Two', 'a', 'X-Two', 'b', 'Trailer', 'X-End']);
        response.write(JSON.stringify([request.rawHeaders, request.url, body.toString()]));
        response.addTrailers({ 'X-End': 'over' });
        response.end();
      });
    });
    const sender = senderTo({ ...server, url: `${server.url}/base` });
    const { request, reply, account } = await sender.send({
      method: 'POST',
      path: '/a%2Fb?c=%20',
      headers: [['x-OWN', '1']],
      body: 'é',
      account: 'editor',
    });
    expect([reply.status, reply.reason, account]).toEqual([201, 'Made So', 'editor']);
    expect(reply.headers.filter(([name]) => name === 'X-Two')).toEqual([
      ['X-Two', 'a'],
      ['X-Two', 'b'],
    ]);
    expect(reply.trailers).toEqual([['X-End', 'over']]);
    const [headers, url, body] = JSON.parse(Buffer.from(reply.body.kept).toString()) as [string[], string, string];
    expect([url, body]).toEqual(['/base/a%2Fb?c=%20', 'é']);
    expect(headers).toEqual(expect.arrayContaining(['x-OWN', '1', 'Content-Length', '2']));
    expect(request.body).toMatchObject({ bytes: 2, isWhole: true });
    expect(request.body.sha256).toBe(createHash('sha256').update('é').digest('hex'));
  });

  it('keeps the first bytes of a body, and the hash of all', async () => {
    const whole = Buffer.alloc(300_000, 'abc');
    const server = await strangeServer((_request, response) => response.end(whole));
    const { reply } = await senderTo(server, { keptBytes: 1000 }).send({ method: 'GET', path: '/' });
    expect(reply.body).toMatchObject({ bytes: 300_000, isWhole: false });
    expect(reply.body.kept).toHaveLength(1000);
    expect(reply.body.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  it('sends a stream', async () => {
    const server = await strangeServer((request, response) => {
      void buffer(request).then((body) => response.end(String(body.length)));
    });
    const body = Readable.from([Buffer.alloc(70_000), Buffer.alloc(5)]);
    const { request, reply } = await senderTo(server).send({ method: 'PUT', path: '/', body });
    expect([request.body.bytes, Buffer.from(reply.body.kept).toString()]).toEqual([70_005, '70005']);
  });

  it('cuts an answer without an end, and keeps little of it', async () => {
    const sender = senderTo(await strangeServer(endless), { maxBytes: 1_000_000, keptBytes: 10 });
    const { reply } = await sender.send({ method: 'GET', path: '/' });
    expect(reply.body.isWhole).toBe(false);
    expect(reply.body.kept).toHaveLength(10);
    expect(reply.body.bytes).toBeLessThan(4_000_000);
  });

  it.each([
    ['takes a refused range whose announced bytes never come', 416, '', true],
    ['takes no other refusal for whole', 404, '', false],
    ['takes no part of a body for whole', 416, 'x', false],
  ])('%s', async (_what, status, sent, isTaken) => {
    const server = await strangeServer((_request, response) => {
      response.writeHead(status, { 'Content-Length': '7', 'Content-Range': 'bytes */7' });
      if (sent === '') response.flushHeaders();
      else response.write(sent);
      setTimeout(() => response.destroy(), 50);
    });
    const answer = senderTo(server).send({ method: 'GET', path: '/', headers: [['Range', 'bytes=9-']] });
    if (isTaken) expect((await answer).reply).toMatchObject({ status, body: { bytes: 0 } });
    else await expect(answer).rejects.toThrow('the connection was cut before the answer was whole');
  });

  it('follows no redirect', async () => {
    const server = await strangeServer((_request, response) => response.writeHead(302, { location: '/x' }).end());
    expect((await senderTo(server).send({ method: 'GET', path: '/' })).reply.status).toBe(302);
  });

  it('is sent again when a kept connection had closed', async () => {
    let requests = 0;
    const server = await strangeServer((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('ok');
    });
    const sender = senderTo(server);
    await sender.send({ method: 'GET', path: '/' });
    expect((await sender.send({ method: 'GET', path: '/' })).reply.status).toBe(200);
    expect(requests).toBe(3);
  });
});

describe('A target that does not answer says so in one line:', () => {
  const failure = async (server: Strange, options: Partial<SenderOptions> = {}): Promise<string> => {
    const error: unknown = await senderTo(server, options)
      .send({ method: 'GET', path: '/' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'TargetError', code: targetUnreachableCode });
    const { message } = error as Error; // as expected above
    expect(message.startsWith(`${server.url}: `)).toBe(true);
    return message.slice(server.url.length + 2);
  };

  it('a connection that is cut', async () => {
    expect(await failure(await strangeServer((request) => request.socket.destroy()))).toMatch(/cut before the answer/);
  });

  it('an answer that is cut', async () => {
    const server = await strangeServer((request, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('begun', () => request.socket.destroy());
    });
    expect(await failure(server)).toMatch(/cut before the answer was whole/);
  });

  it('silence', async () => {
    const message = await failure(await strangeServer(() => undefined), { silenceMs: 100 });
    expect(message).toBe('it said nothing for 0.1 seconds.');
  });

  it('a byte now and then', async () => {
    const server = await strangeServer((request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      request.socket.on('close', () => clearInterval(timer));
    });
    expect(await failure(server, { totalMs: 200 })).toMatch(/took more than 0.2 seconds/);
  });

  it('another protocol', async () => {
    expect(await failure(await plainServer('SSH-2.0-OpenSSH\r\n'))).toBe('it does not answer in HTTP/1.1.');
  });

  it('no TLS', async () => {
    const server = await strangeServer((_request, response) => response.end());
    expect(await failure({ ...server, url: server.url.replace('http:', 'https:') })).toMatch(/does not speak TLS/);
  });

  it('nobody', async () => {
    const server = await strangeServer(() => undefined);
    server.stop();
    expect(await failure(server)).toMatch(/nobody answers there/);
  });

  it('a certificate that nobody vouches for', async () => {
    const server = await selfSignedServer((_request, response) => response.end('safe'));
    expect(await failure(server)).toMatch(/certificate is not trusted.*--ca FILE/);
    for (const tls of [{ ca: testCertificate }, { insecure: true }]) {
      const { reply } = await senderTo(server, { tls }).send({ method: 'GET', path: '/' });
      expect(Buffer.from(reply.body.kept).toString()).toBe('safe');
    }
  });

  it('a request that is given up', async () => {
    const stop = new AbortController();
    const server = await strangeServer(() => stop.abort());
    const sending = senderTo(server).send({ method: 'GET', path: '/', signal: stop.signal });
    await expect(sending).rejects.toThrow('the request was given up');
  });
});
