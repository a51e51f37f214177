/**
 * Measures in headless Chromium how soon the console shows its first view, and how soon it reacts, at many objects.
 *
 *     npm run bench:suite -- console    # 10,000 objects, the most that a sample has
 *     npm run bench:suite -- console --objects 1000 --rounds 3
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: { objects: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const server = spawn(
  process.execPath,
  ['dist/main.js', 'serve', '--memory', '--port', '0', '--json', '--fixture', `sample:${values.objects}`],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
process.on('exit', () => server.kill());
const [line] = await once(server.stdout, 'data');
const { url } = JSON.parse(line);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

const middle = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
const figures = {};
const note = (name, value) => (figures[name] ??= []).push(value);

/** Milliseconds until the largest part of the first view was painted, in a browser without a cache. */
const firstView = async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/_atoll/`);
  await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  const painted = await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        }),
      ),
  );
  note('first view', painted);
  return { context, page };
};

/** The longest time from a click or key to the next frame (Event Timing), and the longest task of the page. */
const interaction = async (page, name, act) => {
  await page.evaluate(() => {
    globalThis.seen = { events: [0], tasks: [0] };
    const collect = (key) => (list) => globalThis.seen[key].push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(collect('events')).observe({ type: 'event', durationThreshold: 16 });
    new PerformanceObserver(collect('tasks')).observe({ type: 'longtask' });
  });
  const begun = performance.now();
  await act();
  note(`${name}: until it is shown`, performance.now() - begun);
  await page.waitForTimeout(300);
  const { events, tasks } = await page.evaluate(() => globalThis.seen);
  note(`${name}: reaction`, Math.max(...events));
  note(`${name}: longest task`, Math.max(...tasks));
};

for (let round = 0; round < rounds; round += 1) {
  const { context, page } = await firstView();
  await interaction(page, 'open the repository', async () => {
    await page.getByRole('link', { name: 'Repository' }).click();
    await page.locator('main tbody tr').nth(20).waitFor();
  });
  await interaction(page, 'turn the page', async () => {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^Page 2 of/).waitFor();
  });
  await interaction(page, 'sort by title', async () => {
    const answer = page.waitForResponse(/\/_atoll\/entities\?.*order=title/);
    await page.getByRole('button', { name: 'Title' }).click();
    await answer;
  });
  await interaction(page, 'search in titles', async () => {
    const answer = page.waitForResponse(/\/_atoll\/entities\?.*text=the/);
    await page.getByLabel('Text in the title').pressSequentially('the');
    await answer;
  });
  await interaction(page, 'see pictures', async () => {
    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.locator('.object-card').first().waitFor();
  });
  await context.close();
}
for (const [name, numbers] of Object.entries(figures)) {
  process.stdout.write(
    `${name}: ${middle(numbers).toFixed(0)} ms (of ${rounds}: ${numbers.map((each) => each.toFixed(0)).join(', ')})\n`,
  );
}
await browser.close();
server.kill();
