/** Group I about addresses: ids, spellings, queries, formats. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { bearer, get, messageOf, visit, type Visitor } from '../../support/requests.ts';
import { type Served, serveOnPort } from '../../support/server.ts';
import { exchange, type RawAnswer, rawRequest } from '../../support/sockets.ts';
import { hangMs } from '../../support/hang.ts';

let atoll: TestAtoll;
let admin: Visitor;
let listener: Served;
beforeAll(async () => {
  atoll = await createTestAtoll();
  admin = await bearer(atoll, 'admin');
  listener = await serveOnPort(atoll);
});
afterAll(() => listener.stop());
/** By the admin, the path as it stands here: a client library would tidy it up. */
const raw = (method: string, path: string): Promise<RawAnswer> =>
  exchange(listener.port, rawRequest(`${method} ${path}`, [`Authorization: ${admin.headers['Authorization'] ?? ''}`]));
const absent = (method: string): string =>
  `The "node" parameter was not converted for the path "/node/{node}" (route name: "rest.entity.node.${method}")`;

describe('I18: an id in another spelling', () => {
  const spellings = [
    ...['01', '+1', '1e0', '1.0', '0x1', '%201', '1%20', '-1', '0', '2147483648', '9007199254740992', '9007199254740993'],
    ...['9223372036854775808', '12345678901234567890', '%D9%A1', 'null', '1;x', '1%00', '1%0d%0a', '1%2f2', '%2531', '%', '%zz'],
    'f8e6bfed-b29b-4152-8925-467478d361a1',
  ]; // prettier-ignore
  it.each(spellings)('%s is the 404 of a node that is not there, for GET, PATCH and DELETE', async (id) => {
    const found = await get(atoll, admin, `/node/${id}?_format=json`);
    expect([found.status, messageOf(found)]).toEqual([404, absent('GET')]);
    const patched = await visit(atoll, admin, 'PATCH', `/node/${id}`)
      .set('Content-Type', 'application/json')
      .send('{}');
    expect([patched.status, messageOf(patched)]).toEqual([404, absent('PATCH')]);
    const deleted = await visit(atoll, admin, 'DELETE', `/node/${id}`);
    expect([deleted.status, messageOf(deleted)]).toEqual([404, absent('DELETE')]);
    expect((await get(atoll, admin, '/node/1?_format=json')).status).toBe(200);
  });

  it.each(['/media/01', '/entity/file/01', '/taxonomy/term/01', '/user/01'])('%s is 404 too', async (path) => {
    expect((await get(atoll, admin, `${path}?_format=json`)).status).toBe(404);
  });

  it.each(['/node/01/media/image/17', '/node/13/media/image/017', '/media/060/source'])(
    'PUT %s is 404',
    async (path) => {
      expect((await visit(atoll, admin, 'PUT', path).set('Content-Type', 'image/png').send('x')).status).toBe(404);
    },
  );
});

describe('I20: a path in another spelling', () => {
  it.each([
    ...['//node/1', '/node//1', '/NODE/1', '/%6eode/1', '/node%2f1', '/node/1//', '/node;x/1', '/node/1/.'],
    ...['/./node/1', '/node/../node/1', '/node/./1', '/index.php/node/1'],
  ])('%s is 404: one address for one thing', async (path) => {
    const { status, body } = await raw('GET', `${path}?_format=json`);
    expect([status, Object.keys(JSON.parse(body) as object)]).toEqual([404, ['message']]);
    expect((await raw('DELETE', path)).status).toBe(404);
  });
});

describe('A target in absolute form', () => {
  const message = (answer: RawAnswer): string => messageOf({ body: JSON.parse(answer.body) });

  it('means its path, and whatever host it names links begin with the base URL', async () => {
    const { status, head } = await raw('GET', 'http://elsewhere.test/node/2?_format=json');
    expect([status, head]).toEqual([200, expect.stringContaining('<http://localhost:8000/node/2>')]);
  });

  it.each(['http://[/x', 'http://', 'http:///node/1', 'http://[::1]:x/node/1'])(
    'is 400 JSON without a valid host: %s',
    async (target) => {
      const answer = await raw('GET', target);
      expect([answer.status, message(answer)]).toEqual([400, 'The address has no valid host.']);
    },
  );
});

describe('I21: percent sequences that are none', () => {
  it.each([
    '/node/%',
    '/node/%Z',
    '/node/%C0%AF',
    '/node/%ff',
    '/%',
    '/sites/default/files/%ff',
    '/sites/default/files/%',
  ])('%s is 404 JSON', async (path) => {
    const response = await get(atoll, admin, `${path}?_format=json`);
    expect([response.status, response.type]).toEqual([404, 'application/json']);
  });

  it('in the query are passed over, or are no format', async () => {
    expect((await get(atoll, admin, '/node/1?_format=json&x=%ff&y=%')).status).toBe(200);
    expect((await get(atoll, admin, '/node/1?_format=%ff')).status).toBe(406);
  });
});

