/**
 * The console in headless Chromium, for its tests: a program with the built console, a page that complains, and checks of
 * how pages look, read and react.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';
import { museum, writeSite } from '../../support/invented-sites.ts';
import { type RunningProgram, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { buildConsole } from './console-build.ts';

/** The suite `pictures` takes pictures of each page that tests look at: whole ones for eyes to judge, and those of `docs/use`. */
const takesPictures = process.env['SUITE'] === 'pictures';
const wholePages = join(root, 'coverage/console');
const picturesOfGuides = join(root, 'docs/pictures/console');
const axeSource = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Wide enough for a desk, and as narrow as a telephone. */
const widths = [1280, 390] as const;
const themes = ['light', 'dark'] as const;
const height = 900;

/** What a test file has: one program and one browser, and a new page for each test. */
export type ConsoleRun = {
  readonly program: RunningProgram;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens the console at `/repository?type=media` and so on. `world` is a prefix such as `/~w7`. Returns the page. */
  open(address: string, world?: string): Promise<Page>;
  /** Asks the program itself, such as `/_atoll/reset` with a method. Throws when it refuses. */
  ask(path: string, init?: RequestInit): Promise<Response>;
};

/**
 * Starts the program with `arguments` and opens a page for each test of the file. A test fails when its page writes an error
 * to the console of the browser, breaks the Content Security Policy, throws, or asks another host.
 */
