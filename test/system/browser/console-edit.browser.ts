/** Creating, changing and deleting records in the console. Run by `npm run test:suite -- browser`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { contentOf, focused, group, idInAddress, newNode, recordAt, textFile, type Shown } from './console-records.ts';
import { actAs, checkLooks, museumSite, useConsole } from './console-support.ts';

/** What the page says it will send. */
const previewed = async (page: Page): Promise<string> =>
  (await page.getByRole('region', { name: 'The request', exact: true }).textContent()) ?? '';

const sentBody = async (page: Page): Promise<unknown> => JSON.parse((await previewed(page)).split('\n\n')[1] ?? '');

describe('on the default site', () => {
  const run = useConsole();
  beforeEach(async () => {
    await run.open('/');
    await actAs(run.page, 'admin');
  });

  it('a node is created: filled in from the address, a reference found by its title, the request shown before', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object&field_member_of=1');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Made in the console');
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    await model.fill('imag');
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /^Image islandora_models/ })
      .waitFor();
    await model.press('ArrowDown');
    await model.press('Enter');
    expect(await model.inputValue()).toBe('Image');
    expect(await previewed(page)).toMatch(
      /^POST \/node\?_format=json HTTP\/1.1\nHost: .*\nAuthorization: Basic .*\nContent-Type/,
    );
    const sent = await sentBody(page);
    expect(sent).toEqual({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Made in the console' }],
      field_member_of: [{ target_id: 1 }],
      field_model: [{ target_id: 24 }],
    });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const id = await idInAddress(page, 'node');
    expect(await recordAt(run, `/node/${id}`)).toMatchObject(sent as object);
  });

  it('refusals stand at their inputs in the words of the server, and the first has the focus', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object&field_model=24');
    const dates = group(page, 'Date Created');
    await dates.getByRole('button', { name: /^Add a value/ }).click();
    await page.keyboard.type('1999');
    await dates.getByRole('button', { name: /^Add another value/ }).click();
    await page.keyboard.type('in spring');
    await page.keyboard.press('Enter');
    await page.getByText('Refused with 422.').waitFor();
    await focused(page.getByRole('textbox', { name: 'Title', exact: true }));
    expect(await group(page, 'Title').innerText()).toContain('This value should not be null.');
    const [first, second] = await dates.getByRole('textbox').all();
    expect(await first?.getAttribute('aria-invalid')).toBeNull();
    expect(await second?.getAttribute('aria-invalid')).toBe('true');
    expect(await dates.innerText()).toContain("in spring is not valid EDTF: Could not parse the date 'in spring'.");
    await checkLooks(page, 'refusal');
    // What was written is still there, and a mended form is accepted.
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Of a spring');
    await second?.fill('2024-21');
    await page.keyboard.press('Enter');
    const record = await recordAt(run, `/node/${await idInAddress(page, 'node')}`);
    expect(record['field_edtf_date_created']).toEqual([{ value: '1999' }, { value: '2024-21' }]);
  });

  it('only what was changed is sent: values are added, moved and removed, and the page leads to the object', async () => {
    const body = {
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Before' }], field_model: [{ target_id: 24 }] },
      field_extent: [{ value: 'one' }, { value: 'two' }],
    };
    const id = await newNode(run, body);
    const page = await run.open(`/entities/node/${id}/edit`);
    await page.getByRole('heading', { level: 1, name: 'Edit: Before' }).waitFor();
    expect(await sentBody(page)).toEqual({ type: [{ target_id: 'islandora_object' }] });
    const extent = group(page, 'Extent');
    await extent.getByRole('button', { name: 'Move up value 2 of Extent' }).click();
    await extent.getByRole('button', { name: /^Add another value/ }).click();
    await page.keyboard.type('three');
    await extent.getByRole('button', { name: 'Remove value 2 of Extent' }).click();
    await focused(extent.getByRole('button', { name: /^Add another value/ }));
    const sent = { type: body.type, field_extent: [{ value: 'two' }, { value: 'three' }] };
    expect(await sentBody(page)).toEqual(sent);
    expect(await previewed(page)).toContain(`PATCH /node/${id}?_format=json`);
    await checkLooks(page, 'edit-node');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await idInAddress(page, 'node')).toBe(String(id));
    expect(await recordAt(run, `/node/${id}`)).toMatchObject({ title: body.title, field_extent: sent.field_extent });
  });

  it('a role is refused by the server, and another account sends the same form', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object&field_model=24&title=Of%20somebody');
    await actAs(page, 'plain');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Refused with 403.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toBe('Of somebody');
    await actAs(page, 'editor');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await idInAddress(page, 'node');
  });

  it('a field that the account may not set is refused at the field', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object&field_model=24&title=x');
    await actAs(page, 'editor');
    await page.getByText('More fields, which the server fills').click();
    await group(page, 'Sticky at top of lists').getByRole('combobox').selectOption('Yes');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText("Access denied on creating field 'sticky'.").waitFor();
    await focused(group(page, 'Sticky at top of lists').getByRole('combobox'));
  });

  it('asks before changes are lost, and stays or leaves as the user says', async () => {
    const page = await run.open('/entities/node/3/edit');
    await group(page, 'Title').getByRole('textbox').fill('Not to be lost');
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
    expect(page.url()).toContain('#/entities/node/3/edit');
    expect(await group(page, 'Title').getByRole('textbox').inputValue()).toBe('Not to be lost');
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/#\/traffic/);
  });

  it('a reference is searched with the keyboard alone', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object');
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    await model.focus();
    await page.keyboard.press('ArrowDown');
    const list = page.getByRole('listbox');
    await list.waitFor();
    const count = await list.getByRole('option').count();
    expect(count).toBeGreaterThan(3);
    const active = async (): Promise<string | null> =>
      page
        .locator(`[id="${(await model.getAttribute('aria-activedescendant')) ?? 'none'}"]`)
        .getAttribute('aria-selected');
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe('true');
    expect(await list.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
    await checkLooks(page, 'edit-search');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.type('zzz');
    await page.getByText('Nothing found.').waitFor();
    // An id that no term has is the server's to refuse.
    await model.fill('99999');
    await page.keyboard.press('Enter');
    await page.getByText('The referenced entity (taxonomy_term: 99999) does not exist.').waitFor();
  });

  it('an object is deleted after it was said what stays, and is put back with its id', async () => {
    const body = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Gone' }],
      field_model: [{ target_id: 24 }],
    };
    const id = await newNode(run, { ...body, field_extent: [{ value: '7 pages' }] });
    await newNode(run, { ...body, field_member_of: [{ target_id: id }] });
    const before = await recordAt(run, `/node/${id}`);
    const page = await run.open(`/entities/node/${id}/edit`);
    await page.getByRole('button', { name: 'Delete this object …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “Gone”?' });
    await dialog.getByText('Members of it now: 1.').waitFor();
    await checkLooks(page, 'edit-delete');
    await page.keyboard.press('Escape');
    expect(await recordAt(run, `/node/${id}`)).toMatchObject({ title: body.title });
    await page.getByRole('button', { name: 'Delete this object …' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Deleted: Gone' }).waitFor();
    await checkLooks(page, 'edit-deleted');
    await expect(recordAt(run, `/node/${id}`)).rejects.toThrow('404');
    await page.getByRole('button', { name: 'Put it back' }).click();
    await page.getByText('It is back, as it was.').waitFor();
    expect(await idInAddress(page, 'node')).toBe(String(id));
    expect(await recordAt(run, `/node/${id}`)).toEqual(before);
  });

  it('a term is created and changed, and a visitor is told why not', async () => {
    const page = await run.open('/create?type=taxonomy_term&bundle=subject&name=Harbours');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const id = await idInAddress(page, 'taxonomy_term');
    await actAs(page, 'visitor');
    await run.open(`/entities/taxonomy_term/${id}/edit`);
    await group(page, 'Name').getByRole('textbox').fill('Ports');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText(/Refused with 40[13]\./).waitFor();
    await actAs(page, 'admin');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.waitForURL(/taxonomy_term\/\d+$/);
    expect(await recordAt(run, `/taxonomy/term/${id}`)).toMatchObject({ name: [{ value: 'Ports' }] });
  });

  it('a record that the account may not read is refused, and opens for another account', async () => {
    const body = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Secret' }],
      field_model: [{ target_id: 24 }],
    };
    const id = await newNode(run, { ...body, status: [{ value: false }] });
    await actAs(run.page, 'visitor');
    const page = await run.open(`/entities/node/${id}/edit`);
    await page
      .getByRole('alert')
      .filter({ hasText: /40[13]/ })
      .waitFor();
    await checkLooks(page, 'edit-forbidden');
    await actAs(page, 'admin');
    await page.getByRole('heading', { name: 'Edit: Secret' }).waitFor();
  });

  it('in a world, the record is made in that world alone', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name": "w7"}' };
    await run.ask('/_atoll/worlds', init);
    await run.open('/', '/~w7');
    await actAs(run.page, 'admin');
    const page = await run.open('/create?type=node&bundle=islandora_object&field_model=24&title=In%20w7', '/~w7');
    expect(await previewed(page)).toContain('POST /~w7/node?_format=json');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const id = await idInAddress(page, 'node');
    expect(await recordAt(run, `/~w7/node/${id}`)).toMatchObject({ title: [{ value: 'In w7' }] });
    const inMain = await (await run.ask('/_atoll/entities?type=node&text=In%20w7')).json();
    expect(inMain).toMatchObject({ total: 0 });
  });

  it('a record that is not there, and one that cannot be changed, say so', async () => {
    const page = await run.open('/entities/node/99999/edit');
    await page.getByText('There is no node 99999 in this world.').waitFor();
    await checkLooks(page, 'edit-missing');
    await run.open('/entities/user/1/edit');
    await page.getByText('The site lets no client change a record of the type user.').waitFor();
    await run.open('/create');
    await page.getByText('Choose what to create.').waitFor();
    await checkLooks(page, 'create-choice');
  });
});

