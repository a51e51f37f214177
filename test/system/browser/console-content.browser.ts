/** Uploads with scripts inside the console, in headless Chromium: whatever shows them, nothing of them runs. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.mjs';
import { startServer, type TestServer } from '../../support/server.ts';
import { newNode, theMedia, upload } from '../../support/uploads.ts';
import { until } from '../../support/until.ts';
import { buildConsole } from './console-build.ts';

/** Tries what would do harm: to reset the world, and to leave a mark in the page around it. */
const script =
  "fetch(location.origin + '/_atoll/reset', { method: 'POST' }); fetch(location.origin + '/ran'); " +
  "top.ran = true; document.title = 'RAN';";
const uploads = {
  'page.html': ['text/html', `<!doctype html><h1>Page</h1><img src="x" onerror="${script}"><script>${script}</script>`],
  'drawing.svg': [
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" onload="${script}"><script>${script}</script></svg>`,
  ],
} as const;
const names = Object.keys(uploads) as (keyof typeof uploads)[];

let server: TestServer;
let browser: Browser;
let page: Page;
let asked: string[];
const urls = new Map<string, string>();

beforeAll(async () => {
  await buildConsole();
  server = await startServer({
    siteFile: 'bundles/media.file.yml',
    changeSite: (yaml) => yaml.replace('extensions: [txt,', 'extensions: [txt, html, svg,'),
  });
  for (const name of names) {
    const [type, text] = uploads[name];
    const node = await newNode(server);
    const headers = { 'Content-Type': type, 'Content-Location': `public://console/${name}` };
    expect((await upload(server, node, Buffer.from(text), { headers })).status).toBe(201);
    urls.set(name, server.url + (await theMedia(server, node)).contentPath);
  }
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
});

beforeEach(async () => {
  page = await browser.newPage();
  // Where a script runs, the uploads shall stay for the tests after it.
  await page.route('**/_atoll/reset', (route) => route.fulfill({ status: 204 }));
  asked = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
});

/** Puts an element into the page that shows the content by its address, or as a `blob:` as the console makes it. */
const show = (element: string, attribute: string, name: string, isBlob: boolean): Promise<void> =>
  page.evaluate(`(async () => {
    const url = ${JSON.stringify(urls.get(name))};
    const made = ${isBlob} ? URL.createObjectURL(new Blob([await (await fetch(url)).arrayBuffer()], { type: '${
      uploads[name as keyof typeof uploads][0]
    }' })) : url;
    const holder = document.createElement('div');
    holder.innerHTML = ${JSON.stringify(element)};
    holder.firstChild.setAttribute('${attribute}', made);
    document.body.append(holder);
  })()`);

const hasRun = async (): Promise<readonly unknown[]> => {
  const titles = await Promise.all(page.frames().map((frame) => frame.title().catch(() => '')));
  return [
    await page.evaluate('globalThis.ran === true'),
    titles.includes('RAN'),
    asked.some((one) => one === 'GET /ran' || one === 'POST /_atoll/reset'),
  ];
};

const checkNothingRuns = async (): Promise<void> => {
  await page.waitForTimeout(400); // no event says that a script does not run
  expect(await hasRun()).toEqual([false, false, false]);
};

const elements = [
  ['an image', '<img>', 'src'],
  ['a frame with a sandbox', '<iframe sandbox></iframe>', 'src'],
  ['a frame without one', '<iframe></iframe>', 'src'],
  ['an object', '<object></object>', 'data'],
  ['an embedded thing', '<embed>', 'src'],
] as const;
const ways = names.flatMap((name) =>
  elements.flatMap(([what, element, attribute]) =>
    [false, true].map(
      (isBlob) => [name, what, isBlob ? 'blob:' : 'its address', { element, attribute, isBlob }] as const,
    ),
  ),
);

describe('An upload with a script', () => {
  it.each(names)('would run in a page without the policy: %s, in a frame without a sandbox', async (name) => {
    await page.goto(`${server.url}/openapi.json`);
    await show('<iframe></iframe>', 'src', name, true);
    await until(async () => {
      const [inPage, , asks] = await hasRun();
      return inPage === true && asks === true;
    }, 'what the script does');
  });

  it.each(ways)(
    'does not run in the console: %s in %s, by %s',
    async (name, _what, _by, { element, attribute, isBlob }) => {
      const opened = await page.goto(`${server.url}/_atoll/`);
      expect(opened?.status()).toBe(200);
      await page.locator('h1').first().waitFor();
      await show(element, attribute, name, isBlob);
      await checkNothingRuns();
    },
  );

  it.each(names)('does not run when its markup gets into the console itself: %s', async (name) => {
    await page.goto(`${server.url}/_atoll/`);
    await page.locator('h1').first().waitFor();
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(uploads[name][1])})`);
    await checkNothingRuns();
  });

  it.each(names)('is downloaded when a link of the console leads to it, and runs nowhere: %s', async (name) => {
    await page.goto(`${server.url}/_atoll/`);
    const download = page.waitForEvent('download');
    await page.evaluate(`location.href = ${JSON.stringify(urls.get(name))}`);
    expect((await download).suggestedFilename()).toBe(name);
    await checkNothingRuns();
  });
});
