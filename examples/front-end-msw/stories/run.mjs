/**
 * Opens each story of a built Storybook in Chromium, and the page as it is in development, and checks what they show:
 * `npm run build:stories && npm run test:stories`.
 */
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { createServer, preview } from 'vite';

// First: a preview would make this process one of production.
const development = await createServer({ server: { port: 0 } });
await development.listen();
const stories = await preview({ configFile: false, build: { outDir: 'storybook-static' }, preview: { port: 0 } });
// A browser of the system in place of one that Playwright would download.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
page.setDefaultTimeout(60_000);

const title = 'Saltmarsh Quay Local History Archive';
const heading = (name) => page.getByRole('heading', { name }).waitFor();
const alert = (text) => page.getByRole('alert').filter({ hasText: text }).waitFor();

/** What each story shows, by its id. */
const shown = {
  collection: async () => {
    await heading(title);
    assert.notEqual(await page.getByRole('listitem').count(), 0);
    await page.getByLabel('New title').fill('Renamed in a story');
    await page.getByText('Rename').click();
    await heading('Renamed in a story');
  },
  'long-title': () => heading('A long title, A long title'),
  'empty-repository': () => alert('There is no such object.'),
  maintenance: () => alert('The repository is being maintained.'),
  'maintenance-once': async () => {
    await alert('The repository is being maintained.');
    await page.getByText('Try again').click();
    // Not the title of the first story, which has changed it in its own world.
    await heading(title);
  },
  'connection-lost': () => alert('The repository cannot be reached.'),
  slow: () => page.getByRole('status').filter({ hasText: 'Reading…' }).waitFor(),
};

try {
  for (const [story, check] of Object.entries(shown)) {
    await page.goto(`${stories.resolvedUrls.local[0]}iframe.html?id=object-card--${story}&viewMode=story`);
    await check();
    console.log(`passed ${story}`);
  }
  await page.goto(`${development.resolvedUrls.local[0]}?object=1`);
  await heading(title);
  console.log('passed the page in development');
} finally {
  await browser.close();
  await Promise.all([stories.close(), development.close()]);
}
