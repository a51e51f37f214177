/** Adding media in the console, taking back what was done, and what an account may not do. Run by `npm run test:suite -- browser`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { contentOf, focused, group, idInAddress, newNode, recordAt, textFile } from './console-records.ts';
import { actAs, checkLooks, guessOfUse, useConsole } from './console-support.ts';

/** A message stays while the focus is in it. */
const checkLooksWithUndo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Undo' }).focus();
  await checkLooks(page, name);
};

describe('On the page of an object', () => {
  const run = useConsole();
  beforeEach(async () => {
    await run.open('/');
    await actAs(run.page, 'admin');
  });

  const totalOf = async (type: string): Promise<unknown> =>
    ((await (await run.ask(`/_atoll/entities?type=${type}&limit=1`)).json()) as { total: unknown }).total; // the control document says so

  const addMedia = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'Add media' }).click();
    return page.getByRole('form', { name: 'Add media' });
  };

  it('a file is added with progress, cancelled, replaced, and its media deleted', async () => {
    const page = await run.open('/entities/node/3');
    const form = await addMedia(page);
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await form.getByText('Choose a file.').waitFor();
    await form.getByText('Choose the use of the media.').waitFor();
    await form.getByLabel('File', { exact: true }).setInputFiles(textFile('letter.txt', 3_000_000));
    await (await guessOfUse(form)).fill('Preservation');
    expect(await form.getByLabel('Media type').inputValue()).toBe('file');
    await form.getByRole('option', { name: /^Preservation Master File/ }).click();
    expect(await form.getByRole('region', { name: 'The upload', exact: true }).textContent()).toContain(
      'PUT /node/3/media/file/17',
    );
    const network = await page.context().newCDPSession(page);
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slowly);
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await form.getByText(/^[1-9][\d.]* KB of 2\.9 MB sent \(\d+ %\)/).waitFor();
    await checkLooks(page, 'edit-upload');
    await form.getByRole('button', { name: 'Cancel the upload' }).click();
    await page.getByText('Cancelled. Nothing was stored.').waitFor();
    await network.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await page.getByText(/^letter\.txt was added, as media \d+\./).waitFor();
    await page.getByRole('link', { name: 'The page of this media' }).press('Enter');
    const media = await idInAddress(page, 'media');
    expect(await contentOf(run, media)).toHaveLength(3_000_000);

    await run.open(`/entities/media/${media}/edit`);
    const replacing = page.getByRole('form', { name: 'Replace the file' });
    await replacing.getByLabel('New file').setInputFiles(textFile('other.txt', 20));
    await replacing.getByRole('button', { name: 'Replace the file' }).click();
    await page.getByText('The file was replaced.').waitFor();
    expect(await contentOf(run, media)).toHaveLength(20);
    const size = page.getByLabel('File size', { exact: true });
    await until(async () => (await size.inputValue()) === '20', 'the size of the new file');
    await checkLooksWithUndo(page, 'edit-media');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The media has its old file again.').waitFor();
    expect(await contentOf(run, media)).toHaveLength(3_000_000);

    await page.getByRole('button', { name: 'Delete this media …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The media goes. Its file and the bytes stay.').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: /^Deleted: / }).waitFor();
    await expect(recordAt(run, `/media/${media}`)).rejects.toThrow('404');
  });

  it('the refusal of an upload stands at the file, in the words of the server, and no file stays', async () => {
    const files = await totalOf('file');
    const page = await run.open('/entities/node/3');
    const form = await addMedia(page);
    await form.getByLabel('File', { exact: true }).setInputFiles(textFile('virus.exe', 10));
    await form.getByLabel('Media type').selectOption('image');
    await (await guessOfUse(form)).fill('15');
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await form.getByText('Invalid file extension.').waitFor();
    await focused(form.getByLabel('File', { exact: true }));
    expect(await totalOf('file')).toBe(files);
  });

  it('a file that is dropped on the page of an object is guessed for, uploaded, and taken back', async () => {
    const [media, files] = [await totalOf('media'), await totalOf('file')];
    const page = await run.open('/entities/node/22');
    await page.getByRole('button', { name: 'Add media' }).waitFor();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['GIF89a'], 'postcard.png', { type: 'image/png' }));
      for (const type of ['dragover', 'drop'])
        document.querySelector('main').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    const form = page.getByRole('form', { name: 'Add media' });
    await guessOfUse(form);
    expect(await form.getByLabel('Media type').inputValue()).toBe('image');
    expect(await form.getByLabel('Where the file is put').inputValue()).toMatch(
      /^public:\/\/\d{4}-\d\d\/postcard\.png$/,
    );
    await checkLooks(page, 'upload');
    await form.getByRole('button', { name: 'Upload the file' }).click();
    await page.getByText(/^postcard\.png was added, as media \d+\./).waitFor();
    await page.getByRole('heading', { name: 'postcard.png' }).waitFor();
    await checkLooksWithUndo(page, 'added-media');
    expect([await totalOf('media'), await totalOf('file')]).toEqual([Number(media) + 1, Number(files) + 1]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The media and its file are deleted.').waitFor();
    expect([await totalOf('media'), await totalOf('file')]).toEqual([media, files]);
  });

  it('a file that was stored for a form goes with the form, and gives a media its name', async () => {
    const files = await totalOf('file');
    const page = await run.open('/create?type=media&bundle=file&field_media_of=3');
    await page.getByLabel('Upload a file for File').setInputFiles(textFile('left behind.txt', 10));
    await page.getByText(/^left behind\.txt is stored as file/).waitFor();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await until(async () => (await name.inputValue()) === 'left behind.txt', 'the name');
    expect(await totalOf('file')).toBe(Number(files) + 1);
    await page.getByRole('link', { name: 'Traffic', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/#\/traffic/);
    await until(async () => (await totalOf('file')) === files, 'the file to be gone');
  });

  it('what was saved, created or deleted is undone from the message about it', async () => {
    const title = (text: string) => [{ value: text }];
    const body = { type: [{ target_id: 'islandora_object' }], field_model: [{ target_id: 24 }] };
    const id = await newNode(run, { ...body, title: title('First'), field_extent: [{ value: 'one' }] });
    const page = await run.open(`/entities/node/${id}/edit`);
    await group(page, 'Title').getByRole('textbox').fill('Second');
    await group(page, 'Extent').getByRole('button', { name: 'Remove value 1 of Extent' }).click();
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await recordAt(run, `/node/${id}`))['title']).toEqual(title('Second'));
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
    await checkLooksWithUndo(page, 'undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await focused(page.getByRole('heading', { level: 1 }));
    await page.getByText('It is as it was before.').waitFor();
    expect(await recordAt(run, `/node/${id}`)).toMatchObject({
      title: title('First'),
      field_extent: [{ value: 'one' }],
    });

    await run.open('/create?type=node&bundle=islandora_object&field_model=24&title=Too%20early');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const made = await idInAddress(page, 'node');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The new record is deleted.').waitFor();
    await expect(recordAt(run, `/node/${made}`)).rejects.toThrow('404');

    const before = await recordAt(run, `/node/${id}`);
    await run.open(`/entities/node/${id}/edit`);
    await page.getByRole('button', { name: 'Delete this object …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is back, as it was.').waitFor();
    expect(await idInAddress(page, 'node')).toBe(String(id));
    expect(await recordAt(run, `/node/${id}`)).toEqual(before);
  });

  it('an undo that the server refuses says so', async () => {
    const page = await run.open('/create?type=node&bundle=islandora_object&field_model=24&title=It%20stays');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const made = await idInAddress(page, 'node');
    await run.ask('/_atoll/faults', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fault: 'status', parameters: { status: 409 }, operations: ['deleteNode'] }),
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Not undone: /).waitFor();
    await run.ask('/_atoll/faults', { method: 'DELETE' });
    expect(await recordAt(run, `/node/${made}`)).toMatchObject({ title: [{ value: 'It stays' }] });
  });

  it.each([
    [
      '/entities/node/3/edit',
      /403 The 'edit any islandora_object content' permission is required\. Help on 403$/,
      'a change of this object',
    ],
    ['/create?type=node&bundle=islandora_object', /^403 /, 'a new record: Repository Item'],
  ])('%s says before the form that the account may not, and who may', async (address, words, what) => {
    const page = await run.open(address);
    await page.getByRole('form', { name: /^Fields of/ }).waitFor();
    const note = page.getByRole('alert').filter({ hasText: what });
    expect(await note.count()).toBe(0);
    await actAs(page, 'viewer');
    await note.getByText(words).waitFor();
    await checkLooks(page, `may-not-${what.split(' ')[1] ?? ''}`);
    await note.getByRole('button', { name: 'Sign in as editor' }).click();
    await note.waitFor({ state: 'detached' });
  });

  it('the form for media says before an upload that the account may not', async () => {
    await actAs(run.page, 'viewer');
    const page = await run.open('/entities/node/3');
    const form = await addMedia(page);
    await form.getByLabel('File', { exact: true }).setInputFiles(textFile('letter.txt', 10));
    await form.getByRole('alert').filter({ hasText: 'an upload to this object' }).waitFor();
  });
});
