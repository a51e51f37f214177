/** The page "Repository" of the console, as people use it. Run by `npm run test:suite -- browser`. */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkLooks, museumSite, pictureWidth, useConsole } from './console-support.ts';

const titles = (page: Page): Promise<readonly string[]> =>
  page.locator('.objects tbody a, .object-title').allTextContents();
const total = (page: Page, count: string): Promise<void> =>
  page.getByRole('status').getByText(`${count} found`).waitFor();
const addressOf = (page: Page): URLSearchParams => new URLSearchParams(page.url().split('?').at(1));

describe('The page "Repository" on the starter content', () => {
  const run = useConsole();

  it('lists the objects in a table with their pictures, unpublished ones too', async () => {
    const page = await run.open('/repository');
    await page.getByRole('button', { name: 'Table' }).click();
    expect(addressOf(page).get('view')).toBe('table');
    await total(page, '30');
    const row = page.locator('.objects tr', { hasText: 'Unidentified sitter' });
    expect(await row.locator('.badge').textContent()).toBe('unpublished');
    await page.locator('img.small-picture').first().waitFor();
    await checkLooks(page, 'repository-table');
  });

  it('opens with the pictures', async () => {
    const page = await run.open('/repository');
    await total(page, '30');
    const picture = page.locator('.object-card', { hasText: 'Fishing fleet' }).locator('img');
    await picture.waitFor();
    expect(await pictureWidth(page, '.object-card img')).toBeGreaterThan(50);
    // A collection shows a picture of a member; that of all has only collections as members.
    for (const title of ['Quellan Glass Plates', 'Saltmarsh Quay Local History Archive']) {
      await page.locator('.object-card', { hasText: title }).locator('img').waitFor();
    }
    await checkLooks(page, 'repository', page.locator('.listed-head'));
  });

  it('answers which objects are in a collection; the address keeps it', async () => {
    const page = await run.open('/repository');
    await page.getByRole('group', { name: 'Member of' }).getByRole('button', { name: 'Any' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text in the title').fill('glass');
    await dialog.getByRole('button', { name: /^Quellan Glass Plates/ }).click();
    await page.getByRole('button', { name: 'Quellan Glass Plates' }).waitFor();
    const asked = await run.ask('/_atoll/entities?type=node&collection=2');
    const { entities } = (await asked.json()) as { entities: { title: string }[] };
    await total(page, String(entities.length));
    expect(await titles(page)).toEqual(entities.map(({ title }) => title));
    await page.reload();
    await total(page, String(entities.length));
    await page.goBack();
    await total(page, '30');
  });

  it('filters by model, and by what is published', async () => {
    const page = await run.open('/repository');
    await page.getByLabel('Model').selectOption('Audio');
    await total(page, '3');
    await page.getByLabel('Model').selectOption('Any');
    await page.getByLabel('Published').selectOption('No');
    await total(page, '4');
    expect(await titles(page)).toEqual([
      'Unidentified sitter with a dog',
      'Survey of the estuary: raw soundings',
      'Gifts of 2023, not yet catalogued',
      'Deed of gift (restricted)',
    ]);
  });

  it('finds a title without its accents, after the key "/"', async () => {
    const page = await run.open('/');
    await page.keyboard.press('/');
    await page.locator('[data-search-field]:focus').waitFor();
    await page.keyboard.type('FETE DU');
    await total(page, '1');
    expect(await titles(page)).toEqual(['Fête du port, été 1904']);
    expect(addressOf(page).get('text')).toBe('FETE DU');
    await page.getByLabel('Text in the title').fill('no such title');
    await page.getByText('Nothing passes these filters.').waitFor();
    await checkLooks(page, 'repository-nothing');
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await total(page, '30');
    expect(await page.getByLabel('Text in the title').inputValue()).toBe('');
  });

  it('sorts by the heads of columns', async () => {
    const page = await run.open('/repository?view=table');
    await page.getByRole('button', { name: 'Title' }).click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByRole('button', { name: 'Title' }).click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await page.locator('[aria-busy=false]').waitFor();
    const asked = await run.ask('/_atoll/entities?type=node&order=-title');
    const { entities } = (await asked.json()) as { entities: { title: string }[] };
    expect(await titles(page)).toEqual(entities.map(({ title }) => title));
  });

  it.each([
    ['Media', 'media'],
    ['Files', 'file'],
    ['Terms', 'taxonomy_term'],
    ['Users', 'user'],
  ])('lists %s', async (label, type) => {
    const page = await run.open('/repository');
    await page.getByRole('button', { name: label, exact: true }).click();
    const asked = await run.ask(`/_atoll/entities?type=${type}`);
    const { total: count, entities } = (await asked.json()) as { total: number; entities: { title: string }[] };
    await total(page, String(count));
    expect(await titles(page)).toEqual(entities.map(({ title }) => title));
    if (type === 'media') await checkLooks(page, 'repository-media');
  });

  it('says that there are no redirects', async () => {
    const page = await run.open('/repository?type=redirect');
    await page.getByText('There are none.').waitFor();
  });

  it('shows a refusal in the server’s words, and what to do', async () => {
    const page = await run.open('/repository?cursor=abc&order=title');
    await page.getByRole('alert').getByText('/query/cursor: is not the next of a page in this order').waitFor();
    await checkLooks(page, 'repository-refused');
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await total(page, '30');
  });

  it('leads to an object by the keyboard, and to the page that creates one', async () => {
    const page = await run.open('/repository?type=taxonomy_term&bundle=person');
    const create = page.getByRole('link', { name: 'Create', exact: true });
    expect(await create.getAttribute('href')).toBe('/_atoll/#/create?type=taxonomy_term&bundle=person');
    await page.getByRole('link', { name: 'Quellan, Maren, 1871-1948' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Quellan, Maren, 1871-1948' }).waitFor();
  });
});

describe('The page "Repository" on a site of one’s own with ten thousand objects', () => {
  const run = useConsole(async (folder) => [...(await museumSite(folder)).slice(0, -1), 'sample:10000']);

  it('goes from page to page by cursor, and back', async () => {
    const page = await run.open('/repository');
    await page.getByText(/^Page 1 of/).waitFor({ timeout: 30_000 }); // the program has just started
    const first = await titles(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^Page 2 of/).waitFor();
    expect(addressOf(page).get('cursor')).toMatch(/^[\w-]+$/);
    const second = await titles(page);
    expect(first.filter((title) => second.includes(title)).length).toBeLessThan(first.length);
    await page.reload();
    await page.getByText(/^Page 2 of/).waitFor();
    expect(await titles(page)).toEqual(second);
    await page.goBack();
    await page.getByText(/^Page 1 of/).waitFor();
    expect(await titles(page)).toEqual(first);
    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByRole('button', { name: 'Previous' }).click();
    const [, at, pages] = /^Page ([\d,]+) of ([\d,]+)$/.exec(await page.getByText(/^Page /).innerText()) ?? [];
    expect([at, pages]).not.toContain(undefined);
    await checkLooks(page, 'repository-museum');
  });

  it('offers the bundles of the site, and leaves out filters that it has no fields for', async () => {
    const page = await run.open('/repository');
    await page.getByLabel('Bundle').selectOption({ label: 'The exhibit (exhibit)' });
    const asked = await run.ask('/_atoll/entities?type=node&bundle=exhibit');
    const { total: count } = (await asked.json()) as { total: number };
    await total(page, count.toLocaleString('en'));
    expect(await page.getByLabel('Model').count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Part of' }).count()).toBe(1);
  });
});
