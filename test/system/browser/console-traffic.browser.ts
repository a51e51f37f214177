/** The page "Traffic" of the console in headless Chromium: live requests, filters, details, sending again. */
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { until } from '../../support/until.ts';
import { checkLooks, useConsole } from './console-support.ts';

const run = useConsole();

const asEditor = { Authorization: `Basic ${btoa('editor:editor')}` };

const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(run.program.url + path, init);

/** Breaks the document: the title is a text and not a list. */
const askWrongly = (): Promise<Response> =>
  ask('/node?_format=json', {
    method: 'POST',
    headers: { ...asEditor, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: 'Harbour' }),
  });

const clear = (): Promise<Response> => run.ask('/_atoll/traffic', { method: 'DELETE' });

const rows = () => run.page.locator('.traffic-list tbody tr');
const details = () => run.page.locator('.traffic-details');

describe('The traffic', () => {
  it('begins with what was asked before, and shows new requests by themselves', async () => {
    await clear();
    await ask('/node/1?_format=json');
    const page = await run.open('/traffic');
    await page.getByText('Live', { exact: true }).waitFor();
    await rows().filter({ hasText: '/node/1?_format=json' }).waitFor();
    expect(await rows().count()).toBe(1);
    await ask('/node/999999?_format=json', { headers: asEditor });
    await rows().nth(1).waitFor();
    const newest = (await rows().first().innerText()).replaceAll(/\s+/g, ' ');
    expect(newest).toContain('GET /node/999999?_format=json 404 getNode editor main');
    // The console's own requests are not among them.
    await page.getByText('2 requests').waitFor();
  });

  it('says that it waits for requests when there are none, and is accessible so', async () => {
    await clear();
    const page = await run.open('/traffic');
    await page.getByText('No request yet.').waitFor();
    await checkLooks(page, 'traffic-empty');
    await ask('/node/1?_format=json');
    await rows().first().waitFor();
  });

  it('is filtered; the filter is in the address and survives a reload', async () => {
    await clear();
    await ask('/node/1?_format=json');
    await ask('/node/999999?_format=json');
    await askWrongly();
    const page = await run.open('/traffic');
    await rows().nth(2).waitFor();
    await page.getByLabel('Status').fill('4xx');
    await expectRows(2);
    await page.getByLabel('Method').selectOption('GET');
    await expectRows(1);
    expect(page.url()).toMatch(/#\/traffic\?status=4xx&method=GET$/);
    await page.reload();
    await expectRows(1);
    await ask('/node/1?_format=json');
    await ask('/node/999998?_format=json');
    await expectRows(2);
    await page.goBack();
    await expectRows(3);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectRows(5);
    await page.getByLabel('Path', { exact: true }).fill('/node/9');
    await expectRows(2);
    await page.getByLabel('Verdict').selectOption('broken');
    await page.getByText('No request matches this filter.').waitFor();
    await page.getByLabel('Status').fill('wrong');
    await page.getByText('Write 404 or 4xx.').waitFor();
  });

  it('holds still during a pause', async () => {
    await clear();
    await ask('/node/1?_format=json');
    const page = await run.open('/traffic');
    await expectRows(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await ask('/node/2?_format=json');
    await page.getByText('1 more wait').waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expectRows(2);
  });

  it('shows what a client sent wrong, the rule with its line, and the corrected request', async () => {
    await clear();
    expect((await askWrongly()).status).toBe(422);
    const page = await run.open('/traffic');
    await rows().first().getByRole('link').click();
    await details().getByText('The request breaks the document, and was refused.').waitFor();
    expect(page.url()).toMatch(/\?entry=\d+$/);
    const text = await details().innerText();
    expect(text).toContain('/requestBody');
    expect(text).toMatch(/openapi\.yaml:\d+ \/components\/schemas\/NodeCreate\/required/);
    const corrected = await details().getByRole('region', { name: 'Corrected request' }).innerText();
    expect(corrected).toMatch(/^curl -X POST .*Harbour/);
    await checkLooks(page, 'traffic-entry', details());
    await page.reload();
    await details().getByText('The request breaks the document').waitFor();
    await expectRows(1);
    await details().getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    // The focus comes back with the next frame.
    await page.locator('a[data-entry]:focus').waitFor();
  });

  it('shows both messages and the code of a request', async () => {
    await clear();
    await ask('/node/1?_format=json', { headers: asEditor });
    const page = await run.open('/traffic');
    await rows().first().getByRole('link').click();
    const body = details().getByRole('region', { name: 'Body of the response', exact: true });
    expect(await body.innerText()).toContain('{\n  "nid": [');
    await details().getByRole('tab', { name: 'Raw' }).last().click();
    expect(await details().getByRole('region', { name: 'Body of the response, raw' }).innerText()).toContain(
      '{"nid":[',
    );
    const headers = await details().getByRole('region', { name: 'Headers of the response' }).innerText();
    expect(headers.toLowerCase()).toContain('link: <');
    const command = await details().getByRole('region', { name: 'The request as curl' }).innerText();
    expect(command).toBe(`curl -i -u 'editor:editor' '${run.program.url}/node/1?_format=json'`);
    await details().getByRole('tab', { name: 'fetch' }).click();
    await details().getByText(`await fetch('${run.program.url}/node/1?_format=json'`).waitFor();
    await details().getByRole('tab', { name: 'atoll-server/client' }).click();
    await details().getByText(`client.GET('/node/{node_id}', { params: { path: { node_id: 1 } } })`).waitFor();
    await run.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await details().getByRole('button', { name: 'Copy client' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain("basic('editor', 'editor')");
  });

  it('sends a request again, changed, and counts it', async () => {
    await clear();
    await askWrongly();
    const page = await run.open('/traffic');
    await rows().first().getByRole('link').click();
    await page.getByRole('button', { name: 'Send again …' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Headers').inputValue()).toBe('content-type: application/json');
    expect(await dialog.getByLabel('Send as').innerText()).toContain('editor with a password, as the original');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('422', { exact: true }).waitFor();
    const fields = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Harbour' }] };
    const withModel = { ...fields, field_model: [{ target_id: await modelId() }] };
    await dialog.getByLabel('Body', { exact: true }).fill(JSON.stringify(withModel));
    await checkLooks(page, 'traffic-send');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('201', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expectRows(3);
  });

  it('saves an archive of what is shown, and forgets everything after a question', async () => {
    await clear();
    await ask('/node/1?_format=json');
    await ask('/node/999999?_format=json');
    const page = await run.open('/traffic?status=404');
    await expectRows(1);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as HAR' }).click();
    const archive = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
      readonly log: { readonly entries: readonly { readonly request: { readonly url: string } }[] };
    };
    expect(archive.log.entries.map(({ request }) => request.url)).toEqual([
      `${run.program.url}/node/999999?_format=json`,
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('No request matches this filter.').waitFor();
    expect(await (await run.ask('/_atoll/traffic/count')).json()).toMatchObject({ count: 0 });
  });

  it("records the console's own requests only when the user wants it", async () => {
    await clear();
    const page = await run.open('/traffic');
    await page.getByText('No request yet.').waitFor();
    const recorded = async (id: number): Promise<number> => {
      const answer = await run.ask(`/_atoll/traffic/count?path=${encodeURIComponent(`/node/${id}*`)}`);
      return ((await answer.json()) as { readonly count: number }).count; // the control document says so
    };
    /** The page of an object asks the repository for it. */
    const see = async (id: number): Promise<void> => {
      const answered = page.waitForResponse((response) => response.url().includes(`/node/${id}?_format=json`));
      await page.evaluate(`location.hash = '#/entities/node/${id}'`);
      await answered;
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Traffic' }).click();
    };
    await see(1);
    expect(await recorded(1)).toBe(0);
    await page.getByLabel('Record the console’s own requests too').check();
    await see(2);
    await rows().filter({ hasText: '/node/2?_format=json' }).first().waitFor();
    await page.getByLabel('Record the console’s own requests too').uncheck();
    await see(3);
    expect(await recorded(3)).toBe(0);
  });

  it('says that it has stopped, and goes on when the server answers again', async () => {
    await clear();
    const page = await run.open('/traffic');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route('**/_atoll/traffic/stream*', (route) => route.abort());
    await page.evaluate('window.stop()');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByText('The server does not answer.').waitFor();
    await ask('/node/1?_format=json');
    await page.unroute('**/_atoll/traffic/stream*');
    await page.getByText('Live', { exact: true }).waitFor();
    await expectRows(1);
  });

  it('keeps the last thousand when thousands of requests arrive, and can be used meanwhile', async () => {
    await clear();
    const page = await run.open('/traffic');
    await page.getByText('Live', { exact: true }).waitFor();
    let sent = 0;
    const worker = async (): Promise<void> => {
      while (sent < 3000) {
        sent += 1;
        await (await ask(`/node/${(sent % 5) + 1}?_format=json`)).arrayBuffer();
      }
    };
    const sending = Promise.all(Array.from({ length: 8 }, worker));
    await rows().nth(50).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await sending;
    await page.getByText('the last 1000 of 3,000 requests').waitFor();
    expect(await rows().count()).toBe(200);
    await rows().nth(20).getByRole('link').click();
    await details().waitFor();
  });
});

const expectRows = (count: number): Promise<void> =>
  until(async () => (await rows().count()) === count, `${count} rows`);

/** The id of a term of the vocabulary of models. */
const modelId = async (): Promise<number> => {
  const found = (await (await run.ask('/_atoll/entities?type=taxonomy_term')).json()) as {
    readonly entities: readonly { readonly id: number; readonly bundle: string }[];
  };
  const model = found.entities.find(({ bundle }) => bundle === 'islandora_models');
  if (model === undefined) throw new Error('There is no model.');
  return model.id;
};
