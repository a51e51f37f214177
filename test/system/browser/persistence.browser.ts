/**
 * A repository that stays in headless Chromium: the suites of the stores in IndexedDB, reloads, killed tabs and browsers, two
 * tabs, no more room. Run by `npm run test:suite -- browser`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { bundleBrowser } from '../../../scripts/bundle-browser.mjs';
import { root } from '../../support/atoll.ts';
import { wholeChromium } from '../../support/chromium.mjs';
import { until } from '../../support/until.ts';

const inPage = join(root, 'test/browser/persistence/in-page');

/** The suites run in the page as they are, on a small runner. */
const runnerInPage: Plugin = {
  name: 'runner in the page',
  setup: (build) => {
    build.onResolve({ filter: /^@jest\/globals$/ }, () => ({ path: join(inPage, 'suite-runner.ts') }));
    build.onResolve({ filter: /^node:stream\/consumers$/ }, () => ({ path: join(inPage, 'stream-consumers.ts') }));
    // For the temporary folders of other tests.
    build.onResolve({ filter: /^node:os$/ }, ({ path, importer }) =>
      importer.endsWith('records.ts') ? { path, external: true, sideEffects: false } : undefined,
    );
  },
};

let folder: string;
let server: Server;
let port: number;
let context: BrowserContext;

/** A browser with a profile of its own, in which what pages keep stays. */
const startBrowser = (): Promise<BrowserContext> =>
  chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: wholeChromium,
    args: ['--no-sandbox', '--host-resolver-rules=MAP museum.test 127.0.0.1'],
  });

/** A page, and the scripts of these folders. */
const servePages = async (folders: readonly string[]): Promise<Server> => {
  const scripts = new Map<string, Buffer>();
  for (const each of folders) {
    const names = (await readdir(each)).filter((name) => name.endsWith('.js'));
    for (const name of names) scripts.set(`/${name}`, await readFile(join(each, name)));
  }
  const listening = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
    response.setHeader('Content-Security-Policy', "script-src 'self'");
    response.end(script ?? '<!doctype html><title>A page</title><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => listening.listen(0, resolve));
  return listening;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-persistence-'));
  await bundleBrowser(folder, { page: join(inPage, 'page.ts') }, { plugins: [runnerInPage] });
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts/built-engine.mjs')]);
  server = await servePages([folder, stdout.trim()]);
  ({ port } = server.address() as AddressInfo); // it listens on a port
  context = await startBrowser();
}, 180_000);

afterAll(async () => {
  await context.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const openPage = async (host = 'localhost'): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`http://${host}:${port}/`);
  return page;
};

/** Runs an expression in a page; `persistence` is what `page.ts` gives. */
const run = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(`(async () => ${expression})()`);
/** Opens a repository in a page, where it is called `opened` from then on. */
const open = (page: Page, name: string): Promise<unknown> =>
  run(page, `{ globalThis.opened = await persistence.open(${JSON.stringify(name)}); }`);

type Found = { readonly found: readonly string[]; readonly lost: readonly string[] };

/** Writes in a page, and calls `stop` when so much is acknowledged. Returns what is acknowledged. */
const writeUntil = async (page: Page, name: string, count: number, stop: () => Promise<unknown>): Promise<string[]> => {
  const acknowledged: string[] = [];
  await page.exposeFunction('acknowledge', (what: string) => acknowledged.push(what));
  await open(page, name);
  await run(page, '{ void opened.writeForever(acknowledge); }');
  await until(
    () => acknowledged.length >= count && acknowledged.some((each) => each.startsWith('file')),
    'enough',
    60_000,
  );
  await stop();
  return acknowledged;
};

