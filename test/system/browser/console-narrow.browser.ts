/** The console on a telephone, in other scripts, and over a slow line; and the pictures of each site. Run by `npm run test:suite -- browser`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { actAs, axe, checkLooks, holdAnswers, useConsole } from './console-support.ts';

/** What an expression over `elements` says in the page of those that a selector finds. */
const inPage = <T>(page: Page, selector: string, expression: string): Promise<T> =>
  page.evaluate<T>(`((elements) => ${expression})([...document.querySelectorAll(${JSON.stringify(selector)})])`);

/** The directions of the elements that have this text and nothing else. */
const directionsOf = (page: Page, selector: string, text: string): Promise<string[]> =>
  inPage(
    page,
    selector,
    `elements.filter((each) => (each.value ?? each.textContent) === ${JSON.stringify(text)})
      .map((each) => getComputedStyle(each).direction)`,
  );

const json = { 'Content-Type': 'application/json' };

describe('On a telephone', () => {
  const run = useConsole();
  beforeEach(async () => {
    await run.page.setViewportSize({ width: 390, height: 844 });
    await run.open('/');
    await actAs(run.page, 'admin');
  });

  /** No table is wider than its place, and each value says what it is. */
  const expectCards = async (page: Page, label: string | RegExp, heads: readonly string[]): Promise<void> => {
    const place = page.getByRole('region', { name: label }).first();
    await place.waitFor();
    const tables = '.scroll:has(> .cards)';
    expect(await inPage(page, tables, 'elements.map((each) => each.scrollWidth <= each.clientWidth)')).not.toContain(
      false,
    );
    const before = "getComputedStyle(cell, '::before').content.replaceAll('\"', '')";
    expect(await inPage(page, '.cards tbody tr:last-child', `[...elements[0].cells].slice(-${heads.length}).map((cell) => ${before})`)).toEqual(heads); // prettier-ignore
    expect(await axe(page)).toEqual([]);
  };

  it('the accounts, the objects, the faults and the differences are cards', async () => {
    await expectCards(run.page, 'Table of accounts', ['Roles', 'Password', 'Sign in with']);
    const list = await run.open('/repository?view=table');
    await expectCards(list, 'The list', ['Model', 'Bundle', 'State', 'Changed']);
    await checkLooks(list, 'narrow-table');
    await run.page.setViewportSize({ width: 390, height: 844 });
    const body = JSON.stringify({ fault: 'status', parameters: { status: 503 }, operations: ['getFile'] });
    await run.ask('/_atoll/faults', { method: 'POST', headers: json, body });
    await expectCards(await run.open('/faults'), 'Table of active faults', ['Strikes', 'So far', 'Command']);
    await run.ask('/_atoll/faults', { method: 'DELETE' });
    const authorized = { ...json, Authorization: `Basic ${btoa('admin:islandora')}` };
    const change = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Changed' }] };
    await run.ask('/node/22?_format=json', { method: 'PATCH', headers: authorized, body: JSON.stringify(change) });
    const worlds = await run.open('/worlds');
    await worlds.getByRole('tab', { name: 'Differences' }).click();
    await expectCards(worlds, /^Fields of node 22/, ['Before', 'Now', 'Undo']);
    await run.ask('/_atoll/reset', { method: 'POST' });
  });

  it.each([
    ['/entities/node/10', 'Repository'],
    ['/entities/node/10/edit', 'Repository'],
    ['/create', 'Repository'],
    ['/traffic', 'Traffic'],
  ])('%s marks %s in the navigation', async (address, label) => {
    const page = await run.open(address);
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]');
    await current.waitFor();
    expect(await current.allInnerTexts()).toEqual([label]);
  });
});

describe('The content', () => {
  const run = useConsole();
  beforeEach(async () => {
    await run.open('/');
    await actAs(run.page, 'admin');
  });

  it('has the direction of its own script wherever it stands', async () => {
    const title = 'منارة رأس الأطيش';
    const list = await run.open('/repository?view=table&text=%D9%85%D9%86%D8%A7%D8%B1%D8%A9');
    await list.getByRole('link', { name: title }).waitFor();
    expect(await directionsOf(list, 'main a', title)).toEqual(['rtl']);
    const page = await run.open('/entities/node/10');
    await page.locator('.object-fields .stored-text', { hasText: title }).waitFor();
    expect(await directionsOf(page, 'h1', title)).toEqual(['rtl']);
    expect(await directionsOf(page, '.stored-text', title)).toEqual(['rtl']);
    await run.open('/entities/node/10/edit');
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
    expect(await directionsOf(page, 'main input', title)).toEqual(['rtl']);
    expect(await directionsOf(page, 'h1', `Edit: ${title}`)).toEqual(['ltr']);
  });

  it('has its labels from the beginning, also when the model of the site comes late', async () => {
    const release = await holdAnswers(run.context, '**/_atoll/model');
    const page = await run.open('/entities/node/5');
    await page.getByText('Loading the fields of the site').waitFor();
    expect(await page.locator('.object-fields dt').count()).toBe(0);
    release();
    await page.locator('.object-fields dt', { hasText: 'Alternative Title' }).waitFor();
  });

  it('of a form has room between each label and its box, and a rule as high as both', async () => {
    const page = await run.open('/entities/node/5/edit');
    const fields = page.locator('fieldset.form-field');
    await fields.first().waitFor();
    const gaps = await inPage<boolean[][]>(
      page,
      'fieldset.form-field',
      `elements.slice(0, 12).map((field) => {
        const [label, next] = [field.querySelector('legend'), field.querySelector('legend + *')];
        const [box, below] = [label.getBoundingClientRect(), next.getBoundingClientRect()];
        return [below.top - box.bottom >= 4, Math.abs(box.top - field.getBoundingClientRect().top) < 1];
      })`,
    );
    expect(gaps).toEqual(gaps.map(() => [true, true]));
    expect(gaps.length).toBeGreaterThan(5);
  });
});

describe('The starter site', () => {
  const run = useConsole(() => Promise.resolve(['--memory', '--site', 'starter-site']));

  it('opens its repository with the pictures of the archive', async () => {
    await run.open('/');
    await actAs(run.page, 'admin');
    const page = await run.open('/repository');
    await page.getByRole('link', { name: /^Fishing fleet at anchor/ }).waitFor();
    const widths = (): Promise<number[]> =>
      inPage(page, '.object-picture img', 'elements.map(({ naturalWidth }) => naturalWidth).filter(Boolean)');
    await until(async () => (await widths()).length >= 10, '10 pictures');
    expect((await widths()).filter((width) => width < 80)).toEqual([]);
    await checkLooks(page, 'starter-site-grid');
  });

  it('shows what it does by itself after an upload: its messages, and its own requests', async () => {
    const picture = await run.ask('/sites/default/files/2020-11/5-Service%20File.jpg');
    await run.ask('/node/5/media/image/3', {
      ...{ method: 'PUT', body: await picture.arrayBuffer() },
      headers: {
        ...{
          Authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}`,
          'Content-Type': 'image/jpeg',
        },
        'Content-Location': 'public://2026-11/again.jpg',
      },
    });
    await run.ask('/_atoll/reactions?settled=true');
    const page = await run.open('/traffic');
    await page.getByText('by the site', { exact: true }).first().waitFor();
    await page.getByText(/^Messages of the site/).click();
    await page.getByText('Generate Derivative').first().waitFor();
    await checkLooks(page, 'messages-of-the-site');
  });
});
