/** A front end at another origin, in a real browser: what it may send with credentials, and what it may read. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import { basicCredentials } from '../../../src/basics/formats/basic-credentials.ts';
import { launchChromium } from '../../support/chromium.mjs';

const admin = basicCredentials('admin', 'islandora');

let atoll: Atoll;
let closed: Atoll;
let browser: Browser;
let page: Page;
let front: Server;
let pages: Server;
/** What the browser asked by itself: the method and the headers that the page wants to send. */
const preflights: string[] = [];

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
};

beforeAll(async () => {
  // A server around the server, that sees what no page is told of.
  front = createServer((request, response) => {
    const { 'access-control-request-method': method, 'access-control-request-headers': names } = request.headers;
    if (request.method === 'OPTIONS') preflights.push(`${method} ${names}`);
    atoll.middleware(request, response);
  });
  atoll = await startAtoll({ port: false, baseUrl: await listening(front) });
  closed = await startAtoll({ cors: ['http://localhost:1'] });
  pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>A front end</title>');
  });
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(await listening(pages));
}, 60_000);

afterAll(async () => {
  await browser.close();
  pages.close();
  front.close();
  await Promise.all([atoll.close(), closed.close()]);
});

type Read = { status: number; headers: Record<string, string>; body: string };

/** `fetch` in the page. Rejects with what the page is told. */
const fetchInPage = (url: string, init: RequestInit = {}): Promise<Read> =>
  page.evaluate<Read>(`(async () => {
    const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init)});
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  })()`);

const object = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'From a page' }],
  field_model: [{ target_id: 24 }],
};
const write = (method: string, body: unknown, headers: Record<string, string>): RequestInit => ({
  method,
  credentials: 'include',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

describe('A page of another loopback origin', () => {
  it('reads 200 with every Link, without asking first', async () => {
    preflights.length = 0;
    const { status, headers } = await fetchInPage(`${atoll.url}/node/1?_format=json`, { credentials: 'include' });
    expect([status, preflights]).toEqual([200, []]);
    expect(headers['link']).toBe((await atoll.fetch('/node/1?_format=json')).headers.get('link'));
  });

  it('creates with 201 and a password after a preflight, and reads Location', async () => {
    preflights.length = 0;
    const created = await fetchInPage(
      `${atoll.url}/node?_format=json`,
      write('POST', object, { Authorization: admin }),
    );
    expect([created.status, preflights]).toEqual([201, ['POST authorization,content-type']]);
    expect(created.headers['location']).toMatch(new RegExp(`^${atoll.url}/node/\\d+$`));
    const address = `${created.headers['location']}?_format=json`;
    expect((await fetchInPage(address, { headers: { Authorization: admin } })).status).toBe(200);
  });

  it('uploads with 201, Content-Location sent and Location read', async () => {
    preflights.length = 0;
    const stored = await fetchInPage(`${atoll.url}/node/1/media/file/17`, {
      method: 'PUT',
      headers: {
        Authorization: admin,
        'Content-Type': 'application/pdf',
        'Content-Location': 'public://cors/page.pdf',
      },
      body: '%PDF-1.4',
    });
    expect([stored.status, preflights]).toEqual([201, ['PUT authorization,content-location,content-type']]);
    expect(stored.headers['location']).toMatch(/\/media\/\d+/);
  });

  it('logs in, and changes with the cookie and its CSRF token: 200; without the token 403', async () => {
    const login = await fetchInPage(
      `${atoll.url}/user/login?_format=json`,
      write('POST', { name: 'editor', pass: 'editor' }, {}),
    );
    const { csrf_token: token } = JSON.parse(login.body) as { csrf_token: string }; // contract: LoginReply
    const change = { type: object.type, title: [{ value: 'Changed by a page' }] };
    const address = `${atoll.url}/node/1?_format=json`;
    preflights.length = 0;
    const unproven = await fetchInPage(address, write('PATCH', change, {}));
    const changed = await fetchInPage(address, write('PATCH', change, { 'X-CSRF-Token': token }));
    expect([login.status, unproven.status, changed.status]).toEqual([200, 403, 200]);
    // The first answer has allowed both.
    expect(preflights).toEqual(['PATCH content-type']);
    expect((await fetchInPage(address)).body).toContain('Changed by a page');
  });

  it('reads which credentials a 401 asks for, and which methods a 405 allows', async () => {
    const refused = await fetchInPage(`${atoll.url}/node/1?_format=json`, write('DELETE', {}, {}));
    const nobody = await fetchInPage(`${atoll.url}/node/1?_format=json`, { method: 'DELETE', credentials: 'omit' });
    expect(refused.status).toBe(403);
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Basic realm="Contract Site"']);
    const wrong = await fetchInPage(`${atoll.url}/node/1?_format=json`, { method: 'PUT', body: 'x' });
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
  });

  it('may be in a world of its own, met by prefix and by host', async () => {
    const world = await atoll.world('paged');
    const byHost = atoll.url.replace('localhost', 'paged.localhost');
    for (const url of [world.url, byHost]) {
      const { status, headers } = await fetchInPage(`${url}/node/1?_format=json`);
      expect([status, headers['link']]).toEqual([200, expect.stringContaining(`<${url}/node/1>; rel="canonical"`)]);
    }
  });
});

describe('A page of an origin that is not on the list', () => {
  it('reads nothing, and changes nothing that needs a preflight', async () => {
    await expect(fetchInPage(`${closed.url}/node/1?_format=json`)).rejects.toThrow('Failed to fetch');
    const change = write('PATCH', { type: object.type, title: [{ value: 'Not this' }] }, { Authorization: admin });
    await expect(fetchInPage(`${closed.url}/node/1?_format=json`, change)).rejects.toThrow('Failed to fetch');
    expect(await (await closed.fetch('/node/1?_format=json')).text()).not.toContain('Not this');
  });
});
