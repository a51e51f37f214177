/** The manual at `/_atoll/help/`, and the ways from the console to it, in headless Chromium. Run by `npm run test:suite -- browser`. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { actAs, checkLooks, useConsole } from './console-support.ts';

const run = useConsole();
beforeAll(() => promisify(execFile)(process.execPath, ['scripts/help.mjs'], { cwd: root }), 60_000);

/** Follows a link that opens a page of its own, and reads where it is. */
const followed = async (page: Page, name: string): Promise<{ readonly address: string; readonly heading: string }> => {
  const [opened] = await Promise.all([
    run.context.waitForEvent('page'),
    page.getByRole('link', { name, exact: true }).click(),
  ]);
  const heading = await opened.locator('article h1').innerText();
  const address = opened.url().slice(run.program.url.length);
  await opened.close();
  return { address, heading };
};

describe('the help of the console', () => {
  it.each([
    ['/', 'first-ten-minutes.html'],
    ['/repository', 'console.html'],
    ['/entities/node/5', 'console.html'],
    ['/entities/node/5/edit', 'uploading.html'],
    ['/create?type=node', 'uploading.html'],
    ['/traffic', 'traffic-and-coverage.html'],
    ['/worlds', 'worlds.html'],
    ['/faults', 'faults.html'],
    ['/coverage', 'traffic-and-coverage.html'],
    ['/interface', 'tools.html'],
  ])('is one click from %s: %s', async (address, file) => {
    const page = await run.open(address);
    const help = await page.getByRole('banner').getByRole('link', { name: 'Help' }).getAttribute('href');
    expect(help).toBe(`${run.program.url}/_atoll/help/${file}`);
    expect((await fetch(help ?? '')).status).toBe(200);
  });

  it('opens beside the console, also in a world', async () => {
    await run.ask('/_atoll/worlds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'helped' }),
    });
    const page = await run.open('/worlds', '/~helped');
    expect(await followed(page, 'Help')).toEqual({
      address: '/~helped/_atoll/help/worlds.html',
      heading: 'Worlds, reset, snapshots, time',
    });
  });

  it('stands at a refusal, when reading and when a form is sent', async () => {
    const page = await run.open('/entities/media/1');
    expect(await followed(page, 'Help on 401')).toEqual({
      address: '/_atoll/help/authentication.html',
      heading: 'Authentication',
    });
    await actAs(page, 'editor');
    await page.goto(`${run.program.url}/_atoll/#/create?type=node&bundle=islandora_object`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const { address } = await followed(page, 'Help on 422');
    expect(address).toBe('/_atoll/help/front-ends.html#what-to-do-with-401-403-404-409-422');
  });
});

describe('the manual', () => {
  it('looks right: its first page, a page, what is found', async () => {
    const { page, program } = run;
    await page.goto(`${program.url}/_atoll/help`);
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await checkLooks(page, 'help');
    await page.goto(`${program.url}/_atoll/help/differences.html`);
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Differences' }).waitFor();
    await checkLooks(page, 'help-page');
    await page.goto(`${program.url}/_atoll/help/?q=${encodeURIComponent('csrf token')}`);
    await page.locator('#found li').first().waitFor();
    await checkLooks(page, 'help-found');
  });

  it('finds a section by the keyboard and without a network but its own, and says how many', async () => {
    const { page, program } = run;
    await page.goto(`${program.url}/_atoll/help/faults.html`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('replace bytes');
    const entry = page.locator('#found').getByRole('link', { name: 'Uploading: Who may replace bytes' });
    await entry.waitFor();
    expect(await page.getByRole('status').innerText()).toMatch(/^\d+ sections? ha(s|ve) “replace bytes”\.$/);
    await entry.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Who may replace bytes' }).waitFor();
    expect(page.url()).toBe(`${program.url}/_atoll/help/uploading.html#who-may-replace-bytes`);
  });

  it('lists its pages at the side of each, and marks the one that is shown', async () => {
    const { page, program } = run;
    await page.goto(`${program.url}/_atoll/help/faults.html`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Uploading' }).click();
    await page.getByRole('heading', { level: 1, name: 'Uploading' }).waitFor();
    expect(page.url()).toBe(`${program.url}/_atoll/help/uploading.html`);
    await contents.getByRole('link', { name: 'Uploading' }).waitFor();
    expect(await contents.locator('[aria-current=page]').allInnerTexts()).toEqual(['Uploading']);
  });

  it('says when it finds nothing, and shows the page again when the words are gone', async () => {
    const { page, program } = run;
    await page.goto(`${program.url}/_atoll/help/uploading.html`);
    await page.getByRole('searchbox', { name: 'Search' }).fill('xqzzv');
    await page.getByText('No sections have “xqzzv”.').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('heading', { level: 1, name: 'Uploading' }).waitFor();
  });
});
