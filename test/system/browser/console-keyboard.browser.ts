/** What a newcomer does in the console, with the keyboard alone, and which pictures its grid asks for. Run by `npm run test:suite -- browser`. */
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { group, hasFocus, idInAddress, recordAt, textFile } from './console-records.ts';
import { accountButton, guessOfUse, useConsole } from './console-support.ts';

/** More tabs than any page has until a thing is reached. */
const mostTabs = 150;

/** Goes to an element as the keyboard does. */
const reach = async (page: Page, element: Locator): Promise<void> => {
  await element.waitFor();
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    if (await hasFocus(element)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(element)} is not reached by ${mostTabs} tabs.`);
};

const press = async (page: Page, element: Locator): Promise<void> => {
  await reach(page, element);
  await page.keyboard.press('Enter');
};

const type = async (page: Page, element: Locator, text: string): Promise<void> => {
  await reach(page, element);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
};

/** Goes on inside a menu or a list of tabs with an arrow key. The focus moves in a timer, so another key before it would go a step too far. */
const reachByArrow = async (element: Locator, key: 'ArrowDown' | 'ArrowRight'): Promise<void> => {
  const page = element.page();
  await element.waitFor();
  await page.locator('[role="menuitem"]:focus, [role="tab"]:focus').waitFor();
  for (let moves = 0; moves < 20; moves += 1) {
    if (await hasFocus(element)) return;
    const before = await page.evaluateHandle('document.activeElement');
    await page.keyboard.press(key);
    await page.waitForFunction('(before) => document.activeElement !== before', before);
  }
  throw new Error(`${String(element)} is not reached by 20 moves.`);
};

describe('With the keyboard alone', () => {
  const run = useConsole();

  const button = (name: string | RegExp): Locator => run.page.getByRole('button', { name, exact: true });
  const signIn = async (account: string): Promise<void> => {
    await press(run.page, run.page.getByRole('button', { name: accountButton }));
    await reachByArrow(run.page.getByRole('menuitem', { name: `Sign in as ${account}`, exact: true }), 'ArrowDown');
    await run.page.keyboard.press('Enter');
    await run.page.getByRole('button', { name: new RegExp(`^Signed in as ${account}\\b`) }).waitFor();
  };

  it('one signs in, finds an object, sees its picture and its links', async () => {
    const page = await run.open('/');
    await signIn('editor');
    await page.keyboard.press('/');
    await page.locator('[data-search-field]:focus').waitFor();
    await page.keyboard.type('FETE DU');
    await page.getByText('1 found').waitFor();
    await press(page, page.getByRole('link', { name: /^Fête du port/ }).last());
    const node = await idInAddress(page, 'node');
    await page.locator('main img').first().waitFor();
    await reach(page, page.getByRole('tab').first());
    await reachByArrow(page.getByRole('tab', { name: /^Links/ }), 'ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.link-list li').first().waitFor();
    expect(Number(node)).toBeGreaterThan(0);
  });

  it('one changes a title, takes it back, is refused, and deletes a record and puts it back', async () => {
    const page = await run.open('/');
    await signIn('admin');
    await run.open('/entities/node/8/edit');
    const title = group(page, 'Title').getByRole('textbox');
    const before = (await recordAt(run, '/node/8'))['title'];
    await type(page, title, 'By keyboard');
    await press(page, button('Save the changes'));
    await page.getByText('Saved.').waitFor();
    await press(page, button('Undo'));
    await page.getByText('It is as it was before.').waitFor();
    expect((await recordAt(run, '/node/8'))['title']).toEqual(before);

    await run.open('/create?type=node&bundle=islandora_object');
    await type(page, group(page, 'Title').getByRole('textbox'), 'Without a model');
    await press(page, button('Create'));
    await page.getByText('Refused with 422.').waitFor();
    await page.locator('[aria-invalid="true"]:focus').waitFor();

    await run.open('/entities/node/8/edit');
    const whole = await recordAt(run, '/node/8');
    await press(page, button('Delete this object …'));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
    await page.getByRole('heading', { name: /^Deleted/ }).waitFor();
    await press(page, button('Put it back'));
    await page.getByText('It is back, as it was.').waitFor();
    expect(await recordAt(run, '/node/8')).toEqual(whole);
  });

  it('one uploads a file', async () => {
    const page = await run.open('/');
    await signIn('admin');
    await run.open('/entities/node/3');
    // The browser hands its choosers over from now on, which must be so when the key is pressed.
    const choosing = page.waitForEvent('filechooser');
    await press(page, button('Add media'));
    const form = page.getByRole('form', { name: 'Add media' });
    await reach(page, form.getByLabel('File', { exact: true }));
    await page.keyboard.press('Space');
    await (await choosing).setFiles(textFile('notes.txt', 100));
    await guessOfUse(form);
    await press(page, form.getByRole('button', { name: 'Upload the file' }));
    await page.getByText(/^notes\.txt was added, as media \d+\./).waitFor();
  });

  it('one sees what a client sent wrong, makes a world, and resets it', async () => {
    const editor = { Authorization: `Basic ${btoa('editor:editor')}` };
    const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: 'Harbour' });
    const wrong = { method: 'POST', headers: { ...editor, 'Content-Type': 'application/json' }, body };
    await run.ask('/_atoll/traffic', { method: 'DELETE' });
    await fetch(`${run.program.url}/node?_format=json`, wrong);
    const page = await run.open('/traffic');
    await press(page, page.locator('a[data-entry]').first());
    await page.getByText('The request breaks the document').first().waitFor();

    await run.open('/worlds');
    await type(page, page.getByLabel('Name'), 'by-keyboard');
    await press(page, button('Make it'));
    await page.getByText('The world "by-keyboard" is there').waitFor();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^by-keyboard\b/ }) });
    await press(page, card.getByRole('button', { name: 'Reset' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Reset' }));
    await page.locator('.toast').getByText('by-keyboard is as it was made.').waitFor();
  });
});

/** What came over the line for the views, without pictures. Each is awaited until nothing more is asked for. */
const bytesOf = async (page: Page, views: readonly (() => Promise<void>)[]): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const pictures = new Set<string>();
  const open = new Set<string>();
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId }) => open.add(requestId));
  session.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.startsWith('image/')) pictures.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    open.delete(requestId);
    if (!pictures.has(requestId)) bytes += encodedDataLength;
  });
  const isQuiet = async (): Promise<boolean> => {
    if (open.size === 0) await page.waitForTimeout(300);
    return open.size === 0;
  };
  for (const view of views) {
    await view();
    await until(isQuiet, 'all that the page asks for');
  }
  await session.detach();
  return bytes;
};

describe.each(['default', 'starter-site'])('On the site %s', (site) => {
  const run = useConsole(() => Promise.resolve(['--memory', ...(site === 'default' ? [] : ['--site', site])]));

  it('the first views cost less than 280 KiB together, without pictures', async () => {
    const { page, program } = run;
    // Another fragment alone keeps what was loaded, as a link does.
    const see = (address: string, last: string) => async (): Promise<void> => {
      await page.goto(`${program.url}/_atoll/#${address}`);
      await page.locator(last).first().waitFor();
    };
    const bytes = await bytesOf(page, [
      see('/', '.picture-strip img'),
      see('/repository', '.object-card img'),
      see('/entities/node/5', '.object-fields dt'),
    ]);
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThan(280 * 1024);
  });

  it('the grid asks for no pictures but thumbnails', async () => {
    const pictures: string[] = [];
    run.page.on('request', (request) => {
      const url = decodeURIComponent(request.url());
      if (/\/(?:sites|_flysystem)\//.test(url)) pictures.push(url);
    });
    await run.open('/repository');
    await run.page.locator('main img').nth(3).waitFor();
    await run.page.waitForLoadState('networkidle');
    expect(pictures.length).toBeGreaterThan(3);
    expect(pictures.filter((url) => !url.includes('Thumbnail Image'))).toEqual([]);
  });
});