describe('on a site of its own', () => {
  const run = useConsole(museumSite);
  beforeEach(async () => {
    await run.open('/');
    await actAs(run.page, 'admin');
  });
  const add = async (page: Page, label: string): Promise<void> => {
    const button = group(page, label).getByRole('button', { name: /^Add a value/ });
    if ((await button.count()) > 0) await button.click();
  };

  it('a record with a field of every type is created, JSON among them', async () => {
    const page = await run.open('/create?type=node&bundle=note&title=All%20of%20them');
    const fill = async (label: string, values: Readonly<Record<string, string>>): Promise<void> => {
      for (const [name, value] of Object.entries(values)) {
        const input = group(page, label).getByLabel(name, { exact: true });
        if ((await input.and(page.locator('select')).count()) === 1) await input.selectOption(value);
        else await input.fill(value);
      }
    };
    await fill('A text', { 'A text 1 Text': '<b>bold</b>' });
    await fill('A text_with_summary', {
      'A text_with_summary 1 Text': 'long',
      'A text_with_summary 1 Summary': 'short',
    });
    await fill('A email', { 'A email 1': 'a@example.org' });
    await fill('A geolocation', { 'A geolocation 1 Latitude': '47.5', 'A geolocation 1 Longitude': '-8.25' });
    await fill('A comment', { 'A comment': 'Open' });
    await fill('A name', { 'A name 1 Given name': 'Ada', 'A name 1 Family name': 'Lovelace' });
    await fill('A float', { 'A float 1': '1.5' });
    await fill('A list_string', { 'A list_string 1': 'Ink' });
    await fill('A list_integer', { 'A list_integer 1': 'High' });
    await fill('A authority_link', {
      ...{ 'A authority_link 1 Authority': 'VIAF', 'A authority_link 1 Address': 'https://viaf.org/1' },
    });
    await fill('A datetime', { 'A datetime 1': '2020-02-03T04:05:06' });
    await fill('A decimal', { 'A decimal 1': '7.25' });
    await fill('A integer', { 'A integer 1': '9' });
    await fill('A other', { 'A other 1': '{"value": ' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('This is not JSON.').waitFor();
    await focused(group(page, 'A other').getByRole('textbox'));
    await fill('A other', { 'A other 1': '{"value": "kept", "weight": 3}' });
    await checkLooks(page, 'edit-every-type');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('A integer: the value may be no greater than 3.').waitFor();
    await fill('A integer', { 'A integer 1': '-2' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    expect(await recordAt(run, `/node/${await idInAddress(page, 'node')}`)).toMatchObject({
      field_the_text: [{ value: '<b>bold</b>', format: expect.any(String) }],
      field_the_text_with_summary: [{ value: 'long', summary: 'short' }],
      field_the_email: [{ value: 'a@example.org' }],
      field_the_geolocation: [{ lat: 47.5, lng: -8.25 }],
      field_the_comment: [{ status: 2 }],
      field_the_name: [{ given: 'Ada', family: 'Lovelace', middle: null }],
      field_the_float: [{ value: 1.5 }],
      field_the_list_string: [{ value: 'ink' }],
      field_the_list_integer: [{ value: 5 }],
      field_the_authority_link: [{ uri: 'https://viaf.org/1', source: 'viaf' }],
      field_the_datetime: [{ value: '2020-02-03T04:05:06+00:00' }],
      field_the_decimal: [{ value: '7.25' }],
      field_the_integer: [{ value: -2 }],
      field_the_other: [{ value: 'kept', weight: 3 }],
    });
  });

  it('a typed relation, a link and a file of a field are changed; the rest of the record stays as it was', async () => {
    const listed = await (await run.ask('/_atoll/entities?type=node&bundle=artwork')).json();
    const [{ id, title }] = (listed as { entities: [{ id: number; title: string }] }).entities; // the control document says so
    const before = await recordAt(run, `/node/${id}`);
    const page = await run.open(`/entities/node/${id}/edit`);
    expect(await group(page, 'Title').getByRole('textbox').inputValue()).toBe(title);
    const hands = before['field_hand']?.length ?? 0;
    await add(page, 'Hand');
    if (hands > 0)
      await group(page, 'Hand')
        .getByRole('button', { name: /^Add another value/ })
        .click();
    const name = `Hand ${hands + 1}`;
    await page.getByLabel(`${name} Relation`, { exact: true }).selectOption('relators:prt');
    await page.getByLabel(`${name} Refers to`, { exact: true }).click();
    await page.getByRole('listbox').getByRole('option').first().click();
    const maker = Number(/maker (\d+)|taxonomy_term (\d+)/.exec(await group(page, 'Hand').innerText())?.[2]);
    const papers = before['field_papers']?.length ?? 0;
    await group(page, 'Papers').getByRole('button', { name: /^Add/ }).click();
    const upload = group(page, 'Papers').getByLabel('Upload a file for Papers').last();
    await upload.setInputFiles(textFile('notes.exe', 10));
    await group(page, 'Papers').getByText('Only files with the following extensions are allowed: pdf txt.').waitFor();
    await upload.setInputFiles(textFile('notes.txt', 10));
    await page.getByText(/^notes\.txt is stored as file \d+\.$/).waitFor();
    await page.getByLabel(`Papers ${papers + 1} Description`, { exact: true }).fill('About it');
    expect(Object.keys((await sentBody(page)) as object)).toEqual(['type', 'field_hand', 'field_papers']);
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.waitForURL(new RegExp(`/entities/node/${id}$`));
    const after = await recordAt(run, `/node/${id}`);
    expect(after['field_hand']?.at(-1)).toMatchObject({ rel_type: 'relators:prt', target_id: expect.any(Number) });
    expect(maker).not.toBe(0);
    expect(after['field_papers']).toHaveLength(papers + 1);
    expect(after['field_papers']?.at(-1)).toMatchObject({ description: 'About it' });
    const kept = (record: Shown) => Object.entries(record).filter(([field]) => field.startsWith('field_'));
    const others = kept(after).filter(([field]) => !['field_hand', 'field_papers'].includes(field));
    expect(others).toEqual(kept(before).filter(([field]) => !['field_hand', 'field_papers'].includes(field)));
  });

  it('a media is created with a file of its own', async () => {
    const page = await run.open('/create?type=media&bundle=scan&name=A%20leaf');
    await group(page, 'Scan').getByLabel('Upload a file for Scan').setInputFiles(textFile('leaf.tif', 100));
    await page.getByText(/^leaf\.tif is stored as file \d+\.$/).waitFor();
    const of = group(page, 'Of').getByRole('combobox');
    await of.click();
    // A short title: an input scrolls a long one.
    await page.getByRole('listbox').getByRole('option').last().click();
    await checkLooks(page, 'edit-media-of-a-site');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const id = await idInAddress(page, 'media');
    expect(await contentOf(run, id, 'field_scan')).toHaveLength(100);
  });
});
