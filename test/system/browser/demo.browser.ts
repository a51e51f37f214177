/** A demo on a static host, in headless Chromium: the whole repository in the visitor's browser. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { wholeChromium } from '../../support/chromium.mjs';
import { actAs, checkLooks, guessOfUse, pictureWidth } from './console-support.ts';
import { startDemoHost, type DemoHost } from './demo-host.ts';

// Three browsers start, and the interface page is large.
jest.setTimeout(180_000);

/** The control interface of a server answers its own machine only, so the demo is at another name. */
const hostName = 'demo.example';

let host: DemoHost;
let folder: string;
let context: BrowserContext;
let complaints: string[];
let asked: Set<string>;

beforeAll(async () => {
  // Otherwise Playwright does not tell what a service worker asks for.
  process.env['PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS'] = '1';
  host = await startDemoHost(hostName);
  folder = await mkdtemp(join(tmpdir(), 'atoll-demo-visitor-'));
  complaints = [];
  asked = new Set();
  context = await visit(folder);
}, 180_000);

afterAll(async () => {
  await context.close();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** Chromium with what an earlier visit left in the folder of its profile. */
const visit = async (profile: string): Promise<BrowserContext> => {
  const visitor = await chromium.launchPersistentContext(profile, {
    executablePath: wholeChromium,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP ${hostName} 127.0.0.1`,
      // Service workers need HTTPS, which a host of this test does not have.
      `--unsafely-treat-insecure-origin-as-secure=http://${hostName}:${host.port}`,
    ],
  });
  visitor.setDefaultTimeout(45_000);
  visitor.on('request', (request) => asked.add(new URL(request.url()).origin));
  visitor.on('page', listen);
  for (const page of visitor.pages()) listen(page);
  return visitor;
};

/** A refusal that was asked for is written to the console of the browser, and so is the address of a page without a file. */
const wanted = /the server responded with a status of/;

const listen = (page: Page): void => {
  page.on('console', (message) => {
    if (message.type() === 'error' && !wanted.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
};

const openFirst = async (visitor = context): Promise<Page> => {
  const page = await visitor.newPage();
  await page.goto(host.url);
  await page.locator('#state[data-kind=ready]').waitFor();
  return page;
};

const openConsole = async (address: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${host.url}repo/_atoll/#${address}`);
  await page.locator('h1').waitFor();
  await actAs(page, 'admin');
  return page;
};

const saysOf = (page: Page, text: RegExp): Promise<void> => page.locator('#state').getByText(text).waitFor();

/** The titles of all objects, as the page itself can ask for them. */
const titles = async (page: Page): Promise<string> =>
  page.evaluate<string>(`fetch('${host.url}repo/_atoll/entities?search=demo').then((answer) => answer.text())`);

const startAgain = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Start again', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start again' }).click();
  await saysOf(page, /^The repository is as it was at the beginning/);
};

describe('A demo', () => {
  it('says on its first page what it is, what it holds and with which accounts', async () => {
    const page = await openFirst();
    await saysOf(page, /^The repository is ready\. It holds 30 objects, 63 media and 66 files\./);
    expect(await page.locator('#account-rows tr').allInnerTexts()).toContainEqual(
      'admin\tislandora\tAdministrator, Fedora admin',
    );
    await checkLooks(page, 'demo');
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.getByRole('heading', { name: 'Contract Site' }).waitFor();
    expect(page.url()).toBe(`${host.url}repo/_atoll/`);
    await page.close();
  });

  it('takes a new object and a file in the console, and has them after the browser was started anew', async () => {
    let page = await openConsole('/create?type=node&bundle=islandora_object&field_model=24');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Made in the demo');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/#\/entities\/node\/\d+$/);
    const node = /(\d+)$/.exec(page.url())?.[1] ?? '';
    await page.close();

    page = await openConsole(`/entities/node/${node}`);
    await page.getByRole('button', { name: 'Add media' }).click();
    const form = page.getByRole('form', { name: 'Add media' });
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.alloc(300_000, 'letters ') });
    await (await guessOfUse(form)).fill('Preservation');
    await form.getByRole('option', { name: /^Preservation Master File/ }).click();
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await page.getByText(/^letter\.txt was added, as media \d+\./).waitFor();

    await context.close();
    context = await visit(folder);
    page = await openFirst();
    await saysOf(page, /It holds 31 objects, 64 media and 67 files\./);
    expect(await titles(page)).toContain('Made in the demo');
    const bytes = await page.evaluate<[number, number]>(
      `fetch('repo/_atoll/entities?type=file').then((answer) => answer.json()).then(({ total }) => total)`,
    );
    expect(bytes).toBe(67);
    await page.close();
  });

  it('is exported, starts again, and goes on with what was exported', async () => {
    const page = await openFirst();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    await saysOf(page, /^The repository is exported: \d/);
    const file = join(folder, 'exported.tar');
    await download.saveAs(file);

    await startAgain(page);
    await saysOf(page, /It holds 30 objects, 63 media and 66 files\./);
    expect(await titles(page)).not.toContain('Made in the demo');

    await page.getByLabel(/^Go on with a file that was exported here/).setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await saysOf(page, /^The file is imported\. It holds 31 objects, 64 media and 67 files\./);
    expect(await titles(page)).toContain('Made in the demo');

    // Another file is refused, and changes nothing.
    await page.getByLabel(/^Go on with a file/).setInputFiles({
      ...{ name: 'other.tar', mimeType: 'application/x-tar', buffer: Buffer.from('This is no archive.') },
    });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('#state[data-kind=failed]').waitFor();
    expect(await titles(page)).toContain('Made in the demo');
    await page.close();
  });

  it('shows its pictures, and knows a session', async () => {
    const page = await openConsole('/entities/node/5?tab=media');
    await page.locator('main img').first().waitFor();
    expect(await pictureWidth(page, 'main img')).toBeGreaterThan(10);
    await page.goto(`${host.url}repo/_atoll/docs`);
    await page.selectOption('select[name=scheme]', 'session');
    await page.selectOption('select[name=account]', { label: 'editor' });
    await page.locator('#status').getByText('editor asks, with a session.').waitFor();
    const block = page.locator('[id$="-createNode"]').first();
    await block.locator('.opblock-summary').click();
    await block.locator('button.execute').click();
    const answer = block.locator('.live-responses-table');
    await answer.locator('tbody td.response-col_status').first().getByText('201').waitFor();
    expect(await answer.textContent()).toContain(`location: ${host.url}repo/node/`);
    await page.close();
  });

  it('opens for a visitor who comes to an address of the repository first', async () => {
    for (const [path, heading] of [
      ['repo/node/5', 'Fishing fleet at anchor off Gannet Point'],
      ['repo/_atoll/', 'Contract Site'],
    ] as const) {
      const profile = await mkdtemp(join(tmpdir(), 'atoll-demo-stranger-'));
      const stranger = await visit(profile);
      const page = await stranger.newPage();
      await page.goto(host.url + path);
      await page.getByRole('heading', { name: heading }).waitFor();
      // Also when the page is loaded past the worker, as with Shift and the button to reload.
      const network = await stranger.newCDPSession(page);
      await network.send('Page.reload', { ignoreCache: true });
      await page.getByRole('heading', { name: heading }).waitFor();
      await stranger.close();
      await rm(profile, { recursive: true, force: true });
    }
  });

  it('takes no form of another site', async () => {
    const page = await context.newPage();
    await page.goto(
      `data:text/html,<form method="post" action="${host.url}repo/_atoll/reset"><button>Send</button></form>`,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('A form may change nothing here.').waitFor();
    await page.goto(host.url);
    await saysOf(page, /^The repository is ready\./);
    expect(await titles(page)).toContain('Made in the demo');
    await page.close();
  });

  it('says so where there is nothing', async () => {
    const page = await context.newPage();
    await page.goto(`${host.url}nothing`);
    await page.getByText('There is nothing at this address.').waitFor();
    await page.close();
  });

  it('has asked nobody but its host, and has broken no policy', () => {
    expect([...asked].filter((origin) => origin !== 'null')).toEqual([new URL(host.url).origin]);
    expect(complaints).toEqual([]);
  });
});
