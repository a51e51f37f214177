/** Media types of requests (415) and formats of answers (406), as tables. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, linksOf, visit } from '../support/requests.ts';

let atoll: TestAtoll;
const editor = basic('editor');
const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }] });

beforeAll(async () => {
  atoll = await createTestAtoll();
});

const patch = (path: string, contentType: string) =>
  visit(atoll, editor, 'PATCH', path).set('Content-Type', contentType).send(body);

describe('the Content-Type of a body', () => {
  it.each([
    'application/json',
    'application/x-json',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=latin1',
    'application/json; version=2',
    'APPLICATION/JSON',
    'Application/Json; CHARSET=utf-8',
  ])('%s is read', async (type) => {
    expect((await patch('/node/5?_format=json', type)).status).toBe(200);
  });

  it.each([
    'text/xml',
    'text/plain',
    'application/jsonx',
    'application/ld+json',
    'application/hal+json',
    'application/json, text/plain',
    'garbage',
  ])('%s is 415, for POST and PATCH', async (type) => {
    const expected = { message: `No route found that matches "Content-Type: ${type}"` };
    const post = visit(atoll, editor, 'POST', '/node?_format=json').set('Content-Type', type).send(body);
    for (const response of [
      await post,
      await patch('/node/5?_format=json', type),
      await patch('/media/1?_format=json', type),
    ]) {
      expect([response.status, response.body]).toEqual([415, expected]);
    }
  });

  it.each(['POST /node', 'PATCH /node/5', 'PATCH /media/1'])('left out is 415: %s', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await visit(atoll, editor, method, `${path}?_format=json`);
    expect([response.status, response.body]).toEqual([415, { message: 'No "Content-Type" request header specified' }]);
  });

  it('does not matter to a login', async () => {
    const credentials = JSON.stringify({ name: 'viewer', pass: 'viewer' });
    const response = await atoll
      .send('POST', '/user/login?_format=json')
      .set('Content-Type', 'text/plain')
      .send(credentials);
    expect(response.status).toBe(200);
  });

  it.each(['gzip', 'br', 'deflate', 'gzip, gzip'])(
    'with Content-Encoding %s is 415, for PATCH and login',
    async (encoding) => {
      const expected = { message: `The content encoding "${encoding}" is not supported.` };
      const login = atoll.send('POST', '/user/login?_format=json').set('Content-Encoding', encoding).send('{}');
      const answers = [
        await patch('/node/5?_format=json', 'application/json').set('Content-Encoding', encoding),
        await login,
      ];
      for (const response of answers) expect([response.status, response.body]).toEqual([415, expected]);
    },
  );
});

describe('the format of an answer', () => {
  const page = 'Not acceptable format';
  const none = (format: string, formats: string) =>
    `No route found for the specified format ${format}. Supported formats: ${formats}.`;

  it.each([
    ['/node/5', none('html', 'jsonld, json')],
    ['/node/5?_format=', none('html', 'jsonld, json')],
    ['/node/5?_format=foo', `${page}: foo`],
    ['/node/5?_format=JSON', `${page}: JSON`],
    ['/node/5?_format=hal_json', `${page}: hal_json`],
    ['/node/5?_format=__proto__', `${page}: __proto__`],
    ['/node/5?_format[]=json', none('html', 'jsonld, json')],
    ['/media/1', none('html', 'jsonld, json')],
    ['/media/1?_format=foo', `${page}: foo`],
    ['/taxonomy/term/24?_format=foo', `${page}: foo`],
    ['/entity/file/1', none('html', 'jsonld, json')],
    ['/entity/file/1?_format=foo', none('foo', 'jsonld, json')],
    ['/user/2?_format=jsonld', `${page}: jsonld`],
  ])('of GET %s is refused: 406 "%s", with a link to every format', async (path, message) => {
    const response = await visit(atoll, editor, 'GET', path);
    expect(response.status).toBe(406);
    expect(response.type).toBe('application/json');
    expect(response.body).toEqual({ message });
    const formats = linksOf(response).map(({ rel, type }) => `${rel} ${type ?? ''}`);
    const json = 'alternate application/json';
    expect(formats).toEqual(path.startsWith('/user') ? [json] : ['alternate application/ld+json', json]);
    for (const { uri } of linksOf(response)) expect((await visit(atoll, editor, 'GET', uri)).status).toBe(200);
  });

  it.each([
    ['DELETE', '/node/5'],
    ['GET', '/jwt/token'],
    ['POST', '/user/login'],
    ['POST', '/user/logout'],
    ['GET', '/user/login_status'],
  ])('of %s %s may only be json', async (method, path) => {
    const response = await visit(atoll, editor, method, `${path}?_format=jsonld`);
    expect(response.status).toBe(406);
    expect(response.type).toBe('application/json');
    expect(Object.keys(response.body as object)).toEqual(['message']);
  });

  it.each(['POST /node', 'PATCH /node/5', 'PATCH /media/1'])('of %s may only be json', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const request = visit(atoll, editor, method, `${path}?_format=jsonld`).set('Content-Type', 'application/json');
    expect((await request.send(body)).status).toBe(406);
  });

  it.each(['text/html', 'application/xml', '*/*;q=0', 'x'.repeat(4000)])(
    'does not follow Accept: %s',
    async (accept) => {
      const response = await visit(atoll, editor, 'GET', '/node/5?_format=json').set('Accept', accept);
      expect([response.status, response.type]).toEqual([200, 'application/json']);
    },
  );

  it('of writes, tokens and content may go unsaid', async () => {
    expect((await patch('/node/5', 'application/json')).status).toBe(200);
    expect((await visit(atoll, editor, 'GET', '/jwt/token')).status).toBe(200);
    expect((await visit(atoll, editor, 'GET', '/user/login_status')).status).toBe(403);
    expect((await atoll.send('GET', '/user/login_status')).text).toBe('0');
    expect((await atoll.send('DELETE', '/node/5')).status).toBe(401);
  });

  it('has only one parameter; unknown parameters are ignored, many of them too', async () => {
    const many = Array.from({ length: 80 }, (_none, index) => `p${index}[a][b]=${index}`).join('&');
    expect((await visit(atoll, editor, 'GET', `/node/5?_format=json&${many}`)).status).toBe(200);
    expect((await visit(atoll, editor, 'GET', '/node/5?_format=foo&_format=json&_=1')).status).toBe(200);
  });

  it('is the last one of several', async () => {
    const response = await visit(atoll, editor, 'GET', '/node/5?_format=json&_=1&_format=jsonld');
    expect([response.status, response.type]).toEqual([200, 'application/ld+json']);
    expect((await visit(atoll, editor, 'GET', '/node/5?_format=json&_format=foo')).status).toBe(406);
  });

  it('of a write counts as unsaid when it is empty', async () => {
    expect((await patch('/node/5?_format=', 'application/json')).status).toBe(200);
  });

  it.each(['jsonld', 'xml', 'foo'])('does not matter to an upload: _format=%s', async (format) => {
    const response = await visit(atoll, editor, 'PUT', `/media/1/source?_format=${format}`)
      .set('Content-Type', 'image/jpeg')
      .send('bytes');
    expect(response.status).toBe(204);
  });

  it.each([
    ['GET', '/media/1', 401, 'application/ld+json'],
    ['GET', '/node/21', 401, 'application/ld+json'],
    ['GET', '/node/999', 404, 'application/json'],
    ['GET', '/user/999', 406, 'application/json'],
    ['GET', '/nothing', 404, 'application/json'],
  ])('is that of a refusal too: %s %s as jsonld is %i %s', async (method, path, status, type) => {
    const response = await atoll.send(method, `${path}?_format=jsonld`).buffer(true);
    expect([response.status, response.type]).toEqual([status, type]);
  });
});
