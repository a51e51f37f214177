/** The proxy passes messages on as they are: what a client gets through it is what it gets directly. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangeText } from '../support/sockets.ts';
import { answering, startRawTarget, type RawTarget } from './raw-target.ts';
import { startTestProxy, type TestProxy } from './start-proxy.ts';

const replies: Readonly<Record<string, string>> = {
  '/plain':
    'HTTP/1.1 200 Fine Indeed\r\nX-Odd:  two  blanks \r\nx-odd: again\r\ncONTENT-lENGTH: 5\r\nX-ODD: third\r\n\r\nhello',
  '/bytes': 'HTTP/1.1 200 OK\r\nX-Name: M\xfcller\r\nContent-Length: 4\r\n\r\n\x00\xff\xfe\x80',
  '/no-reason': 'HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n',
  '/cookies':
    'HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/; Secure\r\nContent-Length: 0\r\nSet-Cookie: b=2; Domain=x.test\r\n\r\n',
  '/chunks':
    'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 11\r\nX-Sum: twice\r\n\r\n',
  '/to-the-end': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it',
  '/part': 'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-4/9\r\nETag: W/"x"\r\nContent-Length: 3\r\n\r\nllo',
  '/unchanged': 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 900\r\n\r\n',
  '/empty': 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n',
  '/missing': 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>no</p>',
  '/moved': 'HTTP/1.1 302 Found\r\nLocation: http://elsewhere.test/x?y=%2F\r\nContent-Length: 0\r\n\r\n',
  '/of-connection':
    'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=7\r\nX-Hop: 1\r\nX-End: 2\r\nContent-Length: 0\r\n\r\n',
  '/hints':
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nlink: </b.js>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
};

/** HEAD has the head of GET. */
const headOf = (path: string): string => `${(replies[path] ?? '').split('\r\n\r\n')[0] ?? ''}\r\n\r\n`;

let target: RawTarget;
let proxy: TestProxy;
beforeAll(async () => {
  target = await startRawTarget(
    answering((path) =>
      path.startsWith('/head')
        ? headOf(path.slice(5))
        : (replies[path] ?? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    ),
  );
  proxy = await startTestProxy(target.url);
});
afterAll(async () => {
  await proxy.stop();
  await target.stop();
});

/** Without what is of one connection only (RFC 9110 §7.6.1), the blanks around values (§5.5) and the bounds of chunks. */
const comparable = (text: string): string => {
  const [head = '', ...rest] = text.split(/\r\n\r\n(?!HTTP\/1)/);
  const body = rest.join('\r\n\r\n');
  const lines = head
    .split('\r\n')
    .filter((line) => !/^(?:connection|keep-alive|x-hop):/i.test(line))
    .map((line) => line.replace(/^([\w-]+): *(.*?) *$/, '$1: $2'));
  const isChunked = /^transfer-encoding: chunked/im.test(head);
  return `${lines.join('\r\n')}\r\n\r\n${isChunked ? body.replace(/(?:\r\n)?(?<=^|\r\n)[0-9a-f]+\r\n/g, '') : body}`;
};

const ask = (method: string, path: string, headers: readonly string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');

/** The direct answer. The target keeps connections open, so the bytes are those that it was told to send. */
const through = (text: string): Promise<string> => exchangeText(proxy.port, text);

describe('A reply', () => {
  it.each(Object.keys(replies))('%s passes as it is', async (path) => {
    expect(comparable(await through(ask('GET', path)))).toBe(comparable(replies[path] ?? ''));
  });

  it.each(['/plain', '/chunks', '/part', '/cookies'])('to HEAD of %s has the head alone', async (path) => {
    expect(comparable(await through(ask('HEAD', `/head${path}`)))).toBe(comparable(headOf(path)));
  });

  it('in chunks comes to HTTP/1.0 without them, and its end is the end of the connection', async () => {
    const text = await through('GET /chunks HTTP/1.0\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/plain\r\n/);
    expect(text.split('\r\n\r\n')[1]).toBe('hello world');
  });

  it('comes in turn to requests that were sent ahead', async () => {
    const text = await through(`${ask('GET', '/plain').replace('Connection: close\r\n', '')}${ask('GET', '/missing')}`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });
});

describe('A request', () => {
  const sent = async (text: string): Promise<string> => {
    target.received.length = 0;
    await through(text);
    return target.received.join('');
  };

  it('passes in its order and case, with doubles, and with the Host of the target', async () => {
    const lines = ['x-B: 1', 'X-a: 2', 'x-b:  three ', 'Authorization: Basic Zm9v', 'Cookie: a=1', 'cookie: b=2'];
    const text = await sent(
      `GET /a%2Fb?c=%20&c HTTP/1.1\r\n${lines.join('\r\n')}\r\nhOST: localhost:1\r\nConnection: close, X-A\r\n\r\n`,
    );
    const expected = [
      'GET /a%2Fb?c=%20&c HTTP/1.1',
      'x-B: 1',
      'x-b: three',
      ...lines.slice(3),
      `hOST: 127.0.0.1:${target.port}`,
    ];
    expect(text).toBe(`${expected.join('\r\n')}\r\nConnection: keep-alive\r\n\r\n`);
  });

  it('in absolute form is asked by its path', async () => {
    expect(await sent(ask('GET', 'http://localhost/x?y'))).toMatch(/^GET \/x\?y HTTP\/1\.1\r\n/);
  });

  it('passes its body, in chunks with trailers or by its length', async () => {
    const chunks = '3\r\nabc\r\n2\r\n\x00\xff\r\n0\r\nX-Sum: 5\r\n\r\n';
    const inChunks = await sent(
      `${ask('PUT', '/up', ['Transfer-Encoding: chunked', 'Trailer: X-Sum', 'TE: trailers, deflate']).slice(0, -2)}\r\n${chunks}`,
    );
    expect(inChunks).toMatch(/^Trailer: X-Sum\r\nTE: trailers\r\nConnection: TE, keep-alive\r\n\r\n/m);
    expect(inChunks.split('\r\n\r\n')[1]?.replace(/(?:^|\r\n)[1-9a-f]\r\n/g, '')).toBe('abc\x00\xff\r\n0\r\nX-Sum: 5');
    expect(await sent(`${ask('PATCH', '/up', ['Content-Length: 4'])}\x01abc`)).toMatch(/\r\n\r\n\x01abc$/);
  });

  it('of a method that may have a body says when it has none', async () => {
    expect(await sent(ask('POST', '/up'))).toMatch(/\r\nContent-Length: 0\r\n/);
    expect(await sent(ask('DELETE', '/up'))).not.toMatch(/content-length|transfer-encoding/i);
  });

  it('of the control interface stays here', async () => {
    const text = await sent(ask('GET', '/_atoll/health'));
    expect(text).toBe('');
    expect(await through(ask('GET', '/_atoll/health'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('for a foreign host name is refused, as a page that leads its name here would send it', async () => {
    const text = ask('GET', '/plain').replace('localhost', 'evil.test');
    expect(await sent(text)).toBe('');
    expect(await through(text)).toMatch(/^HTTP\/1\.1 421 /);
  });
});