const expectNothingLost = async (page: Page, name: string, acknowledged: readonly string[]): Promise<void> => {
  await open(page, name);
  const { found, lost } = await run<Found>(page, 'opened.look()');
  const present = new Set(found);
  expect([lost, acknowledged.filter((each) => !present.has(each))]).toEqual([[], []]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  // No id that was acknowledged is given again.
  const next = `node:${await run<number>(page, 'opened.createPair()')}`;
  expect(present.has(next)).toBe(false);
};

describe('in Chromium', () => {
  it('the stores pass their suites', async () => {
    const page = await openPage();
    const outcomes = await run<{ name: string; error?: string }[]>(page, 'persistence.runTests()');
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(25);
    await page.close();
  }, 120_000);

  it('a reload finds what was written, in any part, and a deleted repository is new', async () => {
    const page = await openPage();
    await open(page, 'reload');
    // 21 MB: six parts.
    const id = await run<number>(page, 'opened.upload(7, 21_000_000)');
    await page.reload();
    await open(page, 'reload');
    expect(await run(page, '[opened.isNew, await opened.look()]')).toEqual([
      false,
      { found: [`file:${id}`], lost: [] },
    ]);
    // Chunk 64 begins with the second part.
    const edge = 4 * 1024 * 1024;
    expect(await run(page, `opened.range(${id}, ${edge - 2}, ${edge + 1})`)).toEqual([70, 70, 71, 71]);
    await run(page, '{ opened.close(); await persistence.deleteDatabase("reload"); }');
    await open(page, 'reload');
    expect(await run(page, '[opened.isNew, await opened.look()]')).toEqual([true, { found: [], lost: [] }]);
    await page.close();
  }, 120_000);

  it('a tab that is killed while it writes loses nothing that was acknowledged', async () => {
    const page = await openPage();
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    const acknowledged = await writeUntil(page, 'killed', 300, () => {
      session.send('Page.crash').catch(() => undefined); // nobody answers any more
      return crashed;
    });
    const next = await openPage();
    await expectNothingLost(next, 'killed', acknowledged);
    await Promise.all([page.close(), next.close()]);
  }, 120_000);

  it('a browser that is killed while a page writes loses nothing that was acknowledged', async () => {
    const closed = new Promise((resolve) => context.once('close', resolve));
    const page = await openPage();
    const session = await context.browser()?.newBrowserCDPSession();
    const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
    const { id = 0 } = processInfo.find(({ type }) => type === 'browser') ?? {};
    const acknowledged = await writeUntil(page, 'killed browser', 300, () => {
      process.kill(id, 'SIGKILL');
      return closed;
    });
    context = await startBrowser();
    const next = await openPage();
    await expectNothingLost(next, 'killed browser', acknowledged);
    await next.close();
  }, 120_000);

  // Pages without HTTPS have no Web Locks, except those of this machine.
  it.each([
    ['localhost', true],
    ['museum.test', false],
  ])(
    'a second tab of %s is told that the first one has the repository',
    async (host, hasLocks) => {
      const [first, second] = [await openPage(host), await openPage(host)];
      expect(await run(first, 'persistence.hasLocks()')).toBe(hasLocks);
      await open(first, 'shared');
      await run(first, 'opened.createPair()');
      expect(await run(second, 'persistence.tryToOpen("shared")')).toBe(
        'ConfigurationError: The repository "shared" is open in another tab or worker of this browser. ' +
          'Close it there, or name another one.',
      );
      await run(first, 'opened.createPair()');
      await first.close();
      await open(second, 'shared');
      expect((await run<Found>(second, 'opened.look()')).found.length).toBe(4);
      await second.close();
    },
    120_000,
  );

  it('a worker is told that its page has the repository, and gets it when the page lets go', async () => {
    const page = await openPage();
    await open(page, 'with a worker');
    const inWorker = `new Promise((resolve) => {
      const worker = new Worker('/page.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage('with a worker');
    })`;
    expect(await run(page, inWorker)).toContain('is open in another tab or worker of this browser.');
    await run(page, 'opened.close()');
    expect(await run(page, inWorker)).toBe('opened');
    expect(await run(page, 'persistence.tryToOpen("with a worker")')).toContain('is open in another tab or worker');
    await page.close();
  }, 120_000);

  it('without room refuses with 507, keeps what there is, and goes on when there is room', async () => {
    // An origin of its own: Chromium remembers for a while how much room an origin had.
    const page = await openPage('127.0.0.1');
    const session = await context.newCDPSession(page);
    const origin = `http://127.0.0.1:${port}`;
    const { usage } = await session.send('Storage.getUsageAndQuota', { origin });
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 1_000_000 });
    await open(page, 'full');
    const made: string[] = [];
    const attempt = (number: number): Promise<string> => run(page, `opened.attempt(${number}, 300_000)`);
    let last = await attempt(0);
    for (; last.startsWith('file:') && made.length < 200; last = await attempt(made.length)) made.push(last);
    expect([last, await attempt(0)]).toEqual(['refused 507', 'refused 507']);
    expect(made.length).toBeGreaterThan(0);
    expect(await run(page, 'opened.look()')).toEqual({ found: made, lost: [] });
    // Whoever removes something needs no room.
    const removed = made.shift() ?? '';
    await run(page, `opened.remove(${Number(removed.slice(5))})`);
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    made.push(await attempt(100));
    expect(made.at(-1)).toMatch(/^file:/);
    await page.reload();
    await open(page, 'full');
    expect(await run(page, 'opened.look()')).toEqual({ found: made, lost: [] });
    await page.close();
  }, 120_000);

  it('a repository that the browser removes answers 503 from then on, and is new after a reload', async () => {
    const page = await openPage('127.0.0.1');
    await open(page, 'evicted');
    await run(page, 'opened.createPair()');
    const session = await context.newCDPSession(page);
    const origin = `http://127.0.0.1:${port}`;
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    expect(await run(page, 'opened.attempt(1, 1000)')).toBe('refused 503');
    expect(await run(page, 'opened.lost()')).toContain('The browser has removed the repository');
    await page.reload();
    await open(page, 'evicted');
    expect(await run(page, '[opened.isNew, await opened.look()]')).toEqual([true, { found: [], lost: [] }]);
    await page.close();
  }, 120_000);
});

