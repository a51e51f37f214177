/** The pages of collections in the console, in headless Chromium. Run by `npm run test:suite -- browser`. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { checkLooks, useConsole } from './console-support.ts';

const library = readFileSync(join(root, 'test/documents/support/library.yaml'), 'utf8');
const run = useConsole(async (folder) => {
  const file = join(folder, 'library.yaml');
  await writeFile(file, library);
  return ['--memory', '--document', file];
});
const json = { 'Content-Type': 'application/json' };
const books = async (): Promise<unknown> => (await run.ask('/books')).json();

beforeEach(async () => {
  await run.ask('/_atoll/reset', { method: 'POST' });
  await run.ask('/books');
});

describe('The collections', () => {
  it('are in the navigation, with their records and the paths that are none', async () => {
    const page = await run.open('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    const row = page.getByRole('row', { name: /^books\b/ }).first();
    expect(await row.innerText()).toMatch(/books\s+2\s+\/books\s+Library\s+all fit/);
    await page
      .getByRole('region', { name: 'Paths without a collection' })
      .getByText('/searches', { exact: true })
      .waitFor();
    await checkLooks(page, 'collections');
    await page.getByRole('link', { name: 'books', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'books' }).waitFor();
    expect(await page.getByRole('row', { name: /^1\b/ }).innerText()).toMatch(/1\s+Emma/);
    await checkLooks(page, 'collection');
  });

  it('are opened by a key, and lead to a record', async () => {
    const page = await run.open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor();
    await page.getByRole('link', { name: 'settings', exact: true }).click();
    await page.getByRole('link', { name: 'only', exact: true }).click();
    await page.getByText('"theme": "dark"').waitFor();
  });
});

describe('A record', () => {
  it('is changed as JSON; what is no JSON is refused at its field, and undone by a button', async () => {
    const page = await run.open('/collections/record?collection=books&id=1');
    await page.getByRole('button', { name: 'Edit' }).click();
    const value = page.getByLabel('Value as JSON');
    await value.waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await value.fill('{"id": 1, "title": ');
    await page.getByRole('button', { name: 'Store' }).click();
    await page.getByText(/^This is not JSON: /).waitFor();
    expect(await value.getAttribute('aria-invalid')).toBe('true');
    await checkLooks(page, 'collection-record-edit');
    await value.fill('{"id": 1, "title": "Persuasion"}');
    await page.getByRole('button', { name: 'Store' }).click();
    await page.getByText('"title": "Persuasion"').waitFor();
    expect(await books()).toContainEqual({ id: 1, title: 'Persuasion' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is as it was before.').waitFor();
    expect(await books()).toContainEqual({ id: 1, title: 'Emma' });
  });

  it('that does not fit the document says what does not, on its page, in its list and on the overview', async () => {
    const page = await run.open('/collections/add?collection=books');
    await page.getByLabel('Id').fill('a/b');
    await page.getByLabel('Value as JSON').fill('{"name": "Emma"}');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('It does not fit the document.').waitFor();
    await page.getByText("must have required property 'title'").waitFor();
    await checkLooks(page, 'collection-record');
    await page.getByRole('link', { name: 'All of books' }).click();
    await page.getByRole('button', { name: 'Not fitting the document' }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    const overview = await run.open('/');
    await overview.getByText('1 record of the collection books does not fit the document.').waitFor();
  });

  it('is not replaced by one that is added with its id', async () => {
    const page = await run.open('/collections/add?collection=books');
    await page.getByLabel('Id').fill('1');
    await page.getByLabel('Value as JSON').fill('{}');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('There is a record "1" already. Open it to change it.').waitFor();
    expect(await books()).toContainEqual({ id: 1, title: 'Emma' });
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
  });

  it('is deleted after a question, and put back at its place', async () => {
    const page = await run.open('/collections/record?collection=books&id=1');
    await page.getByRole('button', { name: 'Delete this record …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Deleted: books 1' }).waitFor();
    expect(await books()).toEqual([{ id: 2, title: 'Ulysses' }]);
    await page.getByRole('button', { name: 'Put it back' }).click();
    await page.getByRole('heading', { level: 1, name: 'books 1', exact: true }).waitFor();
    expect(await books()).toEqual([
      { id: 1, title: 'Emma' },
      { id: 2, title: 'Ulysses' },
    ]);
  });

  it('that has changed is among the differences by its collection and id, member by member, and is put back', async () => {
    await run.ask('/_atoll/snapshots/begin', { method: 'PUT' });
    const body = JSON.stringify({ id: 1, title: 'Changed' });
    await run.ask('/_atoll/collections/books/1', { method: 'PUT', headers: json, body });
    const page = await run.open('/worlds?tab=differences&from=begin');
    await page.getByRole('link', { name: 'books 1' }).waitFor();
    const row = page.getByRole('region', { name: 'Members of books 1' }).getByRole('row', { name: /^title/ });
    expect(await row.innerText()).toMatch(/title\s+Emma\s+Changed/);
    await checkLooks(page, 'collection-differences');
    await page.getByRole('button', { name: 'Put back books 1' }).click();
    await page.getByText('Nothing differs from').waitFor();
    expect(await books()).toContainEqual({ id: 1, title: 'Emma' });
  });
});
