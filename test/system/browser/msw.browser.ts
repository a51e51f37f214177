/**
 * MSW 2 and 3 in real Chromium: cookies, bytes, streams and cut connections of a repository in the page. Run by
 * `npm run test:suite -- browser`.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { builtEngine } from '../../../scripts/built-engine.mjs';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';

/** Nobody is there: what MSW does not answer fails. */
const baseUrl = 'https://repository.example.org/base';

let server: Server;
let browser: Browser;
let page: Page;
let packages: string;

/**
 * The folder in which MSW 3 is installed. This repository has MSW 2, as MSW 3 wants a newer Node than the oldest that Atoll
 * runs on; a page does not care.
 */
const folderOfMsw3 = async (): Promise<string> => {
  const folder = join(root, 'coverage/msw-3');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--prefer-offline', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, 'msw@3.0.5'], { cwd: folder, stdio: 'inherit' });
  return folder;
};

/** Takes MSW from the packages of a folder. */
const mswFrom = (folder: string): Plugin => ({
  name: 'msw',
  setup: (build) =>
    build.onResolve({ filter: /^msw(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === 'found' ? undefined : build.resolve(path, { kind, resolveDir: folder, pluginData: 'found' }),
    ),
});

/** The script of the page. It puts the repository and what the tests do with it at `globalThis.atoll`. */
const script = (folder: string): string => `
import { setupWorker } from 'msw/browser';
import { createAtoll } from ${JSON.stringify(join(folder, 'browser.js'))};
import { site } from ${JSON.stringify(join(folder, 'default-site.js'))};
import { atollHandlers } from ${JSON.stringify(join(root, 'src/browser/msw.ts'))};
const atoll = await createAtoll({ site, baseUrl: '${baseUrl}' });
await setupWorker(...atollHandlers(atoll)).start({ quiet: true, onUnhandledFrame: 'bypass', onUnhandledRequest: 'bypass' });
globalThis.atoll = atoll;
globalThis.ask = async (path, { body, ...init } = {}) => {
  const response = await fetch('${baseUrl}' + path, { ...init, body });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text(), url: response.url };
};
document.title = 'started';
`;

const inPage = <Result>(expression: string): Promise<Result> => page.evaluate<Result>(`(async () => ${expression})()`);

type Asked = { status: number; headers: Record<string, string>; body: string; url: string };
const ask = (path: string, init: RequestInit = {}): Promise<Asked> =>
  inPage(`ask(${JSON.stringify(path)}, ${JSON.stringify(init)})`);

const authorization = `Basic ${Buffer.from('editor:editor').toString('base64')}`;
const write = (method: string, content: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(content),
});
const renaming = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'From a page' }] };
const node = '/node/1?_format=json';

