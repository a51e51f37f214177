/** DNS rebinding in a real browser: a page whose own host name leads to this machine. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import { basicCredentials } from '../../../src/basics/formats/basic-credentials.ts';
import { launchChromium } from '../../support/chromium.mjs';

const authorization = basicCredentials('admin', 'islandora');

let atoll: Atoll;
let browser: Browser;
let page: Page;
let foreign: string;

beforeAll(async () => {
  atoll = await startAtoll({ port: 0 });
  foreign = atoll.url.replace('localhost', 'rebind.example');
  browser = await launchChromium('--host-resolver-rules=MAP rebind.example 127.0.0.1');
  page = await browser.newPage();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await atoll.close();
});

/** The status of a request that a page of the current origin sends. */
const askInPage = (path: string, init: RequestInit = {}): Promise<number> =>
  page.evaluate<number>(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(async (response) => response.status)`,
  );

const node = JSON.stringify({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'By a page that I visited' }],
  field_model: [{ target_id: 24 }],
});
const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
const login = JSON.stringify({ name: 'admin', pass: 'islandora' });
const requests: [string, RequestInit][] = [
  ['/node/5?_format=json', { headers }],
  ['/node?_format=json', { method: 'POST', headers, body: node }],
  ['/node/5?_format=json', { method: 'DELETE', headers }],
  ['/jwt/token?_format=json', { headers }],
  ['/user/login?_format=json', { method: 'POST', headers, body: login }],
  ['/node/5?_format=json', { headers: { 'Atoll-Fault': 'error-500' } }],
  ['/~main/node/5?_format=json', { headers }],
  ['/openapi.json', {}],
  ['/_atoll/entities?type=node', {}],
];

it('a page under a foreign name gets 421 for everything, and has changed nothing', async () => {
  const opened = await page.goto(`${foreign}/node/5?_format=json`);
  expect(opened?.status()).toBe(421);
  for (const [path, init] of requests) expect([path, await askInPage(path, init)]).toEqual([path, 421]);
  expect((await atoll.fetch('/node/5?_format=json')).status).toBe(200);
  expect(await (await atoll.fetch('/_atoll/entities?type=node')).text()).not.toContain('By a page');
});

it('the same page under localhost, and under a name below it, is answered', async () => {
  for (const url of [
    atoll.url,
    atoll.url.replace('localhost', 'main.localhost'),
    atoll.url.replace('localhost', '127.0.0.1'),
  ]) {
    expect((await page.goto(`${url}/node/5?_format=json`))?.status()).toBe(200);
    expect(await askInPage('/jwt/token?_format=json', { headers })).toBe(200);
  }
});
