/** Cross-origin requests, preflights, and the headers of every answer. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

const loopback = [
  'http://localhost:3000',
  'https://localhost',
  'http://app.localhost:5173',
  'http://127.0.0.1:8080',
  'http://[::1]:4000',
];
const foreign = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'null',
  'http://localhost:3000/',
];

describe('an answer to a page of another origin', () => {
  it.each(loopback)('of this machine (%s) may be read with credentials, navigation headers too', async (origin) => {
    const response = await atoll.send('GET', '/node/5?_format=json').set('Origin', origin);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    const exposed = String(response.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        ...['Link', 'Location', 'Content-Location', 'WWW-Authenticate', 'Allow'],
        ...['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
        ...['Atoll-Mocked', 'Atoll-Fault'],
      ]),
    );
  });

  it.each(foreign)('from elsewhere (%s) may not', async (origin) => {
    const response = await atoll.send('GET', '/node/5?_format=json').set('Origin', origin);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each(['/node/999?_format=json', '/media/1?_format=json', '/node/5', '/openapi.json', '/_atoll/health'])(
    'can be read whatever it is: %s',
    async (path) => {
      const response = await atoll.send('GET', path).set('Origin', 'http://localhost:3000');
      expect(response.headers['access-control-allow-origin']).toBe('http://localhost:3000');
    },
  );
});

describe('a preflight', () => {
  const preflight = (origin: string, path = '/node/5?_format=json') =>
    atoll.send('OPTIONS', path).set({ Origin: origin, 'Access-Control-Request-Method': 'PATCH' });

  it('of a page of this machine is 204 with methods and headers, and needs no login', async () => {
    const response = await preflight('http://localhost:3000', '/media/1?_format=json');
    expect([response.status, response.text]).toEqual([204, '']);
    const allowed = String(response.headers['access-control-allow-headers']).toLowerCase();
    for (const name of ['authorization', 'content-type', 'content-disposition', 'content-location', 'x-csrf-token'])
      expect(allowed).toContain(name);
    for (const name of ['prefer', 'atoll-fault', 'atoll-world']) expect(allowed).toContain(name);
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
      expect(response.headers['access-control-allow-methods']).toContain(method);
    }
  });

  it('allows the headers that it asks for, whatever they are, and says that it depends on them', async () => {
    const asked = 'if-none-match,x-requested-with, X-Request-Id,traceparent,content-type';
    const response = await preflight('http://localhost:3000').set('Access-Control-Request-Headers', asked);
    const allowed = String(response.headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['if-none-match', 'x-requested-with', 'X-Request-Id', 'traceparent', 'Authorization']),
    );
    expect(allowed.filter((name) => /^content-type$/i.test(name))).toEqual(['Content-Type']);
    expect(response.headers['vary']).toBe('Origin, Access-Control-Request-Headers');
    const strange = await preflight('http://localhost:3000').set('Access-Control-Request-Headers', 'x y, <b>, ,x-good');
    const names = String(strange.headers['access-control-allow-headers']);
    expect(names).toMatch(/, x-good$/);
    expect(names).not.toMatch(/x y|<b>|, ,/);
  });

  it('of another page is 204 and allows nothing', async () => {
    const response = await preflight('https://evil.example');
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-methods']).toBeUndefined();
    expect(response.headers['access-control-allow-headers']).toBeUndefined();
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is told apart from OPTIONS, which answers Allow', async () => {
    const response = await atoll.send('OPTIONS', '/node/5').set('Origin', 'http://localhost:3000');
    expect([response.status, response.headers['allow']]).toEqual([200, 'DELETE, GET, HEAD, PATCH']);
    expect((await atoll.send('OPTIONS', '/nothing')).status).toBe(404);
  });
});

describe('the choice of origins', () => {
  it('may be a list', async () => {
    const listed = await createTestAtoll({ fixture: 'empty', app: { cors: ['https://front.example'] } });
    const ask = async (origin: string): Promise<unknown> =>
      (await listed.send('GET', '/taxonomy/term/1?_format=json').set('Origin', origin)).headers[
        'access-control-allow-origin'
      ];
    expect(await ask('https://front.example')).toBe('https://front.example');
    expect(await ask('http://localhost:3000')).toBeUndefined();
  });

  it('may be none', async () => {
    const off = await createTestAtoll({ fixture: 'empty', app: { cors: 'off' } });
    const response = await off.send('GET', '/taxonomy/term/1?_format=json').set('Origin', 'http://localhost:3000');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.headers['vary']).toBeUndefined();
  });
});

describe('the origins that may use the control interface', () => {
  const ask = async (from: TestAtoll, method: string, path: string, origin: string) => {
    const sent = from.send(method, path).set('Origin', origin);
    if (method === 'OPTIONS') sent.set('Access-Control-Request-Method', 'POST');
    const { status, headers } = await sent;
    return [status, headers['access-control-allow-origin'], headers['access-control-allow-headers']];
  };
  const app = 'https://app.example';

  it.each(['loopback', 'off', ['https://front.example']] as const)(
    'ask first, change something and read the answer, beside --cors %j',
    async (cors) => {
      const listed = await createTestAtoll({ fixture: 'empty', app: { cors, controlOrigins: [app] } });
      for (const path of ['/_atoll/reset', '/~main/_atoll/reset', '/%7Emain/_atoll/reset']) {
        expect(await ask(listed, 'OPTIONS', path, app)).toEqual([204, app, expect.stringContaining('Atoll-Control')]);
        expect(await ask(listed, 'POST', path, app)).toEqual([204, app, undefined]);
      }
      expect(await ask(listed, 'POST', '/_atoll/reset', 'https://other.example')).toEqual([403, undefined, undefined]);
      for (const path of ['/node/5?_format=json', '/_atollx', '/a/_atoll/reset']) {
        expect((await ask(listed, 'OPTIONS', path, app))[1]).toBeUndefined();
      }
    },
  );

  it('are none unless they are named: a page of this machine asks first and is refused, and can read why', async () => {
    const page = 'http://localhost:3000';
    expect(await ask(atoll, 'OPTIONS', '/_atoll/reset', page)).toEqual([204, page, expect.any(String)]);
    expect(await ask(atoll, 'POST', '/_atoll/reset', page)).toEqual([403, page, undefined]);
    expect(await ask(atoll, 'GET', '/_atoll/entities?type=node', page)).toEqual([403, page, undefined]);
    expect(await ask(atoll, 'GET', '/_atoll/export', page)).toEqual([403, page, undefined]);
  });
});

describe('every answer', () => {
  it.each([
    '/node/5?_format=json',
    '/node/999?_format=json',
    '/nothing',
    '/sites/default/files/2019-03/5-Service%20File.jpg',
    '/_atoll/',
    '/openapi.yaml',
  ])('says nosniff and does not name its software: %s', async (path) => {
    const response = await atoll.send('GET', path);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['x-powered-by']).toBeUndefined();
  });

  it.each(['/node/5?_format=json', '/node/999?_format=json', '/nothing', '/jwt/token', '/session/token'])(
    'of the repository is of the past and in the language of the site: %s',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) {
        const { headers } = await atoll.send(method, path, 'editor');
        expect([method, headers['expires'], headers['content-language']]).toEqual([
          method,
          'Sun, 19 Nov 1978 05:00:00 GMT',
          'en',
        ]);
      }
    },
  );

  it('of another site is in the language of that site', async () => {
    const own = await createTestAtoll({ site: (site) => ({ ...site, langcode: 'de' }) });
    expect((await own.send('GET', '/node/5?_format=json')).headers['content-language']).toBe('de');
  });

  it.each(['/sites/default/files/2019-03/5-Service%20File.jpg', '/_atoll/', '/openapi.yaml'])(
    'that the site itself would not make says neither: %s',
    async (path) => {
      const { headers } = await atoll.send('GET', path).expect(200);
      expect([headers['expires'], headers['content-language']]).toEqual([undefined, undefined]);
    },
  );

  it.each(['/node/5?_format=json', '/node/999?_format=json', '/jwt/token?_format=json'])(
    'of a resource has no ETag and is not kept: %s',
    async (path) => {
      const response = await atoll.send('GET', path).set('If-None-Match', '*');
      expect(response.status).not.toBe(304);
      expect(response.headers['etag']).toBeUndefined();
      expect(response.headers['cache-control']).toBe('must-revalidate, no-cache, private');
    },
  );
});
