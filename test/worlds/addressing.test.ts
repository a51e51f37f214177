/** Four ways to a world: prefix, host, header, cookie. Each stays inside it. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, type Headers, nodeBody, type Send, sendTo, titleBody, titleOf } from '../support/requests.ts';

const admin = basic('admin').headers;
let atoll: TestAtoll;
let send: Send;
beforeAll(async () => {
  atoll = await createTestAtoll();
  send = sendTo(atoll);
});
beforeEach(async () => {
  await atoll.reset();
  atoll.worlds.drop('w7');
  await send('POST', '/_atoll/worlds', { name: 'w7' });
});

const own = 'http://localhost:8000';
const ways: readonly (readonly [string, string, Headers, string])[] = [
  ['prefix', '/~w7', {}, `${own}/~w7`],
  ['prefix with an encoded tilde', '/%7Ew7', {}, `${own}/~w7`],
  ['host', '', { Host: 'w7.localhost:8000' }, 'http://w7.localhost:8000'],
  ['host in capitals, on another port', '', { Host: 'W7.LocalHost:9999' }, 'http://w7.localhost:8000'],
  ['header', '', { 'Atoll-World': 'w7' }, `${own}/~w7`],
  ['cookie', '', { Cookie: 'a=b; atoll_world=w7' }, `${own}/~w7`],
];

describe.each(ways)('a world by %s', (_way, prefix, headers, url) => {
  it('is another than the main one, and its links, Location and url values stay inside it', async () => {
    const changed = await send('PATCH', `${prefix}/node/2?_format=json`, titleBody('changed'), {
      ...headers,
      ...admin,
    });
    expect(changed.status).toBe(200);
    expect(await titleOf(send, `${prefix}/node/2`, headers)).toBe('changed');
    expect(await titleOf(send, '/node/2')).not.toBe('changed');
    const made = await send('POST', `${prefix}/node?_format=json`, nodeBody('made'), { ...headers, ...admin });
    expect([made.status, made.headers['location']]).toEqual([201, `${url}/node/31`]);
    const { headers: answered, body } = await send('GET', `${prefix}/node/2?_format=json`, undefined, headers);
    const targets = [...String(answered['link']).matchAll(/<([^>]+)>/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(5);
    const outside = targets.filter((target) => !target.startsWith(`${url}/`));
    // The type of the model is a word of somebody else's.
    expect(outside).toEqual(['http://purl.org/dc/dcmitype/Collection']);
    const graph = await send('GET', `${prefix}/node/2?_format=jsonld`, undefined, headers);
    const addresses = graph.text.match(/http:\/\/[a-z0-9.]*localhost[^"]*/g) ?? [];
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
    const path = new URL(url).pathname.replace(/\/$/, '');
    const references = (body as { field_member_of: { url: string }[] }).field_member_of; // node 2 is in node 1
    expect(references.map((each) => each.url)).toEqual([`${path}/node/1`]);
  });

  it('has a session of its own, by a cookie that comes back', async () => {
    const login = await send('POST', `${prefix}/user/login?_format=json`, { name: 'editor', pass: 'editor' }, headers);
    expect(login.status).toBe(200);
    const [cookie = ''] = login.cookies;
    expect(cookie).toMatch(prefix === '' ? /; path=\/;/ : /; path=\/~w7;/);
    const session = cookie.split(';')[0] ?? '';
    const both = { ...headers, Cookie: [headers['Cookie'], session].filter((each) => each !== undefined).join('; ') };
    const status = (where: string, sent: Headers) =>
      send('GET', `${where}/user/login_status?_format=json`, undefined, sent);
    expect((await status(prefix, both)).text).toBe('1');
    expect((await status('', { Cookie: session })).text).toBe('0');
  });

  it('has tokens of its own: one of another world opens nothing', async () => {
    const tokenOf = async (where: string, sent: Headers): Promise<string> => {
      const { body } = await send('GET', `${where}/jwt/token?_format=json`, undefined, { ...sent, ...admin });
      return (body as { token: string }).token; // held to the schema by the engine
    };
    const [ofWorld, ofMain] = [await tokenOf(prefix, headers), await tokenOf('', {})];
    const remove = async (where: string, sent: Headers, token: string) =>
      (await send('DELETE', `${where}/node/7?_format=json`, undefined, { ...sent, Authorization: `Bearer ${token}` }))
        .status;
    expect([await remove('', {}, ofWorld), await remove(prefix, headers, ofMain)]).toEqual([403, 403]);
    expect([await remove(prefix, headers, ofWorld), await remove('', {}, ofMain)]).toEqual([204, 204]);
  });

  it('has its control interface and its document, with its own address', async () => {
    expect((await send('PUT', `${prefix}/_atoll/clock`, { mode: 'frozen' }, headers)).status).toBe(200);
    expect((await send('GET', `${prefix}/_atoll/clock`, undefined, headers)).body).toMatchObject({ mode: 'frozen' });
    expect((await send('GET', '/_atoll/clock')).body).toMatchObject({ mode: 'real' });
    for (const path of ['/openapi.json', '/openapi-3.0.json', '/_atoll/openapi.json']) {
      const document = await send('GET', `${prefix}${path}`, undefined, headers);
      expect((document.body as { servers: unknown }).servers).toEqual([{ url }]);
    }
    const led = await send('GET', `${prefix}/_atoll`, undefined, headers);
    expect([led.status, led.headers['location']]).toEqual([302, new URL(`${url}/_atoll/`).pathname]);
    expect((await send('GET', `${prefix}/_atoll/`, undefined, headers)).status).toBe(200);
  });
});

