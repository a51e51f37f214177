/**
 * The engine without Node where front ends run it: the same twenty requests, with the same assertions, in each: `npm run
 * test:suite -- runtimes`. It installs Deno, Bun, jsdom, happy-dom and Cloudflare's workerd into a temporary folder, about 390 MB.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build as bundle } from 'esbuild';
import { root } from '../../support/atoll.ts';
import { startServer } from '../../support/server.ts';

type Outcome = { readonly name: string; readonly error?: string };

const run = promisify(execFile);
const chromiumFile = '/usr/bin/chromium';
const programs = join(import.meta.dirname, 'programs');
const patience = 240_000;

/** The engine, the requests and the programs, side by side. */
const files = ['browser.js', 'default-site.js', 'shared-bytes.js'];
const scripts = [
  ...['print-outcomes.mjs', 'print-outcomes-in-jsdom.mjs', 'print-client-outcomes.mjs'],
  ...['edge-worker.mjs', 'page.mjs', 'worker.mjs'],
];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-runtimes-'));
  const { stdout } = await run(process.execPath, [join(root, 'scripts/built-engine.mjs')]);
  const engine = stdout.trim();
  for (const name of files) await copyFile(join(engine, name), join(folder, name));
  await bundle({
    ...{ bundle: true, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], external: ['msw'] },
    entryPoints: { client: join(root, 'src/client/client.ts'), msw: join(root, 'src/browser/msw.ts') },
    outdir: folder,
  });
  for (const name of scripts) await copyFile(join(programs, name), join(folder, name));
  for (const name of ['requests.mjs', 'package.json']) {
    await copyFile(join(import.meta.dirname, name), join(folder, name));
  }
  await run('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
}, patience);
afterAll(() => rm(folder, { recursive: true, force: true }), patience);

const expectAll = (outcomes: readonly Outcome[]): void => {
  expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(outcomes).toHaveLength(20);
};

/** Runs a program of the folder to its end. */
const printed = async (command: string, ...args: readonly string[]): Promise<Outcome[]> => {
  const { stdout } = await run(command, args, { cwd: folder, timeout: patience });
  return JSON.parse(stdout) as Outcome[]; // the program printed it
};
const installed = (name: string): string => join(folder, 'node_modules/.bin', name);

describe('Twenty requests get their answers', () => {
  it(
    'in Deno, which may read its own files alone',
    async () => {
      const allowed = `--allow-read=${folder}`;
      expectAll(await printed(installed('deno'), 'run', '--no-prompt', '--no-lock', allowed, 'print-outcomes.mjs'));
    },
    patience,
  );

  it(
    'in Bun',
    async () => {
      expectAll(await printed(installed('bun'), 'run', 'print-outcomes.mjs'));
    },
    patience,
  );

  it(
    'in Node, with the globals of jsdom',
    async () => {
      expectAll(await printed(process.execPath, 'print-outcomes-in-jsdom.mjs', folder));
    },
    patience,
  );

  it.each(['jsdom', 'happy-dom'])(
    'in Node, with the globals of %s: uploads of the client, with MSW and with a server',
    async (name) => {
      const server = await startServer();
      try {
        const outcomes = await printed(process.execPath, 'print-client-outcomes.mjs', folder, name, server.url);
        expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
        expect(outcomes).toHaveLength(15);
      } finally {
        await server.stop();
      }
    },
    patience,
  );

  it(
    'in workerd, without its modules of Node',
    async () => {
      const { Miniflare } = createRequire(join(folder, 'package.json'))('miniflare') as MiniflareModule;
      const modules = ['edge-worker.mjs', 'requests.mjs', ...files].map((name) => ({
        type: 'ESModule' as const,
        path: join(folder, name),
      }));
      const edge = new Miniflare({ modules, modulesRoot: folder, compatibilityDate: '2026-01-01' });
      try {
        const response = await edge.dispatchFetch('http://localhost/');
        const text = await response.text();
        // What workerd says itself is not JSON.
        expect(text).toMatch(/^\[/);
        expectAll(JSON.parse(text) as Outcome[]); // the worker sent it
      } finally {
        await edge.dispose();
      }
    },
    patience,
  );
});

/** The part of it that is used. */
type MiniflareModule = {
  readonly Miniflare: new (options: object) => {
    dispatchFetch(address: string): Promise<Response>;
    dispose(): Promise<void>;
  };
};

describe('Twenty requests get their answers in Chromium, where the page allows its own scripts alone,', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (!existsSync(chromiumFile))
      throw new Error(`${chromiumFile} cannot be found. On Debian: apt-get install chromium`);
    server = createServer((request, response) => {
      void serve(request.url ?? '/').then(
        ({ type, bytes }) =>
          response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const { port } = server.address() as AddressInfo; // of a server that listens
    await page.goto(`http://127.0.0.1:${port}/`, { timeout: patience });
    await page.waitForFunction('globalThis.places !== undefined', undefined, { timeout: patience });
  }, patience);
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  }, patience);

  const policy = "default-src 'none'; script-src 'self'; worker-src 'self'";
  const serve = async (address: string): Promise<{ type: string; bytes: string | Buffer }> =>
    address === '/'
      ? {
          type: 'text/html',
          bytes: '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.mjs"></script>',
        }
      : { type: 'text/javascript', bytes: await readFile(join(folder, address.slice(1))) };

  it.each(['a page', 'a web worker', 'a service worker'])(
    'in %s',
    async (place) => {
      const outcomes = await page.evaluate<Outcome[]>(`globalThis.places[${JSON.stringify(place)}]()`);
      expectAll(outcomes);
      expect(complaints.filter((text) => !text.includes('data:,'))).toEqual([]);
    },
    patience,
  );

  it('and a text cannot become code there', async () => {
    expect(await page.evaluate('document.readyState')).toBe('complete');
    const refused = await page.evaluate<string>(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ blockedURI }) => resolve(blockedURI));
      const script = document.createElement('script');
      script.textContent = '1';
      document.head.append(script);
    })`);
    expect(refused).toBe('inline');
  });
});
