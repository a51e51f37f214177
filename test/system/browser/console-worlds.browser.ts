/** Worlds, snapshots, clock, differences and faults in the console, in headless Chromium. Run by `npm run test:suite -- browser`. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkLooks, useConsole } from './console-support.ts';

const run = useConsole();

afterEach(async () => {
  await run.ask('/_atoll/reset', { method: 'POST' });
});

const retitle = async (title: string): Promise<void> => {
  await run.ask('/node/1?_format=json', {
    method: 'PATCH',
    headers: { Authorization: `Basic ${btoa('admin:islandora')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });
};

const titleOf = async (prefix = ''): Promise<string> => {
  const answer = await run.ask(`${prefix}/node/1?_format=json`);
  const { title } = (await answer.json()) as { readonly title: readonly [{ readonly value: string }] };
  return title[0].value;
};

const said = (page: Page, text: string | RegExp): Promise<void> => page.locator('.toast').getByText(text).waitFor();

/** The card of a world or a snapshot, by its heading. */
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name}\\b`) }) });

describe('worlds', () => {
  it('are made, opened in a tab, reset and dropped', async () => {
    const page = await run.open('/worlds');
    await page.getByLabel('Name').fill('tryout');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('The world "tryout" is there').waitFor();
    await checkLooks(page, 'worlds');

    const opening = run.context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open it in a tab' }).click();
    const tab = await opening;
    await tab.getByText('world tryout').first().waitFor();
    await tab.close();

    const before = await titleOf();
    await retitle('A title that the reset takes back');
    await card(page, 'main').getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await said(page, 'main is as it was made.');
    expect(await titleOf()).toBe(before);

    await card(page, 'tryout').getByRole('button', { name: 'Lifetime' }).click();
    await page.getByRole('dialog').getByLabel('Expires after (minutes)').fill('10');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await card(page, 'tryout').getByText('Expires at').waitFor();
    await card(page, 'tryout').getByRole('button', { name: 'Drop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await card(page, 'tryout').getByRole('button', { name: 'Drop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
    await said(page, 'tryout is gone.');
    await card(page, 'tryout').waitFor({ state: 'detached' });
  });

  it('show a refusal in the words of the server', async () => {
    const page = await run.open('/worlds');
    await page.getByLabel('Name').fill('main');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('alert').getByText('There is a world "main" already.').waitFor();
  });

  it('act on the world in whose prefix the console was opened', async () => {
    await run.ask('/_atoll/worlds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'beside' }),
    });
    const page = await run.open('/worlds?tab=snapshots', '/~beside');
    await page.getByText('world beside').waitFor();
    await page.getByLabel('Name').fill('start');
    await page.getByRole('button', { name: 'Save snapshot' }).click();
    await page.getByRole('heading', { name: 'start' }).waitFor();
    const kept = await run.ask('/_atoll/snapshots');
    expect(await kept.json()).toEqual({ snapshots: [] });
    await run.ask('/_atoll/worlds/beside', { method: 'DELETE' });
  });
});

describe('snapshots and differences', () => {
  it('keep a state, show what has changed since, and bring it back', async () => {
    const page = await run.open('/worlds?tab=snapshots');
    const before = await titleOf();
    await page.getByLabel('Name').fill('before');
    await page.getByRole('button', { name: 'Save snapshot' }).click();
    await said(page, '"before" is saved.');
    await retitle('Changed in between');
    await card(page, 'before').getByRole('link', { name: 'What has changed since' }).click();
    await page.getByText('1 changed').waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Changed in between' });
    await entry.getByRole('cell', { name: before }).waitFor();
    await checkLooks(page, 'differences');
    await page.reload();
    await entry.getByRole('button', { name: 'Put back Title' }).click();
    await said(page, /^title of node \d+ is as it was\.$/);
    expect(await titleOf()).toBe(before);
    await retitle('Changed in between');
    await page.reload();
    await entry.getByRole('button', { name: /^Put back node/ }).click();
    await page.getByText('Nothing differs from').waitFor();
    await retitle('Changed in between');

    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await card(page, 'before').getByRole('button', { name: 'Load' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
    await said(page, 'The world is as it was in "before".');
    expect(await titleOf()).toBe(before);
    await checkLooks(page, 'snapshots');
    await card(page, 'before').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This world has no snapshots.').waitFor();
  });
});

describe('the clock', () => {
  it('is frozen, moved on and set free', async () => {
    const page = await run.open('/worlds?tab=clock');
    await page.getByLabel('does not move').check();
    await page.getByLabel('Time', { exact: true }).fill('2031-05-06T07:08:09');
    await page.getByRole('button', { name: 'Set the clock' }).click();
    await said(page, 'The clock is set.');
    await page.getByText('The clock does not move').waitFor();
    const frozen = (await (await run.ask('/_atoll/clock')).json()) as { readonly now: string };
    expect(frozen).toMatchObject({ mode: 'frozen', now: new Date('2031-05-06T07:08:09').toISOString() });
    await page.getByRole('button', { name: '1 hour' }).click();
    await said(page, 'The clock was moved on by 1 hour.');
    const moved = (await (await run.ask('/_atoll/clock')).json()) as { readonly now: string };
    expect(Date.parse(moved.now) - Date.parse(frozen.now)).toBe(3_600_000);
    await checkLooks(page, 'clock');
    await page.getByLabel('runs as the real time').check();
    await page.getByRole('button', { name: 'Set the clock' }).click();
    await page.getByText(/in this world. The clock runs as the real time/).waitFor();
  });
});

describe('faults', () => {
  it('are found in the catalogue, added, told on every page, and removed', async () => {
    const page = await run.open('/faults');
    await checkLooks(page, 'faults');
    await page.getByRole('searchbox').fill('status');
    await page.getByRole('button', { name: 'Add status', exact: true }).click();
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByLabel('getNode', { exact: true }).check();
    await page.getByLabel('At most so many times').fill('2');
    await checkLooks(page, 'fault-form');
    await page.getByRole('button', { name: 'Add the fault' }).click();
    await said(page, 'status is active.');
    await page.getByRole('row', { name: /^status/ }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('1 fault is active').waitFor();
    const struck = await fetch(`${run.program.url}/node/1?_format=json`);
    expect(struck.status).toBe(503);

    await page.getByRole('link', { name: 'See and remove' }).click();
    await page.getByRole('cell', { name: '1 times' }).waitFor();
    await page.getByRole('button', { name: /^Remove status/ }).click();
    await page.getByText('No fault is active in this world.').waitFor();
    await page.getByText('1 fault is active').waitFor({ state: 'detached' });
  });

  it('show a refusal in the words of the server', async () => {
    const page = await run.open('/faults?text=latency');
    await page.getByRole('button', { name: 'Add latency', exact: true }).click();
    await page.getByText('Strike fewer requests').click();
    await page.getByRole('spinbutton', { name: 'Spare so many first' }).fill('1');
    await page.getByLabel('ms', { exact: true }).fill('9999999');
    // The browser itself keeps the number in its bounds; the server has the last word.
    await page.evaluate("document.querySelector('.dialog form').noValidate = true");
    await page.getByRole('button', { name: 'Add the fault' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/^422 latency: ms is a number from/);
  });
});
