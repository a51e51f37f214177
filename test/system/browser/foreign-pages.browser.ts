/** A page of another server on this machine, in headless Chromium: what it may ask of the control interface. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';

let atoll: Atoll;
let lenient: Atoll;
let guarded: Atoll;
let pages: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>A front end</title>');
  });
  await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(pages.address() as AddressInfo).port}`; // it listens on a port
  atoll = await startAtoll();
  lenient = await startAtoll({ controlOrigins: [origin], cors: 'off' });
  guarded = await startAtoll({ controlToken: 'let-me-in' });
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(origin);
}, 60_000);

afterAll(async () => {
  await browser.close();
  pages.close();
  await Promise.all([atoll.close(), lenient.close(), guarded.close()]);
});

type Told = { readonly status: number; readonly body: string };
const ask = (url: string, init: RequestInit = {}): Promise<Told> =>
  page.evaluate<Told>(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)})
    .then(async (response) => ({ status: response.status, body: await response.text() }))`);

/** Changes a title, which a reset would undo. */
const change = async (server: Atoll): Promise<void> => {
  const authorization = `Bearer ${await server.token('editor')}`;
  const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Changed' }] });
  const headers = { authorization, 'content-type': 'application/json' };
  expect((await server.fetch('/node/1?_format=json', { method: 'PATCH', headers, body })).status).toBe(200);
};
const isChanged = async (server: Atoll): Promise<boolean> =>
  (await (await server.fetch('/node/1?_format=json')).text()).includes('"Changed"');

describe('A page of another server on this machine', () => {
  it('resets nothing: 403, which it can read', async () => {
    await change(atoll);
    const told = await ask(`${atoll.url}/_atoll/reset`, { method: 'POST' });
    expect([told.status, told.body]).toEqual([403, expect.stringContaining('--control-origins http://localhost:')]);
    expect(await isChanged(atoll)).toBe(true);
  });

  it('resets nothing without asking first either: by a request that it cannot read, by a form', async () => {
    await change(atoll);
    const init = { method: 'POST', mode: 'no-cors' } as const;
    const answered = page.waitForResponse(`${atoll.url}/_atoll/reset`);
    await page.evaluate(`fetch('${atoll.url}/_atoll/reset', ${JSON.stringify(init)})`);
    expect((await answered).status()).toBe(403);
    const other = await browser.newPage();
    await other.goto(page.url());
    const sent = other.waitForResponse(`${atoll.url}/_atoll/reset`);
    await other.evaluate(`(() => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '${atoll.url}/_atoll/reset', enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
    })()`);
    expect((await sent).status()).toBe(403);
    await other.close();
    expect(await isChanged(atoll)).toBe(true);
  });

  it('reads nothing either: 403, and 200 where its origin was allowed', async () => {
    for (const path of ['traffic', 'export', 'worlds']) {
      expect((await ask(`${atoll.url}/_atoll/${path}`)).status).toBe(403);
      expect((await ask(`${lenient.url}/_atoll/${path}`)).status).toBe(200);
    }
  });

  it('whose origin was allowed changes something, and asks first where a browser wants that', async () => {
    await change(lenient);
    expect((await ask(`${lenient.url}/_atoll/reset`, { method: 'POST' })).status).toBe(204);
    expect(await isChanged(lenient)).toBe(false);
    const made = await ask(`${lenient.url}/~main/_atoll/worlds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Atoll-Page': 'front' },
      body: '{"name":"mine"}',
    });
    expect([made.status, made.body]).toEqual([201, expect.stringContaining('/~mine')]);
    expect((await ask(`${lenient.url}/_atoll/worlds/mine`, { method: 'DELETE' })).status).toBe(204);
    await expect(ask(`${lenient.url}/node/1?_format=json`)).rejects.toThrow('Failed to fetch');
  });

  it('that has the control token changes something', async () => {
    await change(guarded);
    expect((await ask(`${guarded.url}/_atoll/reset`, { method: 'POST' })).status).toBe(403);
    const told = await ask(`${guarded.url}/_atoll/reset`, {
      method: 'POST',
      headers: { 'Atoll-Control': 'let-me-in' },
    });
    expect([told.status, await isChanged(guarded)]).toEqual([204, false]);
  });
});

describe('A page of the server itself', () => {
  it('resets as before, by any of its names', async () => {
    for (const host of ['localhost', '127.0.0.1', 'main.localhost']) {
      await change(atoll);
      const own = await browser.newPage();
      const url = atoll.url.replace('localhost', host);
      await own.goto(`${url}/openapi.json`);
      expect(await own.evaluate(`fetch('/_atoll/reset', { method: 'POST' }).then(({ status }) => status)`)).toBe(204);
      expect(await isChanged(atoll)).toBe(false);
      await own.close();
    }
  });
});

describe('The API page with a control token', () => {
  it('asks for it, keeps it for the tab, and then offers the accounts and runs the operations', async () => {
    const own = await browser.newPage();
    await own.goto(`${guarded.url}/_atoll/docs/control`);
    const form = own.locator('#control');
    await form.getByLabel('Control token').fill('not this one');
    await form.getByRole('button', { name: 'Use it' }).click();
    await own.locator('#status').getByText('not the right one').waitFor();
    await form.getByLabel('Control token').fill('let-me-in');
    await form.getByRole('button', { name: 'Use it' }).click();
    const clock = own.locator('[id$="-getClock"]').first();
    await clock.locator('.opblock-summary').click();
    await clock.locator('button.execute').click();
    await clock.locator('.live-responses-table tbody td.response-col_status').getByText('200').waitFor();
    expect(await form.isVisible()).toBe(false);
    await own.getByRole('link', { name: 'The interface', exact: true }).click();
    // The page that is left has such a select, too.
    await own.waitForURL(`${guarded.url}/_atoll/docs`);
    await own.selectOption('select[name=account]', { label: 'editor' });
    await own.locator('#status').getByText('editor asks, with a password.').waitFor();
    await own.screenshot({ path: `${root}/coverage/pictures/api-page-token.png` });
    await own.close();
  });
});
