/** The pages "Coverage" and "Interface" of the console in headless Chromium. */
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { until } from '../../support/until.ts';
import { accountButton, actAs, checkLooks, holdAnswers, useConsole } from './console-support.ts';

const run = useConsole();

const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(run.program.url + path, init);
const clear = (): Promise<Response> => run.ask('/_atoll/coverage', { method: 'DELETE' });
const row = (operation: string) =>
  run.page.locator('.coverage-list tbody tr').filter({ has: run.page.locator(`a[data-operation="${operation}"]`) });
const details = () => run.page.locator('.coverage-details');
const statusOf = (status: string) =>
  details()
    .locator('section.status')
    .filter({ has: run.page.getByRole('heading', { name: new RegExp(`^${status}`) }) });

describe('The coverage', () => {
  it('shows what clients have met, and nothing of the console itself', async () => {
    await clear();
    const page = await run.open('/repository');
    await page.getByRole('link', { name: 'Coverage' }).click();
    await row('getNode').waitFor();
    expect(await page.getByRole('list', { name: 'Figures' }).getByRole('listitem').first().innerText()).toMatch(
      /Operations\s+0 %\s+0 of \d+/,
    );
    await ask('/node/1?_format=json');
    await until(async () => (await row('getNode').innerText()).includes('1 of'), 'the row of getNode');
    await checkLooks(page, 'coverage');
  });

  it('is filtered by text and by what is unmet, which the address keeps', async () => {
    const page = await run.open('/coverage');
    await row('getNode').waitFor();
    await page.getByLabel('Operation, method or path').fill('GET /node');
    await row('createNode').waitFor({ state: 'detached' });
    await page.getByLabel('Only with unmet statuses').check();
    await page.waitForURL(/\?text=GET\+%2Fnode&unmet=1$/);
    await page.reload();
    await row('getNode').waitFor();
    expect(await page.getByLabel('Only with unmet statuses').isChecked()).toBe(true);
    await page.getByLabel('Operation, method or path').fill('nothing like it');
    await page.getByText('No operation fits.').waitFor();
  });

  it('shows the request that meets a status, and sends it', async () => {
    await clear();
    await ask('/node/1?_format=json');
    const page = await run.open('/coverage');
    await row('getNode').getByRole('link').click();
    await statusOf('200').getByText('Once, by anonymous.').waitFor();
    const command = statusOf('404').getByRole('region');
    expect(await command.innerText()).toMatch(/^curl .*\/node\/\d+\?_format=json/);
    await statusOf('404')
      .getByRole('button', { name: /^Send it now/ })
      .click();
    await statusOf('404').getByText('The response is 404, as expected.').waitFor();
    await statusOf('404').getByText('Once').waitFor();
    await checkLooks(page, 'coverage-operation');
    await page.reload();
    await statusOf('404').getByText('Once').waitFor();
    await page.getByRole('link', { name: 'See its requests in the traffic' }).click();
    await page.locator('.traffic-list tbody tr').nth(1).waitFor();
    expect(page.url()).toMatch(/#\/traffic\?operation=getNode$/);
  });

  it('shows the details beside the chosen row, wherever the row is', async () => {
    await run.open('/coverage');
    const link = row('createRedirect').getByRole('link');
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await details().getByRole('heading', { name: 'createRedirect' }).waitFor();
    const inView = async (): Promise<readonly boolean[]> => {
      const boxes = await Promise.all(
        [link, details().getByRole('heading', { level: 2 })].map((each) => each.boundingBox()),
      );
      return boxes.map((box) => box !== null && box.y >= 0 && box.y < 900);
    };
    await until(async () => (await inView()).every(Boolean), 'both to be in view');
  });

  it('leaves the focus in an open menu when the details come late', async () => {
    const page = run.page;
    const release = await holdAnswers(run.context, /_atoll\/coverage(\?|$)/);
    await run.open('/coverage?operation=createNode');
    await page.getByRole('button', { name: accountButton }).click();
    await page.getByRole('menu').waitFor();
    expect(await details().count()).toBe(0);
    release();
    await details().getByRole('heading', { name: 'createNode' }).waitFor();
    expect(await page.getByRole('menu').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('asks before it sends a request that changes content', async () => {
    await clear();
    const page = await run.open('/coverage?operation=createNode');
    await actAs(page, 'editor');
    const before = await countOfNodes();
    await statusOf('201').getByRole('button', { name: 'Send it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await countOfNodes()).toBe(before);
    await statusOf('201').getByRole('button', { name: 'Send it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send it' }).click();
    await statusOf('201').getByText('The response is 201, as expected.').waitFor();
    expect(await countOfNodes()).toBe(before + 1);
    // The request had credentials of its own; the console still acts as before.
    await page.getByRole('button', { name: /^Signed in as editor/ }).waitFor();
  });

  it('meets by its button every status that it offers to meet without a change', async () => {
    await clear();
    const page = await run.open('/coverage?operation=getMedia');
    const sendable = details()
      .locator('section.status')
      .filter({ has: page.getByRole('button', { name: /^Send it now/ }) });
    await sendable.first().waitFor();
    // By its status: while one is sent its button has another name, and the others would count without it.
    const headings = await sendable.getByRole('heading').allInnerTexts();
    for (const heading of headings) {
      const section = statusOf(/^\d+/.exec(heading)?.[0] ?? '');
      await section.getByText('How to meet it').waitFor();
      await section.getByRole('button', { name: /^Send it now/ }).click();
      await section.getByText('as expected').waitFor();
    }
  });

  it('is saved as JUnit, opened as a page, and begun from zero after a question', async () => {
    await ask('/node/1?_format=json');
    const page = await run.open('/coverage');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as JUnit' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain('<testsuite');
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Report as a page' }).click();
    await (await opened).getByRole('heading', { name: 'Contract coverage' }).waitFor();
    await page.getByRole('button', { name: 'Start from zero' }).click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await until(async () => (await row('getNode').innerText()).includes('0 of'), 'the row of getNode');
  });
});

describe('The interface', () => {
  it('shows the page of the operations in its place, and leads to the documents', async () => {
    const page = await run.open('/interface');
    await page.frameLocator('iframe').locator('.opblock').first().waitFor();
    const address = await page.getByRole('link', { name: 'OpenAPI 3.1 as YAML' }).getAttribute('href');
    expect(address).toBe(`${run.program.url}/openapi.yaml`);
    await checkLooks(page, 'interface');
    await page.getByRole('tab', { name: 'The control interface' }).click();
    await page.frameLocator('iframe').getByText('/_atoll/health').first().waitFor();
    expect(page.url()).toMatch(/#\/interface\?document=control$/);
  });

  it('says what came of the last reading, and reads again', async () => {
    const page = await run.open('/interface');
    await page.getByText('The files as last read are served.').waitFor();
    const before = await page.locator('section time').first().getAttribute('datetime');
    await page.getByRole('button', { name: 'Read the files again' }).click();
    await until(
      async () => (await page.locator('section time').first().getAttribute('datetime')) !== before,
      'the second reading',
    );
    await page.getByText('The files as last read are served.').waitFor();
  });
});

const countOfNodes = async (): Promise<number> => {
  const { counts } = (await (await run.ask('/_atoll/repository')).json()) as {
    readonly counts: { readonly node: number };
  };
  return counts.node;
};
