/** The console of a server that serves a document alone, in headless Chromium. Run by `npm run test:suite -- browser`. */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { checkLooks, useConsole } from './console-support.ts';

const document = join(root, 'test/system/team-document/document.yaml');
const run = useConsole(() => Promise.resolve(['--memory', '--document', document]));

it('shows the document, and nothing of a repository', async () => {
  const page = await run.open('/');
  await page.getByRole('heading', { level: 1, name: 'Front-end team' }).waitFor();
  await page.getByRole('region', { name: 'Documents' }).getByText('Front-end team').waitFor();
  const text = await page.locator('body').innerText();
  expect(text).not.toMatch(/Islandora|Repository|objects|Sign in|Not signed in/);
  const first = await page.getByRole('link', { name: `${run.program.url}/bookmarks` }).getAttribute('href');
  expect((await fetch(String(first))).status).toBe(200);
  await checkLooks(page, 'documents');
});

it('shows what was asked of it, and what was never met', async () => {
  await run.ask('/bookmarks');
  const page = await run.open('/traffic');
  await page.getByText('/bookmarks').first().waitFor();
  await page.goto(`${run.program.url}/_atoll/#/coverage`);
  await page.getByText('listBookmarks').or(page.getByText('/bookmarks')).first().waitFor();
});
