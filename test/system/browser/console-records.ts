/** Records as the server has them, and the forms for them, for the tests of the console. */
import type { Locator, Page } from 'playwright-core';
import type { ConsoleRun } from './console-support.ts';

type Items = readonly Readonly<Record<string, unknown>>[];
export type Shown = Readonly<Record<string, Items>>;

const admin = { Authorization: `Basic ${btoa('admin:islandora')}` };

/** A record as the server has it. */
export const recordAt = async (run: ConsoleRun, path: string): Promise<Shown> =>
  (await (await run.ask(`${path}?_format=json`, { headers: admin })).json()) as Shown; // the contract says so

/** Makes a node by the contract itself, and returns its id. */
export const newNode = async (run: ConsoleRun, body: object): Promise<number> => {
  const init = {
    method: 'POST',
    headers: { ...admin, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  const made = (await (await run.ask('/node?_format=json', init)).json()) as Shown; // the contract says so
  return Number(made['nid']?.[0]?.['value']);
};

/** The inputs of a field, by its label in the form. */
export const group = (page: Page, label: string): Locator =>
  page.locator('fieldset').filter({ has: page.locator('legend', { hasText: new RegExp(`^\\s*${label}\\b`) }) });

export const idInAddress = async (page: Page, type: string): Promise<string> => {
  await page.waitForURL(new RegExp(`#/entities/${type}/\\d+$`));
  return /(\d+)$/.exec(page.url())?.[1] ?? '';
};

/** The focus may come with the next frame. */
export const focused = (element: Locator): Promise<void> => element.and(element.page().locator(':focus')).waitFor();

export const hasFocus = async (element: Locator): Promise<boolean> =>
  (await element.and(element.page().locator(':focus')).count()) === 1;

export const textFile = (name: string, size: number) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'letters ') },
});

/** The bytes of a media, as the address in its source field leads to them. */
export const contentOf = async (run: ConsoleRun, media: string, field = 'field_media_file'): Promise<Uint8Array> => {
  const record = await recordAt(run, `/media/${media}`);
  const url = String(record[field]?.[0]?.['url']);
  return new Uint8Array(await (await fetch(url, { headers: admin })).arrayBuffer());
};