export const useConsole = (argumentsOf: (folder: string) => Promise<readonly string[]> = starterSite): ConsoleRun => {
  let folder: string;
  let program: RunningProgram;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    await buildConsole();
    folder = await mkdtemp(join(tmpdir(), 'atoll-console-'));
    program = await startProgram(await argumentsOf(folder));
    browser = await launchChromium();
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext({ viewport: { width: widths[0], height }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(40_000);
    context.on('page', (opened) => listen(opened, program.url, complaints));
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return {
    get program() {
      return program;
    },
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    open: async (address, world = '') => {
      await page.goto('about:blank'); // another fragment alone would not load the page anew
      await page.goto(`${program.url}${world}/_atoll/#${address}`);
      await page.locator('h1').waitFor();
      return page;
    },
    ask: async (path, init) => {
      const response = await fetch(program.url + path, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response;
    },
  };
};

const starterSite = (): Promise<readonly string[]> => Promise.resolve(['--memory']);

/** A site with bundles and fields of its own, and content that was made for it. */
export const museumSite = async (folder: string): Promise<readonly string[]> => [
  '--memory',
  ...['--site', await writeSite(join(folder, 'site'), museum)],
  ...['--fixture', 'sample:80'],
];

/**
 * Chromium reports each refused request, and each without a network; React reports a page whose files cannot be loaded. Tests
 * ask for some of them, and the console shows them.
 */
const wanted =
  /the server responded with a status of|net::ERR_INTERNET_DISCONNECTED|Unable to preload CSS|Failed to fetch dynamically imported/;

const listen = (page: Page, url: string, complaints: string[]): void => {
  page.on('console', (message) => {
    if (message.type() === 'error' && !wanted.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    if (!wanted.test(error.message)) complaints.push(error.stack ?? error.message);
  });
  page.on('request', (request) => {
    const address = request.url();
    const here = address.replace('//127.0.0.1:', '//localhost:');
    if (/^https?:/.test(here) && !here.startsWith(`${url}/`)) complaints.push(`asked another host: ${address}`);
  });
};

/** Keeps back the answers to an address until the function that this returns is called. */
export const holdAnswers = async (context: BrowserContext, address: string | RegExp): Promise<() => void> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

/** The button in the head of the page that shows the account. */
export const accountButton = /^(?:Signed in as|Not signed in)/;

/** Chooses an account in the head of the page: `visitor`, or the name of a demo account. */
export const actAs = async (page: Page, account: string): Promise<void> => {
  const shown = account === 'visitor' ? 'Not signed in' : `Signed in as ${account}`;
  const asNow = page.getByRole('button', { name: new RegExp(`^${shown}\\b`) });
  await page.getByRole('button', { name: accountButton }).waitFor();
  if (await asNow.isVisible()) return;
  await page.getByRole('button', { name: accountButton }).click();
  const command = account === 'visitor' ? 'Sign out' : `Sign in as ${account}`;
  await page.getByRole('menuitem', { name: command, exact: true }).click();
  await asNow.waitFor();
};

/**
 * Waits for the use that is guessed for a file. Playwright fills an input in two steps: a guess that comes between them stays in front of
 * what is typed.
 */
export const guessOfUse = async (form: Locator, guess = 'Original File'): Promise<Locator> => {
  const use = form.getByLabel('Use of the media');
  await until(async () => (await use.inputValue()) === guess, 'the guess');
  return use;
};

/** Judges the page by WCAG 2.2 AA. Returns what it breaks, as one line for each element. */
export const axe = async (page: Page): Promise<readonly string[]> => {
  // An evaluation by the debugger is not subject to the policy of the page; an element with the script would be.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axeSource);
  const found: unknown = await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + help + ': ' + html + ' ' + failureSummary)))`);
  return found as string[]; // as the evaluated text makes it
};

/** The texts that do not fit into their element, and what makes the page wider than the window. */
export const cutTexts = async (page: Page): Promise<readonly string[]> => {
  const found: unknown = await page.evaluate(`(() => {
    const told = (element) => element.tagName.toLowerCase() + '.' + element.className + ': ' + (element.textContent ?? '').slice(0, 60);
    const cut = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, clipPath, visibility } = getComputedStyle(element);
      if (visibility === 'hidden' || clipPath !== 'none' || element.clientWidth === 0) return false;
      return /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1;
    });
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return cut.map(told);
    const isWide = (element) => element.getBoundingClientRect().right > root.clientWidth + 1;
    return [...cut, ...[...document.querySelectorAll('main *')].filter(isWide).slice(0, 5)].map(told);
  })()`);
  return found as string[]; // as the evaluated text makes it
};

/**
 * Expects in both widths and themes that the page is accessible and cuts no text, and takes pictures. `main` is what the picture of a
 * telephone shows.
 */
export const checkLooks = async (page: Page, name: string, main?: Locator): Promise<void> => {
  const found: string[] = [];
  for (const width of widths) {
    for (const colorScheme of themes) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const look = `${name}-${width}-${colorScheme}`;
      if (takesPictures && width === 390) await main?.evaluate('(element) => element.scrollIntoView()');
      if (takesPictures) await takePictures(page, name, look);
      found.push(...[...(await axe(page)), ...(await cutTexts(page))].map((what) => `${look}: ${what}`));
    }
  }
  await page.setViewportSize({ width: widths[0], height });
  await page.emulateMedia({ colorScheme: 'light' });
  expect(found).toEqual([]);
};

/** The pictures of `docs/use`, by the names of the pages that tests look at. */
const shownInGuides: readonly string[] = [
  ...['overview', 'repository', 'object', 'object-links', 'media', 'upload', 'refusal'],
  ...['traffic-entry', 'differences', 'help', 'demo'],
];

const takePictures = async (page: Page, name: string, look: string): Promise<void> => {
  await mkdir(wholePages, { recursive: true });
  await page.screenshot({ path: join(wholePages, `${look}.png`), fullPage: true });
  if (!shownInGuides.includes(name)) return;
  for (const passing of [page.locator('.toast'), page.getByText(/^Loading/)])
    await passing.first().waitFor({ state: 'detached' });
  // Playwright makes no WebP, which has a third of the bytes.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  await mkdir(picturesOfGuides, { recursive: true });
  await writeFile(join(picturesOfGuides, `${look}.webp`), data, 'base64');
};

/** The width of the first picture of a selector as the browser has read it, in pixels. Rejects when it is no picture. */
export const pictureWidth = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const image = document.querySelector(${JSON.stringify(selector)});
    await image.decode();
    return image.naturalWidth;
  })()`);
