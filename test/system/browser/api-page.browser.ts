/** The API page in headless Chromium: it asks nobody but its own server, and its operations run as the accounts. Run by `npm run test:suite -- browser`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';
import { type RunningProgram, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { axe } from './console-support.ts';

let program: RunningProgram;
let browser: Browser;
let page: Page;
let asked: URL[];
let complaints: string[];

beforeAll(async () => {
  program = await startProgram(['--memory']);
  browser = await launchChromium();
}, 60_000);

afterAll(async () => {
  await browser.close();
  await program.stop();
});

beforeEach(async () => {
  asked = [];
  complaints = [];
  page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.setDefaultTimeout(15_000);
  page.on('request', (request) => asked.push(new URL(request.url())));
  page.on('console', (message) => {
    // A refusal that was asked for is written to the console too.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(() => page.close());

const open = async (path: string): Promise<void> => {
  await page.goto(`${program.url}${path}`);
  await page.waitForSelector('.opblock');
};

const says = (status: string): Promise<void> => page.locator('#status').getByText(status, { exact: true }).waitFor();

const askAs = async (account: string, scheme: string): Promise<void> => {
  await page.selectOption('select[name=scheme]', scheme);
  await page.selectOption('select[name=account]', { label: account });
  await says(`${account} asks, with a ${scheme}.`);
};

/** Opens an operation, fills in parameters, executes it, and gives the status that the page shows, and all of its answer. */
const execute = async (
  operation: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ status: string; text: string }> => {
  const block = page.locator(`[id$="-${operation}"]`).first();
  if (!(await block.getAttribute('class'))?.includes('is-open')) await block.locator('.opblock-summary').click();
  for (const [name, value] of Object.entries(parameters)) {
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  const clear = block.locator('button.btn-clear');
  if (await clear.isVisible()) await clear.click();
  await block.locator('button.execute').click();
  const answer = block.locator('.live-responses-table');
  await answer.waitFor();
  const status = (await answer.locator('tbody td.response-col_status').first().textContent()) ?? '';
  return { status: status.slice(0, 3), text: (await answer.textContent()) ?? '' };
};

const screenshot = async (name: string): Promise<void> => {
  await mkdir(join(root, 'coverage/pictures'), { recursive: true });
  await page.screenshot({ path: join(root, 'coverage/pictures', `${name}.png`) });
};

describe('The API page', () => {
  it('shows every operation of the document, and asks nobody but its server', async () => {
    await open('/_atoll/docs');
    const { paths } = (await (await fetch(`${program.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
    const operations = Object.values(paths).flatMap((path) => Object.keys(path).filter((key) => methods.includes(key)));
    await until(
      async () => (await page.locator('.opblock').count()) === operations.length,
      `${operations.length} operations`,
    );
    await screenshot('api-page');
    expect([...new Set(asked.filter(({ protocol }) => protocol !== 'data:').map(({ origin }) => origin))]).toEqual([
      program.url,
    ]);
    expect(complaints).toEqual([]);
  });

  it('shows 401 to nobody without a dialogue, and 403 to one who may not', async () => {
    await open('/_atoll/docs');
    expect((await execute('deleteNode', { node_id: '7' })).status).toBe('401');
    await askAs('plain', 'password');
    const refused = await execute('deleteNode');
    expect([refused.status, refused.text]).toEqual(['403', expect.stringContaining('permission is required')]);
    expect(complaints).toEqual([]);
  });

  it.each(['password', 'token', 'session'])('executes operations as editor with a %s: 200, 201', async (way) => {
    await open('/_atoll/docs');
    await askAs('editor', way);
    const read = await execute('getMedia', { media_id: '1' });
    expect([read.status, read.text]).toEqual(['200', expect.stringContaining('"mid"')]);
    const made = await execute('createNode');
    expect([made.status, made.text]).toEqual(['201', expect.stringContaining(`location: ${program.url}/node/`)]);
    await screenshot(`api-page-${way}`);
    await page.selectOption('select[name=account]', { label: 'nobody' });
    await says('Nobody asks.');
    expect((await execute('createNode')).status).toBe('401');
    expect(complaints).toEqual([]);
  });

  it('of a world below its prefix acts on that world', async () => {
    const forked = await fetch(`${program.url}/_atoll/worlds`, { method: 'POST' });
    const world = (await forked.json()) as { url: string };
    await open(`${new URL(world.url).pathname}/_atoll/docs`);
    await askAs('admin', 'session');
    const gone = await execute('deleteNode', { node_id: '5' });
    expect(gone.status).toBe('204');
    expect((await fetch(`${world.url}/node/5?_format=json`)).status).toBe(404);
    expect((await fetch(`${program.url}/node/5?_format=json`)).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['/_atoll/docs', 'createNode'],
    ['/_atoll/docs/control', 'forkWorld'],
  ])('%s is accessible in the light and in the dark', async (path, operation) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await open(path);
      const block = page.locator(`.opblock[id$="-${operation}"]`);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.responses-table').first().waitFor();
      expect(await axe(page)).toEqual([]);
      await screenshot(`api-page-${path.endsWith('control') ? 'control' : 'repository'}-${colorScheme}`);
    }
    // The look follows the system while the page is open.
    const ground = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.emulateMedia({ colorScheme: 'light' });
    await until(async () => (await ground()) !== dark, 'the light ground');
  });

  it('of the control interface resets and reads the clock: 200', async () => {
    await open('/_atoll/docs/control');
    const clock = await execute('getClock');
    expect([clock.status, clock.text]).toEqual(['200', expect.stringContaining('"mode": "real"')]);
    expect(complaints).toEqual([]);
  });
});
