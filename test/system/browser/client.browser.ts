/** The client in headless Chromium, on a page of another origin: CORS, cookies, links, uploads. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createClock, root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let pages: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

/** The client as a page loads it, under the name `atoll`. */
const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/client/client.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'iife', globalName: 'atoll', platform: 'browser' },
  });
  return outputFiles[0]?.text ?? '';
};

beforeAll(async () => {
  server = await startServer({ clock: createClock() });
  const script = await bundle();
  pages = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>A front end</title><script src="/client.js"></script>');
  });
  await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve));
  browser = await launchChromium();
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`); // it listens on a port
}, 60_000);

afterAll(async () => {
  await browser.close();
  pages.close();
  await server.stop();
  expect(server.errors).toEqual([]);
});

/** Runs the body of an asynchronous function in the page; `url` is the server's, `atoll` the client's module. */
const inPage = <Result>(body: string): Promise<Result> =>
  page.evaluate<Result>(`(async () => {
    const url = ${JSON.stringify(server.url)};
    const { ${names.join(', ')} } = atoll;
    const newNode = async (client) => plainOf((await client.POST('/node', {
      body: bodyOf('node', { type: 'islandora_object', title: 'Of a browser', field_model: 24 }),
    })).data).nid;
    ${body}
  })()`);
const names = [
  ...['createClient', 'basic', 'bearer', 'session', 'bodyOf', 'plainOf', 'linksNamed', 'upload', 'uploadFile'],
  'isAtollError',
];

describe('on a page of another origin', () => {
  it('the client is of another origin than the server', () => {
    expect(new URL(page.url()).origin).not.toBe(server.url);
  });

  it('takes a path for the address of the server', async () => {
    const address = await inPage<string>(`return createClient({ baseUrl: '/api/' }).connection.exchange.baseUrl;`);
    expect(address).toBe(`${new URL(page.url()).origin}/api`);
  });

  it('reads with 200, sees the Link header and follows a link', async () => {
    const seen = await inPage<{ canonical: string; related: number }>(`
      const client = createClient({ baseUrl: url, authentication: basic('admin', 'islandora') });
      const read = await client.GET('/node/{node_id}', { params: { path: { node_id: 3 } } });
      const parent = await client.follow(read, 'related', { title: 'Member of' });
      return { canonical: linksNamed(read.links, 'canonical')[0].target, related: plainOf(parent.data).nid };`);
    expect(seen).toEqual({ canonical: `${server.url}/node/3`, related: expect.any(Number) });
  });

  it('creates with 201 after a preflight, and sees the Location header', async () => {
    const preflights: string[] = [];
    const note = (message: unknown): void => {
      const { method, url } = (message as { request: IncomingMessage }).request; // Node: http.server.request.start
      if (method === 'OPTIONS') preflights.push(new URL(url ?? '', server.url).pathname);
    };
    subscribe('http.server.request.start', note);
    const location = await inPage<string>(`
      const client = createClient({ baseUrl: url, authentication: bearer(basic('editor', 'editor')) });
      const body = bodyOf('node', { type: 'islandora_object', title: 'Of a browser', field_model: 24 });
      return (await client.POST('/node', { body })).response.headers.get('Location');`);
    expect(location).toMatch(new RegExp(`^${server.url}/node/\\d+$`));
    unsubscribe('http.server.request.start', note);
    expect(preflights).toEqual(['/jwt/token', '/node']);
  });

  it('throws typed refusals: 401 without a dialogue, 403 and 404 with their messages', async () => {
    const refusals = await inPage<unknown[]>(`
      const of = async (promise) => promise.then(() => 'none', (error) => [isAtollError(error), error.status, error.message]);
      const body = bodyOf('node', { type: 'islandora_object', title: 'x', field_model: 24 });
      const params = { path: { node_id: 9999 } };
      return [
        await of(createClient({ baseUrl: url }).POST('/node', { body })),
        await of(createClient({ baseUrl: url, authentication: basic('plain', 'plain') }).POST('/node', { body })),
        await of(createClient({ baseUrl: url }).GET('/node/{node_id}', { params })),
      ];`);
    expect(refusals).toEqual([
      [true, 401, expect.any(String)],
      [true, 403, 'HTTP 403'],
      [true, 404, expect.stringContaining('"node" parameter was not converted')],
    ]);
  });

  it('logs in, writes with the cookie of the browser and its CSRF token (201), and logs out (204)', async () => {
    server.answers.length = 0;
    const title = await inPage<string>(`
      const authentication = session({ name: 'editor', password: 'editor' });
      const client = createClient({ baseUrl: url, authentication });
      const node = await newNode(client);
      // Another page of the same browser: the session is there already.
      const other = createClient({ baseUrl: url, authentication: session() });
      const { data } = await other.PATCH('/node/{node_id}', {
        params: { path: { node_id: node } }, body: bodyOf('node', { type: 'islandora_object', title: 'Of another page' }),
      });
      const again = createClient({ baseUrl: url, authentication: session({ name: 'editor', password: 'editor' }) });
      await newNode(again);
      await authentication.logout();
      return plainOf(data).title;`);
    expect(title).toBe('Of another page');
    expect(server.answers).toEqual([
      ...['login 200', 'getLoginStatus 200', 'getSessionToken 200', 'createNode 201'],
      ...['getSessionToken 200', 'getLoginStatus 200', 'updateNode 200'],
      ...['login 403', 'getSessionToken 200', 'createNode 201', 'logout 204'],
    ]);
    expect(await context.cookies(server.url)).toEqual([]);
  });

  it('uploads a Blob and a stream with progress: 201, then 204, and the content comes back', async () => {
    const seen = await inPage<Record<string, unknown>>(`
      const client = createClient({ baseUrl: url, authentication: bearer(basic('admin', 'islandora')) });
      const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
      const steps = [];
      const to = { node: await newNode(client), mediaType: 'file', use: 16 };
      const made = await upload(client, {
        to, body: new Blob([bytes], { type: 'text/plain' }), location: 'public://browser/Grüße.txt',
        onProgress: (step) => steps.push(step),
      });
      const stream = () => new Blob(['a stream']).stream();
      const replaced = await upload(client, { to, body: stream(), onProgress: (step) => steps.push(step) });
      const media = await client.open({ target: made.media, rel: 'related' });
      const content = await client.follow(media, 'describes');
      return { created: [made.created, replaced.created], same: made.media === replaced.media,
        text: await content.data.text(), steps, target: linksNamed(media.links, 'describes')[0].target };`);
    const steps = seen['steps'] as { sent: number; total: number }[]; // as onProgress got them
    expect(seen).toMatchObject({ created: [true, false], same: true, text: 'a stream' });
    expect(seen['target']).toContain('/browser/Gr%C3%BC%C3%9Fe.txt');
    expect(steps.filter(({ total }) => total === 3_000_000).at(-1)).toEqual({ sent: 3_000_000, total: 3_000_000 });
    expect(steps.at(-1)).toEqual({ sent: 8, total: 8 });
  });

  it('uploads by the standard upload with 201, whose header is allowed too', async () => {
    const name = await inPage<string>(`
      const client = createClient({ baseUrl: url, authentication: basic('admin', 'islandora') });
      const to = { entityType: 'media', bundle: 'file', field: 'field_media_file' };
      return plainOf((await uploadFile(client, { to, body: new File(['x'], 'von hier.txt') })).data).filename;`);
    expect(name).toBe('von hier.txt');
  });

  it('sends the headers of the caller with uploads that tell their progress, but not to another server', async () => {
    const worlds: string[] = [];
    const note = (message: unknown): void => {
      const { method, url, headers } = (message as { request: IncomingMessage }).request; // Node: http.server.request.start
      const isHere = headers.host === new URL(server.url).host;
      if (method === 'PUT')
        worlds.push(`${isHere ? 'here' : 'elsewhere'} ${url ?? ''}: ${String(headers['atoll-world'])}`);
    };
    subscribe('http.server.request.start', note);
    await inPage(`
      const authentication = basic('admin', 'islandora');
      const client = createClient({ baseUrl: url, authentication, headers: () => ({ 'Atoll-World': 'main' }) });
      const to = { node: await newNode(client), mediaType: 'file', use: 16 };
      const onProgress = () => {};
      const { media } = await upload(client, { to, body: new Blob(['x']), location: 'public://headers/x.txt', onProgress });
      await upload(client, { to: { target: media + '/source' }, body: new Blob(['y']), onProgress });
      await upload(client, { to: { target: location.origin + '/media/1/source' }, body: new Blob(['z']), onProgress });`);
    unsubscribe('http.server.request.start', note);
    expect(worlds).toEqual([
      expect.stringMatching(/^here \/node\/\d+\/media\/file\/16: main$/),
      expect.stringMatching(/^here \/media\/\d+\/source: main$/),
      'elsewhere /media/1/source: undefined',
    ]);
  });

  it('throws the refusal of an upload, 404, and its end, when it is given up', async () => {
    const seen = await inPage<unknown[]>(`
      const client = createClient({ baseUrl: url, authentication: basic('admin', 'islandora') });
      const body = new Blob([new Uint8Array(30_000_000)]);
      const missing = await upload(client, {
        to: { node: 9999, mediaType: 'file', use: 16 }, body: new Blob(['x']), location: 'public://a.txt', onProgress: () => {},
      }).catch((error) => [isAtollError(error, 404), error.message]);
      const giveUp = new AbortController();
      const given = await upload(client, {
        to: { node: 1, mediaType: 'file', use: 16 }, body, location: 'public://b.txt', signal: giveUp.signal,
        onProgress: () => giveUp.abort(new Error('enough')),
      }).catch((error) => error.message);
      return [missing, given];`);
    expect(seen).toEqual([[true, expect.stringContaining('"node" parameter')], 'enough']);
  });
});
