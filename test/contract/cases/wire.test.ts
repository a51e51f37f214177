/** Requests that no client library can send: methods, framing, hosts, `Expect`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { bearer } from '../../support/requests.ts';
import { type Served, serveOnPort } from '../../support/server.ts';
import { converse, exchange, type RawAnswer, rawRequest, readAnswer } from '../../support/sockets.ts';

let atoll: TestAtoll;
let listener: Served;
let admin: string;
let viewer: string;
const authorizationOf = async (name: string): Promise<string> =>
  `Authorization: ${(await bearer(atoll, name)).headers['Authorization'] ?? ''}`;

beforeAll(async () => {
  atoll = await createTestAtoll();
  listener = await serveOnPort(atoll);
});
afterAll(() => listener.stop());
beforeEach(async () => {
  await atoll.reset();
  admin = await authorizationOf('admin');
  viewer = await authorizationOf('viewer');
});

const ask = (line: string, headers: readonly string[] = [], body = ''): Promise<RawAnswer> =>
  exchange(listener.port, rawRequest(line, headers, body));
const isAlive = async (): Promise<void> => expect((await ask('GET /node/1?_format=json')).status).toBe(200);
const messageOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { message?: unknown }).message; // a refusal
const allowOf = ({ head }: RawAnswer): string | undefined => /^allow: (.*)$/im.exec(head)?.[1]?.trim();

describe('I25: methods nobody asked for', () => {
  it.each(['PROPFIND', 'TRACE', 'LINK', 'SEARCH'])('%s is 405 with Allow and without an echo', async (method) => {
    const response = await ask(`${method} /node/1?_format=json`, ['X-Secret: do-not-echo']);
    expect([response.status, allowOf(response)]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    expect(response.body).toContain('(Allow: DELETE, GET, HEAD, PATCH)');
    expect(response.text).not.toContain('do-not-echo');
  });

  it.each(['FOO', 'get', 'G ET'])('%s is 400: it is no method of HTTP', async (method) => {
    const response = await ask(`${method} /node/1?_format=json`);
    expect([response.status, messageOf(response)]).toEqual([400, 'Bad Request']);
  });

  it('CONNECT is refused by closing the connection', async () => {
    const response = await ask('CONNECT localhost:80');
    expect([0, 400, 405]).toContain(response.status);
    await isAlive();
  });

  it('TRACE is 404 where there is no path', async () => {
    expect((await ask('TRACE /nowhere')).status).toBe(404);
  });
});

describe('I26, I27, A11, A34: long heads', () => {
  it.each([
    ['a header of 17 KB', [`X-Long: ${'x'.repeat(17_000)}`]],
    ['a header of 64 KB', [`X-Long: ${'x'.repeat(65_536)}`]],
    ['a token of 17 KB', [`Authorization: Bearer ${'x'.repeat(17_000)}`]],
    ['1 MB of cookies', [`Cookie: ${'a=b; '.repeat(200_000)}`]],
    ['3,000 headers', Array.from({ length: 3000 }, (_, index) => `X-${index}: y`)],
  ])('%s is 431', async (_what, headers) => {
    const response = await ask('GET /node/1?_format=json', headers);
    expect([response.status, messageOf(response)]).toEqual([431, 'Request Header Fields Too Large']);
    await isAlive();
  });

  it('300 short headers are fine', async () => {
    const headers = Array.from({ length: 300 }, (_, index) => `X-${index}: y`);
    expect((await ask('GET /node/1?_format=json', headers)).status).toBe(200);
  });

  it('an address of 5 KB is 414, of 17 KB 431', async () => {
    const response = await ask(`GET /node/1?_format=json&_=${'x'.repeat(5000)}`);
    expect([response.status, response.body.includes('{"message":')]).toEqual([414, true]);
    expect((await ask(`GET /node/1?_format=json&_=${'x'.repeat(17_000)}`)).status).toBe(431);
    expect((await ask(`GET /node/1?_format=json&_=${'x'.repeat(4000)}`)).status).toBe(200);
  });
});

describe('I28: requests that two readers could cut differently', () => {
  const head = ['POST /node HTTP/1.1', 'Host: localhost:8000', 'Content-Type: application/json'];
  it.each([
    [
      'Content-Length and Transfer-Encoding',
      [...head, 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', '', ''],
    ],
    [
      'Transfer-Encoding and Content-Length',
      [...head, 'Transfer-Encoding: chunked', 'Content-Length: 5', '', '0', '', ''],
    ],
    ['an unknown coding', [...head, 'Transfer-Encoding: xchunked', '', '0', '', '']],
    [
      'chunked twice over two lines',
      [...head, 'Transfer-Encoding: identity', 'Transfer-Encoding: xchunked', '', '0', '', ''],
    ],
    ['two lengths', [...head, 'Content-Length: 5', 'Content-Length: 6', '', 'hello']],
    ['a list of lengths', [...head, 'Content-Length: 5, 5', '', 'hello']],
    ['a negative length', [...head, 'Content-Length: -1', '', '']],
    ['a length beyond numbers', [...head, 'Content-Length: 99999999999999999999', '', '']],
    ['a folded header', [...head, 'X-A: b', ' c', '', '']],
    ['a bare CR', [...head, 'X-A: b\rX-B: c', '', '']],
    ['a NUL', [...head, 'X-A: b\u0000c', '', '']],
    ['a blank before the colon', [...head, 'X-A : b', '', '']],
    ['a chunk size that is none', [...head, 'Transfer-Encoding: chunked', '', 'zz', '', '0', '', '']],
  ])('%s: 400 and closed', async (_what, lines) => {
    const response = await exchange(listener.port, `${lines.join('\r\n')}GET /node/1 HTTP/1.1\r\n`);
    expect(response.status).toBe(400);
    expect(response.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await isAlive();
  });
});

describe('I29: Host', () => {
  const nodes = '/node/13?_format=json';
  const lines = (...headers: string[]): string =>
    [`GET ${nodes} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

  it.each([
    ['missing', lines()],
    ['sent twice', lines('Host: localhost:8000', 'Host: localhost:8000')],
    ['nonsense', lines('Host: a b')],
    ['with a path', lines('Host: localhost/evil')],
    ['with a user', lines('Host: user@localhost')],
    ['with a bad port', lines('Host: localhost:port')],
  ])('%s is 400', async (_what, text) => {
    expect((await exchange(listener.port, text)).status).toBe(400);
  });

  it.each([
    ['a stranger', lines('Host: evil.example')],
    ['a port', lines('Host: evil.example:99')],
    ['IPv6', lines('Host: [::1]:8000')],
    ['X-Forwarded-*', lines('Host: localhost:8000', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https')],
    ['Forwarded', lines('Host: localhost:8000', 'Forwarded: host=evil.example;proto=https')],
  ])('naming %s changes no link', async (_what, text) => {
    const { status, head, body } = await exchange(listener.port, text);
    expect(status).toBe(200);
    expect(head).toContain('<http://localhost:8000/node/13>; rel="canonical"');
    expect(head + body).not.toContain('evil.example');
  });

  it('does not come into Location either', async () => {
    const body = JSON.stringify({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'x' }],
      field_model: [{ target_id: 24 }],
    });
    const text = [
      ...['POST /node HTTP/1.1', 'Host: evil.example', 'Connection: close', admin, 'Content-Type: application/json'],
      ...[`Content-Length: ${body.length}`, '', body],
    ].join('\r\n');
    const { status, head } = await exchange(listener.port, text);
    expect(status).toBe(201);
    expect(head).toMatch(/^Location: http:\/\/localhost:8000\/node\/31\r?$/m);
  });

  it.each(['http://localhost:8000/node/13?_format=json', 'http://evil.example/node/13?_format=json'])(
    'in an absolute target (%s) is not looked at',
    async (target) => {
      const { status, head } = await ask(`GET ${target}`);
      expect(status).toBe(200);
      expect(head).toContain('<http://localhost:8000/node/13>; rel="canonical"');
      expect(head).not.toContain('evil.example');
    },
  );

  it.each(['*', 'node/13', 'ftp://localhost/node/13', '//localhost/node/13', 'http:/node/13'])(
    'the target %s is 400 or 404',
    async (target) => {
      expect([400, 404]).toContain((await ask(`GET ${target}`)).status);
    },
  );
});

describe('A21: headers sent twice', () => {
  it('of Authorization are 400, also when they say the same', async () => {
    expect((await ask('GET /media/60?_format=json', [viewer, admin])).status).toBe(400);
    expect((await ask('GET /media/60?_format=json', [viewer, viewer])).status).toBe(400);
  });

  it.each(['Content-Type: application/json', 'X-CSRF-Token: a', 'Content-Encoding: gzip'])(
    'of %s are 400',
    async (header) => {
      expect((await ask('PATCH /node/13', [admin, header, header, 'Content-Length: 2'], '{}')).status).toBe(400);
    },
  );
});

describe('A38: origins', () => {
  const paths = [
    ...['/node', '/node/13', '/node/11', '/node/999', '/media/60', '/media/60/source', '/entity/file/63'],
    ...['/node/13/media/image/16', '/taxonomy/term/16', '/user/1', '/jwt/token', '/user/login', '/session/token'],
    ...['/sites/default/files/x.png', '/_flysystem/fedora/x.png', '/nowhere'],
  ];
  it('a preflight is 204 for every path alike, without a login', async () => {
    const headers = ['Origin: http://localhost:3000', 'Access-Control-Request-Method: PATCH'];
    const heads = new Set<string>();
    for (const path of paths) {
      const { status, head, body } = await ask(`OPTIONS ${path}`, headers);
      expect([path, status, body]).toEqual([path, 204, '']);
      heads.add(head.replace(/^date: .*$/im, ''));
    }
    expect(heads.size).toBe(1);
    expect([...heads][0]).toMatch(/^access-control-allow-origin: http:\/\/localhost:3000\r?$/im);
  });

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://evil-localhost', 'file://'])(
    '%s may read nothing with credentials',
    async (origin) => {
      for (const line of [
        'GET /node/13?_format=json',
        'GET /media/60?_format=json',
        'OPTIONS /node/13',
        'GET /nowhere',
      ]) {
        const headers = [`Origin: ${origin}`, 'Access-Control-Request-Method: PATCH', viewer];
        expect((await ask(line, headers)).head).not.toMatch(/access-control-allow/i);
      }
    },
  );

  it('of this machine may read every answer, refusals too, and caches are told', async () => {
    for (const line of ['GET /node/13?_format=json', 'GET /media/60?_format=json', 'GET /nowhere']) {
      const { head } = await ask(line, ['Origin: http://127.0.0.1:5173']);
      expect(head).toMatch(/^access-control-allow-origin: http:\/\/127\.0\.0\.1:5173\r?$/im);
      expect(head).toMatch(/^vary: .*origin/im);
    }
  });
});

describe('U11: Expect: 100-continue', () => {
  const put = async (line: string, headers: readonly string[]) => {
    const conversation = await converse(listener.port);
    const head = ['Host: localhost:8000', 'Expect: 100-continue', 'Connection: close', ...headers];
    conversation.send([`PUT ${line} HTTP/1.1`, ...head, '', ''].join('\r\n'));
    return conversation;
  };
  const png = 'Content-Type: image/png';
  const location = 'Content-Location: public://u11/a.png';

  it.each([
    ['without credentials', 401, '/node/13/media/image/17', ['Content-Length: 9', png, location]],
    ['to nowhere', 404, '/node/999/media/image/17', ['Content-Length: 9', png, location]],
    ['of too many bytes', 413, '/node/13/media/image/17', ['Content-Length: 99999999999', png, location]],
    ['without Content-Location', 400, '/node/13/media/image/17', ['Content-Length: 9', png]],
    ['without Content-Type', 400, '/node/13/media/image/17', ['Content-Length: 9', location]],
  ])('%s is %i and is never told to go on', async (_what, status, path, headers) => {
    const conversation = await put(path, status === 401 ? headers : [admin, ...headers]);
    const text = await conversation.ended();
    expect(text).not.toContain('HTTP/1.1 100');
    expect(readAnswer(text).status).toBe(status);
  });

  it('that may go on is told so, then 201', async () => {
    const conversation = await put('/node/13/media/image/17', [admin, 'Content-Length: 9', png, location]);
    expect(await conversation.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    conversation.send('123456789');
    expect((await conversation.ended()).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each(['200-ok', 'nonsense'])('Expect: %s is 417 or is passed over', async (value) => {
    expect([200, 417]).toContain((await ask('GET /node/1?_format=json', [`Expect: ${value}`])).status);
  });
});

describe('I31: a chunked body over the limit', () => {
  it('is 413, and the rest is not read', async () => {
    const conversation = await converse(listener.port);
    const head = ['Host: localhost:8000', admin, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    conversation.send(['POST /node HTTP/1.1', ...head, '', ''].join('\r\n'));
    const piece = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let sent = 0; sent < 18; sent += 1) conversation.send(piece);
    const text = await conversation.until(/\r\n\r\n.*\}/s);
    expect(readAnswer(text).status).toBe(413);
    expect(text).toMatch(/^connection: close\r?$/im);
    await conversation.ended();
    await isAlive();
  });
});

describe('Z13: a body that nobody wants', () => {
  it('of an upload without the right is refused before it is sent', async () => {
    for (const [path, status] of [
      ['/node/13/media/image/17', 403],
      ['/media/60/source', 403],
    ] as const) {
      const conversation = await converse(listener.port);
      const head = ['Host: localhost:8000', viewer, 'Content-Type: image/png', 'Content-Length: 1000000'];
      conversation.send([`PUT ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'));
      expect(readAnswer(await conversation.until(/\r\n\r\n/)).status).toBe(status);
      conversation.close();
    }
  });
});

describe('Z30: a right that is lost while the body is on its way', () => {
  it('is asked for again when the change is made: 403, and nothing has changed', async () => {
    const owner = await authorizationOf('owner');
    const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Too late' }] });
    const conversation = await converse(listener.port);
    const head = ['Host: localhost:8000', 'Connection: close', owner, 'Content-Type: application/json'];
    const length = `Content-Length: ${body.length}`;
    conversation.send(['PATCH /node/13 HTTP/1.1', ...head, length, 'Expect: 100-continue', '', ''].join('\r\n'));
    await conversation.until(/100 Continue\r\n\r\n/);
    const taken = JSON.stringify({ type: [{ target_id: 'islandora_object' }], uid: [{ target_id: 1 }] });
    const sent = ['Content-Type: application/json', `Content-Length: ${taken.length}`];
    expect((await ask('PATCH /node/13', [admin, ...sent], taken)).status).toBe(200);
    conversation.send(body);
    expect(await conversation.ended()).toMatch(/HTTP\/1\.1 403 /);
    expect((await ask('GET /node/13?_format=json')).body).not.toContain('Too late');
  });
});
