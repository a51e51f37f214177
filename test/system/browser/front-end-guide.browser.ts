/** The page of docs/use/front-ends.md as it is printed there, in a real browser at another origin. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';

let atoll: Atoll;
let pages: Server;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

/** The first block of a language. */
const blockOf = (guide: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';

/** As a bundler makes it, with the client of the sources. */
const bundled = async (code: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    alias: { 'atoll-server/client': join(root, 'src/client/client.ts') },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser' },
  });
  return outputFiles[0]?.text ?? '';
};

beforeAll(async () => {
  atoll = await startAtoll();
  const guide = await readFile(join(root, 'docs/use/front-ends.md'), 'utf8');
  const html = blockOf(guide, 'html');
  const script = await bundled(blockOf(guide, 'js').replace('http://localhost:8000', atoll.url));
  pages = createServer((request, response) => {
    const isScript = request.url === '/main.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve));
  browser = await launchChromium();
  page = await browser.newPage();
  page.setDefaultTimeout(45_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
}, 90_000);

afterAll(async () => {
  await browser.close();
  pages.close();
  await atoll.close();
  expect(complaints).toEqual([]);
});

it('The page of the guide shows a title and a guarded picture, and stores and replaces a file', async () => {
  await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`); // it listens on a port
  const node = (await (await atoll.fetch('/node/1?_format=json')).json()) as { title: [{ value: string }] }; // the document says so
  await page.getByRole('heading', { name: node.title[0].value }).waitFor();
  await page.waitForFunction("document.getElementById('picture').naturalWidth > 0");
  const said = async (content: string): Promise<string | null> => {
    await page.evaluate("document.getElementById('said').textContent = ''");
    await page.setInputFiles('#file', { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });
    await page.waitForFunction("document.getElementById('said').textContent !== ''");
    return page.locator('#said').textContent();
  };
  expect([await said('Dear harbour master,'), await said('Dear harbour mistress,')]).toEqual(['stored', 'replaced']);
  expect(await (await atoll.fetch('/sites/default/files/letters/letter.txt')).text()).toBe('Dear harbour mistress,');
  const refused = { name: 'letter.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  await page.evaluate("document.getElementById('said').textContent = ''");
  await atoll.faults.add({ fault: 'status', parameters: { status: 418, message: 'Not today.' }, method: 'PUT' });
  await page.setInputFiles('#file', refused);
  await page.getByText('Not today.').waitFor();
});
