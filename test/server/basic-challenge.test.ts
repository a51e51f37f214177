/** To whom a 401 says `WWW-Authenticate: Basic`: to everybody as on the real site, to nobody, or to everybody but the scripts of pages. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { sendRaw } from '../support/raw-client.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import { startServer, type TestServer } from '../support/server.ts';

const guarded = '/media/1?_format=json';
const page = '/node/5';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const html = 'text/html,application/xhtml+xml,*/*;q=0.8';

const ofPages: readonly (readonly [string, Record<string, string>])[] = [
  [
    'fetch of the same origin',
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
  ],
  [
    'fetch of another origin',
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: 'http://localhost:1' },
  ],
  ['an image', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
  ['fetch of another origin, without Sec-Fetch headers', { Origin: 'http://localhost:1' }],
  ['fetch of a browser, without Sec-Fetch headers', { 'User-Agent': firefox, Accept: '*/*' }],
  ['a library that says so', { 'X-Requested-With': 'XMLHttpRequest' }],
];
const ofOthers: readonly (readonly [string, Record<string, string>])[] = [
  ['an address that is opened', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'User-Agent': firefox }],
  ['an address that is opened, without Sec-Fetch headers', { 'User-Agent': firefox, Accept: html }],
  ['curl', { 'User-Agent': 'curl/8.5.0', Accept: '*/*' }],
  ['fetch of Node', { 'User-Agent': 'node', Accept: '*/*', 'Sec-Fetch-Mode': 'cors' }],
  ['a program that says nothing', {}],
];

let server: TestServer;
const challengeOf = async (headers: Record<string, string>, address = guarded) => {
  const reply = await sendRaw('GET', server.url + address, { headers });
  return [reply.status, reply.headers['www-authenticate']];
};
const sent = [401, 'Basic realm="Contract Site"'];
const leftOut = [401, undefined];

const required = async (): Promise<unknown> => {
  const { body } = await sendRaw('GET', `${server.url}/openapi.json`);
  const document = JSON.parse(body) as { components: { headers: Record<string, { required: boolean }> } }; // OpenAPI
  return document.components.headers['WWW-Authenticate']?.required;
};

describe('by default', () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it.each([...ofPages, ...ofOthers])('a 401 to %s has the challenge', async (_who, headers) => {
    expect(await challengeOf(headers)).toEqual(sent);
  });

  it.each([
    ['a page of the console', '/_atoll/'],
    ['the console of a world', '/~w/_atoll/'],
    ['the page of the interface', '/_atoll/docs'],
  ])('a 401 to %s has it under another name, so that no dialog opens', async (_who, from) => {
    const headers = { Referer: server.url + from, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    const reply = await sendRaw('GET', server.url + guarded, { headers });
    expect([reply.status, reply.headers['www-authenticate']]).toEqual(leftOut);
    expect(reply.headers['atoll-challenge']).toBe('Basic realm="Contract Site"');
  });

  it.each(['/node/1?back=/_atoll/', '?back=/_atoll/'])('a 401 to another page has it: %s', async (from) => {
    const headers = { Referer: server.url + from, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    expect(await challengeOf(headers)).toEqual(sent);
  });

  it('an address that somebody opens from the console has it', async () => {
    const headers = { Referer: `${server.url}/_atoll/`, 'Sec-Fetch-Mode': 'navigate' };
    expect(await challengeOf(headers)).toEqual(sent);
  });

  it('the document promises it', async () => {
    expect(await required()).toBe(true);
  });
});

describe('outside browsers', () => {
  beforeAll(async () => {
    server = await startServer({ basicChallenge: 'outside-browsers' });
  });
  afterAll(() => server.stop());

  it.each(ofPages)('a 401 to %s has none', async (_who, headers) => {
    expect(await challengeOf(headers)).toEqual(leftOut);
  });

  it.each(ofOthers)('a 401 to %s has it', async (_who, headers) => {
    expect(await challengeOf(headers)).toEqual(sent);
  });

  it('an answer that is not 401 stays as it is, and a world that is made later answers alike', async () => {
    const [, headers] = ofPages[0] ?? ['', {}];
    expect((await challengeOf(headers, '/node/5?_format=json'))[0]).toBe(200);
    const { url, name } = await server.worlds.fork({});
    const reply = await sendRaw('GET', url + guarded, { headers });
    expect([reply.status, reply.headers['www-authenticate']]).toEqual(leftOut);
    expect(reply.body).toBe('{"message":"No authentication credentials provided."}');
    await server.worlds.drop(name);
  });

  it('the document does not promise it', async () => {
    expect(await required()).toBe(false);
  });
});

describe('never', () => {
  beforeAll(async () => {
    server = await startServer({ basicChallenge: 'never' });
  });
  afterAll(() => server.stop());

  it.each([...ofPages, ...ofOthers])('a 401 to %s has none', async (_who, headers) => {
    expect(await challengeOf(headers)).toEqual(leftOut);
  });

  it('a page for people has none, after a wrong password either', async () => {
    const Authorization = `Basic ${btoa('admin:wrong')}`;
    const [status, challenge] = await challengeOf({ Accept: html, Authorization }, '/media/1');
    expect([status, challenge]).toEqual([401, undefined]);
    expect((await challengeOf({ Accept: html }, page))[0]).toBe(200);
  });
});

describe('startAtoll', () => {
  it('takes the option, for fetch in the same process too', async () => {
    const atoll = await startAtoll({ basicChallenge: 'never', port: false });
    const reply = await atoll.fetch(guarded);
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, null]);
    await atoll.close();
  });

  it('refuses another word', async () => {
    const options: object = { basicChallenge: 'sometimes', port: false };
    await expect(startAtoll(options)).rejects.toThrow(
      new ConfigurationError('basicChallenge is one of always, outside-browsers, never.'),
    );
  });
});
