/** The pages at the addresses of records in headless Chromium: readable without scripts, accessible, and nothing of a record runs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createClock } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';
import { basic } from '../../support/requests.ts';
import { museum, writeSite } from '../../support/invented-sites.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { checkLooks } from './console-support.ts';

let folder: string;
let server: TestServer;
let museumServer: TestServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-pages-'));
  server = await startServer({ clock: createClock() });
  museumServer = await startServer({ site: await writeSite(join(folder, 'site'), museum), fixture: 'sample:30' });
  browser = await launchChromium();
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await museumServer.stop();
  await rm(folder, { recursive: true, force: true });
});

const begin = async (account?: string): Promise<void> => {
  context = await browser.newContext({ extraHTTPHeaders: account === undefined ? {} : basic(account).headers });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    // A refusal that was asked for is written to the console too.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialogue: ${dialog.message()}`);
    void dialog.dismiss();
  });
};

beforeEach(() => {
  complaints = [];
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const open = async (path: string, at = server): Promise<number | undefined> =>
  (await page.goto(`${at.url}${path}`))?.status();

/** The pictures of the page that have loaded, and their number. */
const pictures = async (): Promise<readonly [loaded: number, all: number]> => {
  const widths: unknown = await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().then(() => image.naturalWidth, () => 0);
  }))`);
  const shown = widths as readonly number[]; // as the evaluated text makes it
  return [shown.filter((width) => width > 0).length, shown.length];
};

describe('A page at the address of a record', () => {
  it('shows an image with its pictures: 200', async () => {
    await begin('admin');
    expect(await open('/node/5')).toBe(200);
    expect(await page.locator('h1').count()).toBe(1);
    const [loaded, all] = await pictures();
    expect([loaded, all > 0]).toEqual([all, true]);
    await checkLooks(page, 'page-image');
  });

  it('leads from a collection over its members to their media, with the keyboard and the back button', async () => {
    await begin('admin');
    await open('/node/2');
    await checkLooks(page, 'page-collection');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.locator('.members a').first().focus();
    const title = await page.locator('.members a').first().textContent();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/node\/(?!2$)\d+$/);
    expect(await page.locator('h1').textContent()).toBe(title);
    await page.locator('.media a').first().click();
    await page.waitForURL(/\/media\/\d+$/);
    await checkLooks(page, 'page-media');
    await page.goBack();
    expect(await page.locator('h1').textContent()).toBe(title);
  });

  it.each([
    ['/taxonomy/term/24', 'page-term'],
    ['/user/2', 'page-user'],
  ])('shows %s', async (path, name) => {
    await begin('admin');
    expect(await open(path)).toBe(200);
    await checkLooks(page, name);
  });

  it.each([
    ['/node/11', undefined, 403, 'page-403'],
    ['/node/999', undefined, 404, 'page-404'],
  ])('refuses %s in words', async (path, account, status, name) => {
    await begin(account);
    expect(await open(path)).toBe(status);
    await checkLooks(page, name);
  });

  it('of a site with other bundles is as readable', async () => {
    await begin('admin');
    expect(await open('/node/1', museumServer)).toBe(200);
    await checkLooks(page, 'page-museum');
  });

  it('runs nothing of a record: neither in a title, nor in a text, nor in a picture', async () => {
    await begin('admin');
    const script = '<img src=x onerror="alert(1)"><script>alert(2)</script><svg onload=alert(3)>"\'>';
    const made = await fetch(`${server.url}/node?_format=json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('admin:islandora')}` },
      body: JSON.stringify({
        type: [{ target_id: 'islandora_object' }],
        title: [{ value: `A ${script}` }],
        field_model: [{ target_id: 24 }],
        field_alternative_title: [{ value: script }],
      }),
    });
    expect(made.status).toBe(201);
    expect(await open(new URL(made.headers.get('Location') ?? '').pathname)).toBe(200);
    expect(await page.locator('h1').textContent()).toBe(`A ${script}`);
    expect(await page.locator('img, script, svg').count()).toBe(0);
    await checkLooks(page, 'page-script');
  });

  it('acts with the session that the browser has', async () => {
    await begin();
    expect(await open('/user/2')).toBe(403);
    const login = await context.request.post(`${server.url}/user/login?_format=json`, {
      data: { name: 'editor', pass: 'editor' },
    });
    expect(login.status()).toBe(200);
    expect(await open('/user/2')).toBe(200);
    expect(await page.locator('header').textContent()).toContain('You are editor');
  });
});