describe('I22: _format', () => {
  it.each([
    ['', 'No route found for the specified format html. Supported formats: jsonld, json.'],
    ['?_format[]=json', 'No route found for the specified format html. Supported formats: jsonld, json.'],
    ['?_format=', 'No route found for the specified format html. Supported formats: jsonld, json.'],
    ['?_format=JSON', 'Not acceptable format: JSON'],
    ['?_format=hal_json', 'Not acceptable format: hal_json'],
    ['?_format=__proto__', 'Not acceptable format: __proto__'],
    ['?_format=constructor', 'Not acceptable format: constructor'],
    [`?_format=${'x'.repeat(3000)}`, `Not acceptable format: ${'x'.repeat(100)}`],
  ])('"%s" is 406 with a Link to each format', async (query, message) => {
    const response = await get(atoll, admin, `/node/1${query}`);
    expect([response.status, response.type, messageOf(response)]).toEqual([406, 'application/json', message]);
    expect(response.headers['link']).toBe(
      '<http://localhost:8000/node/1?_format=jsonld>; rel="alternate"; type="application/ld+json", ' +
        '<http://localhost:8000/node/1?_format=json>; rel="alternate"; type="application/json"',
    );
  });

  it('sent twice counts as the last', async () => {
    expect((await get(atoll, admin, '/node/1?_format=jsonld&_format=json')).type).toBe('application/json');
  });
});

describe('I23: other query parameters', () => {
  it.each([
    ['a cache buster', '_=1'],
    ['deep brackets', `a${'[b]'.repeat(500)}=1`],
    [
      'a thousand',
      Array.from({ length: 1000 }, (_, index) => `a${index}`)
        .join('&')
        .slice(0, 3900),
    ],
    ['__proto__', '__proto__[x]=1&constructor=2'],
    ['_method', '_method=DELETE'],
  ])('%s: 200, in little time', async (_what, query) => {
    const started = performance.now();
    expect((await get(atoll, admin, `/node/1?_format=json&${query}`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(hangMs);
    expect({}).not.toHaveProperty('x');
  });
});

describe('I24: another method in a header', () => {
  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('%s is passed over', async (name) => {
    expect((await get(atoll, admin, '/node/13?_format=json&_method=DELETE').set(name, 'DELETE')).status).toBe(200);
    const posted = await visit(atoll, admin, 'POST', '/node/13?_method=DELETE')
      .set(name, 'DELETE')
      .send('_method=DELETE');
    expect(posted.status).toBe(405);
    expect((await get(atoll, admin, '/node/13?_format=json')).status).toBe(200);
  });
});

describe('I09: names of objects in other places', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s names nothing', async (name) => {
    for (const path of [`/${name}`, `/node/${name}`, `/${name}/1`, `/sites/default/files/${name}`]) {
      expect((await get(atoll, admin, `${path}?_format=json`)).status).toBe(404);
    }
    const put = visit(atoll, admin, 'PUT', `/node/13/media/${name}/17`).set('Content-Type', 'image/png').send('x');
    expect((await put).status).toBe(404);
    expect((await get(atoll, admin, '/node/1?_format=json').set(name, 'x').set('Cookie', `${name}=x`)).status).toBe(
      200,
    );
  });
});

describe('I43: a media type that is none', () => {
  it.each(['..%2f', 'image%00', 'constructor', 'IMAGE', 'image%20', '%2e%2e', 'remote_video'])(
    '%s is 404',
    async (name) => {
      const { status, body } = await raw('PUT', `/node/13/media/${name}/17`);
      expect([status, messageOf({ body: JSON.parse(body) as unknown })]).toEqual([
        404,
        'The "media_type" parameter was not converted for the path "/node/{node}/media/{media_type}/{taxonomy_term}" (route name: "islandora.media_source_put_to_node")',
      ]);
    },
  );
});

describe('I46: Accept', () => {
  it.each(['', '*/*;q=0', 'text/html', 'application/ld+json', ',,;q=x', 'x'.repeat(10_000)])(
    '"%s" is not looked at',
    async (accept) => {
      const response = await get(atoll, admin, '/node/1?_format=json').set('Accept', accept);
      expect([response.status, response.type]).toEqual([200, 'application/json']);
    },
  );
});

describe('Z26: OPTIONS', () => {
  it('is the same for what is there, hidden or missing, without a login: 200 and the methods', async () => {
    for (const id of [13, 11, 999]) {
      const { status, headers, text } = await atoll.send('OPTIONS', `/node/${id}`);
      expect([status, headers['allow'], text]).toEqual([200, 'DELETE, GET, HEAD, PATCH', '']);
    }
    expect((await atoll.send('OPTIONS', '/nowhere')).status).toBe(404);
  });
});

describe('Z27: content', () => {
  it.each([
    '/sites/default/files/', '/sites/default/files', '/sites/default/files/2024-05', '/sites/default/files/2024-05/',
    '/_flysystem/fedora/', '/_flysystem/fedora/2020-08/', '/_flysystem/public/2024-05/new%20quay.jpg',
    '/sites/default/files/../../../etc/passwd', '/sites/default/files/%2e%2e/%2e%2e/site.yml',
    '/sites/default/files/2020-08/haul-the-wend.wav', '/_flysystem/fedora/2024-05/new%20quay.jpg',
  ])('%s is 404: no listing, no way out, no other scheme', async (path) => {
    expect((await raw('GET', path)).status).toBe(404);
  }); // prettier-ignore
});