/** Makes `atoll` in a page, as a front end does, and functions to ask it. */
const createAtoll = (page: Page, persist: string): Promise<unknown> =>
  run(
    page,
    `{
    const [{ createAtoll }, { site }] = await Promise.all([import('/browser.js'), import('/default-site.js')]);
    globalThis.atoll = await createAtoll({ site, persist: ${JSON.stringify(persist)} });
    const { name, password } = atoll.accounts[0];
    const ask = (path, init) => atoll.fetch(new Request(location.origin + path, init));
    const json = { Authorization: 'Basic ' + btoa(name + ':' + password), 'Content-Type': 'application/json' };
    Object.assign(globalThis, {
      title: async (id) => {
        const answer = await ask('/node/' + id + '?_format=json');
        return answer.ok ? (await answer.json()).title[0].value : answer.status;
      },
      make: async (value) => {
        const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value }], field_model: [{ target_id: 24 }] });
        const answer = await ask('/node?_format=json', { method: 'POST', headers: json, body });
        if (answer.status !== 201) throw new Error(await answer.text());
        return (await answer.json()).nid[0].value;
      },
      token: async () => (await (await ask('/jwt/token', { headers: json })).json()).token,
      withToken: async (token) => (await ask('/jwt/token', { headers: { Authorization: 'Bearer ' + token } })).status,
    });
  }`,
  );

describe('createAtoll with persist, in Chromium', () => {
  it('has after a reload what was made, takes its tokens, and returns to the fixture by a reset', async () => {
    const page = await openPage();
    await createAtoll(page, 'museum');
    const id = await run<number>(page, 'make("Made by a visitor")');
    const token = await run<string>(page, 'token()');
    expect(await run(page, `withToken(${JSON.stringify(token)})`)).toBe(200);
    await page.reload();
    await createAtoll(page, 'museum');
    expect(await run(page, `title(${id})`)).toBe('Made by a visitor');
    expect(await run(page, `withToken(${JSON.stringify(token)})`)).toBe(200);
    expect(await run<number>(page, 'make("The next one")')).toBe(id + 1);

    await run(page, 'atoll.reset()');
    await page.reload();
    await createAtoll(page, 'museum');
    expect(await run(page, `[await title(${id}), await title(1)]`)).toEqual([404, expect.any(String)]);
    await page.close();
  }, 120_000);

  it('moves what was made to another repository by its archive', async () => {
    const page = await openPage();
    await createAtoll(page, 'here');
    const id = await run<number>(page, 'make("To be taken along")');
    await run(page, '{ globalThis.archive = await atoll.exportArchive(); await atoll.close(); }');
    await createAtoll(page, 'there');
    expect(await run(page, `title(${id})`)).toBe(404);
    await run(page, 'atoll.importArchive(archive)');
    expect(await run(page, `title(${id})`)).toBe('To be taken along');
    await page.reload();
    await createAtoll(page, 'there');
    expect(await run(page, `title(${id})`)).toBe('To be taken along');
    await page.close();
  }, 120_000);

  it('is removed by its name when it is closed, and the browser tells the room', async () => {
    const page = await openPage();
    const browser = 'const { askToKeep, deleteRepository, readRoom } = await import("/browser.js")';
    await createAtoll(page, 'to be removed');
    const id = await run<number>(page, 'make("Made by a visitor")');
    const refusal = `{ ${browser}; return deleteRepository('to be removed').catch((error) => error.message); }`;
    expect(await run(page, refusal)).toContain('is open in another tab or worker');
    const { used, quota, staysForGood } = await run<{ used: number; quota: number; staysForGood: boolean }>(
      page,
      `{ ${browser}; return readRoom(); }`,
    );
    expect([used > 0, quota > used]).toEqual([true, true]);
    const answer = await run(page, `{ ${browser}; return askToKeep(); }`);
    expect(await run(page, `{ ${browser}; return (await readRoom()).staysForGood; }`)).toBe(
      answer === true || staysForGood,
    );
    await run(page, `{ ${browser}; await atoll.close(); await deleteRepository('to be removed'); }`);
    await createAtoll(page, 'to be removed');
    expect(await run(page, `title(${id})`)).toBe(404);
    await page.close();
  }, 120_000);
});
