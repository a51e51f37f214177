/** What opens over a page of the console: menus, lists, dialogs, questions. Each is accessible. Run by `npm run test:suite -- browser`. */
import { beforeEach, describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { group } from './console-records.ts';
import { accountButton, actAs, checkLooks, useConsole } from './console-support.ts';

type Opening = readonly [what: string, address: string, open: (page: Page) => Promise<void>];

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();
const dialog = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('dialog', { name }).waitFor();
const accounts = async (page: Page): Promise<void> => {
  await press(page, accountButton);
  await page.getByRole('menuitem', { name: 'Sign in as editor', exact: true }).waitFor();
};
const signIn = async (page: Page): Promise<void> => {
  await accounts(page);
  await page.getByRole('menuitem', { name: /^Another account/ }).click();
  await dialog(page, 'Sign in');
};

const openings: readonly Opening[] = [
  ['the menu of accounts', '/', accounts],
  [
    'the dialog to sign in, with a refusal',
    '/repository',
    async (page) => {
      await signIn(page);
      await page.getByLabel('Name').fill('viewer');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByLabel('once, for a session cookie').check();
      await press(page, 'Sign in');
      await page.getByText('Sorry, unrecognized username or password.').waitFor();
    },
  ],
  [
    'the list of keys',
    '/faults',
    async (page) => {
      await page.keyboard.press('?');
      await dialog(page, 'Keys');
    },
  ],
  [
    'the choice of a collection',
    '/repository',
    async (page) => {
      await page.getByRole('group', { name: 'Member of' }).getByRole('button', { name: 'Any' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Quellan Glass Plates/ })
        .waitFor();
    },
  ],
  [
    'the list of a reference',
    '/create?type=node&bundle=islandora_object',
    async (page) => {
      await page.getByRole('combobox', { name: 'Model', exact: true }).click();
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('[role=option][aria-selected=true]').waitFor();
    },
  ],
  [
    'the question before a form is left',
    '/entities/node/3/edit',
    async (page) => {
      await group(page, 'Title').getByRole('textbox').fill('Not to be lost');
      await page.getByRole('link', { name: 'Traffic', exact: true }).click();
      await dialog(page, 'Leave without saving?');
    },
  ],
  [
    'the question before a reset',
    '/worlds',
    async (page) => {
      await press(page, 'Reset');
      await dialog(page, /main/);
    },
  ],
  [
    'the lifetime of a world',
    '/worlds',
    async (page) => {
      await press(page, 'Lifetime');
      await page.getByLabel('Expires after (minutes)').last().waitFor();
    },
  ],
  [
    'the question before the traffic is forgotten',
    '/traffic',
    async (page) => {
      await press(page, 'Clear');
      await page.getByRole('button', { name: 'Forget it' }).waitFor();
    },
  ],
  [
    'the place for a file that is dragged over an object',
    '/entities/node/3',
    async (page) => {
      await press(page, 'Add media');
      await page.getByRole('form', { name: 'Add media' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'a.txt'));
        document.querySelector('main').dispatchEvent(
          new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }));
      })()`);
      await page.locator('.drop-here').waitFor();
    },
  ],
];

describe('What opens over a page', () => {
  const run = useConsole();
  beforeEach(async () => {
    // The first test makes it, and the others are refused.
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"other"}' };
    await fetch(`${run.program.url}/_atoll/worlds`, init);
    await run.open('/');
    await actAs(run.page, 'admin');
  });

  it.each(openings)('is accessible: %s', async (what, address, open) => {
    const page = await run.open(address);
    await open(page);
    await checkLooks(page, `open-${what.replaceAll(/[^a-z]+/g, '-')}`);
  });
});
