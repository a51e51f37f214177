/** Which path leads where: one address for one entity, and none for its other spellings. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import type { Site } from '../../src/repository/repository.ts';
import { recording } from '../contract/recordings/exchanges.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

/** As written: clients such as superagent would tidy the path up first. */
const raw = async (method: string, path: string): Promise<{ status: number; body: string }> => {
  const server = createServer(atoll.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    return await new Promise((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', method, path, agent: false }, (response) => {
        let body = '';
        response.on('data', (piece: Buffer) => (body += piece.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on('error', reject).end();
    });
  } finally {
    server.close();
  }
};

describe('the id in a path', () => {
  it('is node 1 when it says 1', async () => {
    expect((await raw('GET', '/node/1?_format=json')).status).toBe(200);
  });

  it.each([
    ...[
      '01',
      '+1',
      '1e3',
      '1.0',
      '0x1',
      '%201',
      '1%20',
      '-1',
      '0',
      '2147483648',
      '9007199254740992',
      '9007199254740993',
    ],
    ...['9223372036854775808', '12345678901234567890', '%D9%A1', 'null', '1;x', '1%00', '1%0d%0a', '1%2f2', '%31'],
    ...['8c5e1f4e-3f2a-4e77-b932-9ff1d461a57a', '__proto__', 'constructor', '%', '%Z', '%C0%AF', '%ff'],
  ])('%s is 404, in the words for a missing node, or node 1 only by its own digits', async (id) => {
    const { status, body } = await raw('GET', `/node/${id}?_format=json`);
    // `%31` is the digit 1 itself (RFC 3986 §6.2.2.2).
    if (id === '%31') expect([200, 404]).toContain(status);
    else {
      expect(status).toBe(404);
      expect(JSON.parse(body)).toEqual(recording('docs-node-404'));
    }
  });

  it.each(['/media/01', '/entity/file/01', '/taxonomy/term/01', '/user/01'])('%s is 404', async (path) => {
    expect((await raw('GET', `${path}?_format=json`)).status).toBe(404);
  });

  it.each(['/node/01/media/image/16', '/node/1/media/image/016', '/media/01/source'])('PUT %s is 404', async (path) => {
    expect((await raw('PUT', path)).status).toBe(404);
  });
});

describe('X-HTTP-Method-Override', () => {
  const overriding = (on: TestAtoll, method: string, override: string) =>
    on.send(method, '/node/1?_format=json', 'admin').set('X-HTTP-Method-Override', override).send();

  it('is not read by default', async () => {
    expect((await overriding(atoll, 'POST', 'DELETE')).status).toBe(405);
  });

  it('names the method of a POST where the site reads it, and of no other request', async () => {
    const site = (loaded: Site): Site => ({ ...loaded, methodOverride: true });
    const own = await createTestAtoll({ site });
    expect((await overriding(own, 'GET', 'DELETE')).status).toBe(200);
    for (const word of ['NONSENSE', 'connect']) {
      const refused = await overriding(own, 'POST', word);
      expect([refused.status, refused.body]).toEqual([
        405,
        { message: expect.stringContaining(`"${word.toUpperCase()} http://localhost:8000/node/1"`) },
      ]);
    }
    const head = await overriding(own, 'POST', 'HEAD');
    expect([head.status, head.text, head.get('Content-Type')]).toEqual([200, '', 'application/json']);
    expect((await overriding(own, 'POST', 'delete')).status).toBe(204);
    expect((await own.send('GET', '/node/1?_format=json')).status).toBe(404);
  });
});

describe('a path', () => {
  it.each([
    ...[
      '//node/1',
      '/node//1',
      '/node/1//',
      '/NODE/1',
      '/Node/1',
      '/node/./1',
      '/node/../node/1',
      '/%6eode/1',
      '/node%2f1',
    ],
    ...['/node/1/2', '/nothing', '/sites/default/files', '/sites/default/files/', '/__proto__'],
  ])('%s is 404: no route', async (path) => {
    const { status, body } = await raw('GET', `${path}?_format=json`);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({ message: `No route found for "GET http://localhost:8000${path}"` });
  });

  it.each(['/node/1/', '/taxonomy/term/24/', '/session/token/'])('may end with a slash: %s', async (path) => {
    expect((await raw('GET', `${path}?_format=json`)).status).toBe(200);
    expect((await raw('PUT', `${path}?_format=json`)).status).toBe(405);
  });

  it('of stored content may not end with a slash', async () => {
    expect((await raw('GET', '/sites/default/files/2019-03/5-Service%20File.jpg/')).status).toBe(404);
  });

  it('may spell the slashes of stored content as %2F, and nowhere else', async () => {
    expect((await raw('GET', '/sites/default/files/2019-03%2F5-Service%20File.jpg')).status).toBe(200);
    expect((await raw('GET', '/sites%2Fdefault/files/2019-03/5-Service%20File.jpg')).status).toBe(404);
  });

  it.each(['..%2f..%2fexport.json', '../../export.json', '%00', '2019-03/../2019-03/5-Service%20File.jpg', '%'])(
    'of content that leaves its place is 404: %s',
    async (path) => {
      expect((await raw('GET', `/sites/default/files/${path}`)).status).toBe(404);
    },
  );

  it.each(['..%2f', 'image%00', 'constructor', '__proto__', 'IMAGE', 'nonsense'])(
    'with the media type %s is 404',
    async (type) => {
      const response = await atoll
        .send('PUT', `/node/22/media/${type}/16`, 'editor')
        .set({ 'Content-Type': 'image/png', 'Content-Location': 'public://a.png' })
        .send('x');
      expect(response.status).toBe(404);
    },
  );
});