describe.each([2, 3])('A page with MSW %i', (version) => {
  beforeAll(async () => {
    const folder = await builtEngine();
    packages = version === 3 ? await folderOfMsw3() : root;
    const { outputFiles } = await bundle({
      stdin: { contents: script(folder), resolveDir: root },
      plugins: [mswFrom(packages)],
      ...{ bundle: true, format: 'esm', target: 'es2022', write: false, logLevel: 'error' },
    });
    const files: Record<string, [string, string | Uint8Array]> = {
      '/': ['text/html', '<!doctype html><title>MSW</title><script type="module" src="/page.js"></script>'],
      '/page.js': ['text/javascript', outputFiles[0]?.contents ?? ''],
      '/own.json': ['application/json', '{"own":true}'],
      '/mockServiceWorker.js': [
        'text/javascript',
        await readFile(join(packages, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'),
      ],
    };
    server = createServer(({ url = '' }, response) => {
      const [type, content] = files[url] ?? ['text/plain', ''];
      response.writeHead(files[url] === undefined ? 404 : 200, { 'Content-Type': type }).end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`); // it listens on a port
    await page.waitForFunction("document.title === 'started'", undefined, { timeout: 60_000 });
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  afterEach(() => inPage('atoll.reset().then(() => atoll.faults.clear())'));

  it('has the version that is named', async () => {
    const manifest = await readFile(join(packages, 'node_modules/msw/package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ version: expect.stringMatching(`^${version}\\.`) });
  });

  it('reads and writes at an address where nobody is, and reads its own files', async () => {
    const read = await ask(node);
    expect(read).toMatchObject({ status: 200, url: baseUrl + node });
    expect(read.headers['link']).toContain(`<${baseUrl}/`);
    expect((await ask(node, write('PATCH', renaming, { authorization }))).status).toBe(200);
    expect((await ask(node)).body).toContain('From a page');
    expect(await inPage("fetch('/own.json').then((response) => response.json())")).toEqual({ own: true });
    expect(await inPage("fetch('https://repository.example.org/elsewhere').catch(({ name }) => name)")).toBe(
      'TypeError',
    );
  });

  it('logs in, changes something with the CSRF token, and logs out', async () => {
    const included: RequestInit = { credentials: 'include' };
    const login = await ask('/user/login?_format=json', {
      ...write('POST', { name: 'editor', pass: 'editor' }),
      ...included,
    });
    const { csrf_token: token, logout_token: logout } = JSON.parse(login.body) as Record<string, string>;
    const status = async (init: RequestInit) => (await ask(node, init)).status;
    const change = (headers?: Record<string, string>) => write('PATCH', renaming, headers);
    expect(await status({ ...change(), ...included })).toBe(403);
    expect(await status({ ...change({ 'X-CSRF-Token': token ?? '' }), ...included })).toBe(200);
    // Another origin gets cookies only with credentials.
    expect(await status(change({ 'X-CSRF-Token': token ?? '' }))).toBe(401);
    const out = await ask(`/user/logout?_format=json&token=${logout}`, { method: 'POST', ...included });
    expect(out.status).toBe(204);
    expect(await status({ ...change({ 'X-CSRF-Token': token ?? '' }), ...included })).toBe(401);
  });

  it('uploads by fetch and by XMLHttpRequest, reads ranges, and is told what it has', async () => {
    const put = (location: string) =>
      `['PUT', '${baseUrl}/node/3/media/file/17', { authorization: '${authorization}', 'content-type': 'text/plain', 'content-location': 'public://msw/${location}' }, new Blob(['0123456789'.repeat(50_000)])]`;
    const byFetch = `(([method, url, headers, body]) => fetch(url, { method, headers, body }).then(({ status }) => status))(${put('fetch.txt')})`;
    expect(await inPage(byFetch)).toBe(201);
    const byRequest = `(([method, url, headers, body]) => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.onload = () => resolve(request.status);
      request.onerror = () => reject(new Error('The request failed.'));
      request.send(body);
    }))(${put('request.txt')})`;
    expect(await inPage(byRequest)).toBe(204);
    const path = '/sites/default/files/msw/fetch.txt';
    const part = await ask(path, { headers: { Range: 'bytes=499995-' } });
    expect(part).toMatchObject({ status: 206, body: '56789' });
    expect(part.headers['content-range']).toBe('bytes 499995-499999/500000');
    const whole = await ask(path);
    expect(whole.body).toHaveLength(500_000);
    const known = await ask(path, { headers: { 'If-None-Match': whole.headers['etag'] ?? '' } });
    expect([known.status, known.body]).toEqual([304, '']);
  });

  it('shows a picture of the repository in an img element', async () => {
    const width = await inPage(`(async () => {
      const png = await new OffscreenCanvas(3, 2).getContext('2d').canvas.convertToBlob();
      const headers = { authorization: '${authorization}', 'content-type': 'image/png', 'content-location': 'public://msw/picture.png' };
      await fetch('${baseUrl}/node/3/media/image/16', { method: 'PUT', headers, body: png });
      const picture = new Image();
      picture.src = '${baseUrl}/sites/default/files/msw/picture.png';
      await picture.decode();
      return picture.naturalWidth;
    })()`);
    expect(width).toBe(3);
  });

  it('is told of lost connections before and within an answer, and of what it gives up itself', async () => {
    const outcome = (init = '{}') =>
      inPage(
        `fetch('${baseUrl}${node}', ${init}).then((response) => response.text()).then(() => 'read', ({ name }) => name)`,
      );
    const during = async (fault: string) => {
      await inPage(`atoll.faults.add({ fault: '${fault}' })`);
      const seen = await outcome();
      await inPage('atoll.faults.clear()');
      return seen;
    };
    expect(await during('connection-reset')).toBe('TypeError');
    expect(await during('cut-answer')).toBe('TypeError');
    await inPage("atoll.faults.add({ fault: 'latency', parameters: { ms: 60_000 } })");
    const givenUp =
      '{ signal: (() => { const c = new AbortController(); setTimeout(() => c.abort()); return c.signal; })() }';
    expect(await outcome(givenUp)).toBe('AbortError');
    await inPage('atoll.faults.clear()');
    expect(await outcome()).toBe('read');
  });

  it('reads an answer while it arrives', async () => {
    await inPage("atoll.faults.add({ fault: 'slow-answer', parameters: { bytesPerSecond: 4000 } })");
    const chunks = await inPage<number>(`(async () => {
      const reader = (await fetch('${baseUrl}${node}')).body.getReader();
      let chunks = 0;
      while (chunks < 3 && !(await reader.read()).done) chunks += 1;
      await reader.cancel();
      return chunks;
    })()`);
    expect(chunks).toBe(3);
  });
});