describe('a name that no world has', () => {
  it.each<readonly [string, string, Headers]>([
    ['prefix', '/~nobody', {}],
    ['empty prefix', '/~', {}],
    ['strange prefix', '/~%2e%2e', {}],
    ['host', '', { Host: 'nobody.localhost:8000' }],
    ['header', '', { 'Atoll-World': 'nobody' }],
    ['header that came twice', '', { 'Atoll-World': 'w7, w7' }],
    ['cookie', '', { Cookie: 'atoll_world=nobody' }],
  ])('by %s is 404 with a message, for the repository and for the control interface', async (_way, prefix, headers) => {
    for (const path of ['/node/1?_format=json', '/_atoll/health', '/openapi.json', '']) {
      const { status, body } = await send('GET', `${prefix}${path}` || '/', undefined, headers);
      expect([status, body]).toEqual([404, { message: 'There is no such world.' }]);
    }
  });
});

describe('where several ways are taken at once', () => {
  it('the prefix wins over the host, the host over the header, the header over the cookie', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await send('POST', '/_atoll/worlds', { name });
      await send('PATCH', `/~${name}/node/2?_format=json`, titleBody(name), admin);
    }
    const [host, header, cookie] = [{ Host: 'b.localhost' }, { 'Atoll-World': 'c' }, { Cookie: 'atoll_world=d' }];
    expect(await titleOf(send, '/~a/node/2', { ...host, ...header, ...cookie })).toBe('a');
    expect(await titleOf(send, '/node/2', { ...host, ...header, ...cookie })).toBe('b');
    expect(await titleOf(send, '/node/2', { ...header, ...cookie })).toBe('c');
    expect(await titleOf(send, '/node/2', cookie)).toBe('d');
    for (const name of ['a', 'b', 'c', 'd']) atoll.worlds.drop(name);
  });

  it('the main world can be named too, and keeps its own address by header', async () => {
    const { headers } = await send('GET', '/node/1?_format=json', undefined, { 'Atoll-World': 'main' });
    expect(headers['link']).toContain(`<${own}/node/1>`);
    expect((await send('GET', '/~main/node/1?_format=json')).headers['link']).toContain(`<${own}/~main/node/1>`);
  });
});

describe('a host', () => {
  it.each(['evil.example', 'w7.localhost.evil.example', 'a.w7.localhost', 'localhost:1', '127.0.0.1'])(
    'such as %s never gets into a link: it is the main world, under its own address',
    async (host) => {
      const { status, headers } = await send('GET', '/node/1?_format=json', undefined, { Host: host });
      expect([status, String(headers['link']).includes(`<${own}/node/1>`)]).toEqual([200, true]);
      expect(headers['link']).not.toContain(host === '127.0.0.1' ? host : `//${host}`);
    },
  );
});

describe('a reply that is kept', () => {
  it('goes when the world is written to by another of its addresses, and when it is reset', async () => {
    const host = { Host: 'w7.localhost:8000' };
    for (let asked = 0; asked < 3; asked += 1) await titleOf(send, '/node/2', host);
    await send('PATCH', '/~w7/node/2?_format=json', titleBody('by prefix'), admin);
    expect(await titleOf(send, '/node/2', host)).toBe('by prefix');
    for (let asked = 0; asked < 3; asked += 1) await titleOf(send, '/node/2', host);
    await send('POST', '/~w7/_atoll/reset');
    expect(await titleOf(send, '/node/2', host)).toBe('Quellan Glass Plates');
  });
});
