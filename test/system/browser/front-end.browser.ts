/** The way in for front ends, in a real browser: what docs/use/front-ends.md says. Run by `npm run test:suite -- browser`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startAtoll, type Atoll, type AtollOptions } from '../../../src/cli/entries/atoll.ts';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';

/** A server, whose pages under `/front` are of the same origin. */
type Served = { readonly atoll: Atoll; readonly server: Server; readonly url: string };
type Asked = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; status: number };

let script: string;
let served: Served;
let quiet: Served;
let pages: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What reached `served`. */
const asked: Asked[] = [];

const portOf = (server: Server): number => (server.address() as AddressInfo).port; // it listens on a port
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

/** The files of a front end. */
const frontEnd = (path: string): readonly [type: string, body: string] =>
  path.endsWith('/client.js')
    ? ['text/javascript', script]
    : ['text/html', '<!doctype html><title>A front end</title><script src="/front/client.js"></script>'];

const serve = async (options: AtollOptions): Promise<Served> => {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (url.startsWith('/front/')) {
      const [type, body] = frontEnd(url);
      response.setHeader('Content-Type', type).end(body);
      return;
    }
    const seen: Asked = { method, url, headers, status: 0 };
    asked.push(seen);
    response.on('finish', () => (seen.status = response.statusCode));
    atoll.middleware(request, response);
  });
  await listening(server);
  const url = `http://localhost:${portOf(server)}`;
  const atoll = await startAtoll({ ...options, port: false, baseUrl: url });
  return { atoll, server, url };
};

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/client/client.ts')],
    ...{ bundle: true, minify: true, write: false, format: 'iife', globalName: 'atoll', platform: 'browser' },
  });
  script = outputFiles[0]?.text ?? '';
  served = await serve({});
  quiet = await serve({ basicChallenge: 'outside-browsers' });
  pages = createServer((request, response) => {
    const [type, body] = frontEnd(request.url ?? '');
    response.setHeader('Content-Type', type).end(body);
  });
  await listening(pages);
  browser = await launchChromium();
}, 90_000);

afterAll(async () => {
  await browser.close();
  for (const server of [pages, served.server, quiet.server]) {
    server.close();
    server.closeAllConnections();
  }
  await Promise.all([served.atoll.close(), quiet.atoll.close()]);
});

beforeEach(async () => {
  await served.atoll.reset();
  asked.length = 0;
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`http://localhost:${portOf(pages)}/front/`);
});
afterEach(() => context.close());

/** Runs the body of an asynchronous function in the page; `url` is the server's. */
const inPage = <Result>(body: string, url = served.url): Promise<Result> =>
  page.evaluate<Result>(`(async () => {
    const url = ${JSON.stringify(url)};
    const { createClient, basic, bearer, session, bodyOf, plainOf, upload, isAtollError } = atoll;
    const passwords = { admin: 'islandora', editor: 'editor', viewer: 'viewer' };
    const as = (name) => createClient({ baseUrl: url, authentication: session({ name, password: passwords[name] }) });
    const create = async (client) => (await client.POST('/node', {
      body: bodyOf('node', { type: 'islandora_object', title: 'Of a page', field_model: 24 }),
    })).data;
    const authorOf = async (client) => (await create(client)).uid[0].target_id;
    const refusalOf = (work) => work.then(() => 'none', (error) => [isAtollError(error), error.status ?? error.message]);
    const shown = (source, crossOrigin) => new Promise((resolve) => {
      const image = new Image();
      if (crossOrigin) image.crossOrigin = crossOrigin;
      image.onload = () => resolve(image.naturalWidth);
      image.onerror = () => resolve('broken');
      image.src = source;
    });
    ${body}
  })()`);

const openFile = '/sites/default/files/2019-03/5-Service%20File.jpg';
const guardedFile = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';
const admin = 1;
const editor = 2;
const summaryOf = (): string[] => asked.map(({ method, url, status }) => `${method} ${url.split('?')[0]} ${status}`);

describe('A request of a page of another origin', () => {
  it('carries the headers that libraries add: the preflight allows what it is asked', async () => {
    const status = await inPage<number>(`return (await fetch(url + '/node/5?_format=json', { headers: {
      'If-None-Match': '"x"', 'X-Requested-With': 'XMLHttpRequest', 'X-Request-Id': '7',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    } })).status;`);
    expect(status).toBe(200);
    expect(summaryOf()).toEqual(['OPTIONS /node/5 204', 'GET /node/5 200']);
    expect(asked[0]?.headers['access-control-request-headers']).toContain('traceparent');
  });

  it('reads the headers of a download, and gets a part with 206', async () => {
    const seen = await inPage<Record<string, string | number | null>>(`
      const whole = await fetch(url + '${openFile}');
      const part = await fetch(url + '${openFile}', { headers: { Range: 'bytes=0-9' } });
      const of = (answer, name) => answer.headers.get(name);
      return { status: part.status, range: of(part, 'Content-Range'), accepts: of(whole, 'Accept-Ranges'),
        name: of(whole, 'Content-Disposition'), tag: of(whole, 'ETag'), length: (await part.arrayBuffer()).byteLength };`);
    expect(seen).toMatchObject({ status: 206, accepts: 'bytes', length: 10 });
    expect(seen['range']).toMatch(/^bytes 0-9\/\d+$/);
    expect(seen['name']).toMatch(/^inline; filename=/);
    expect(seen['tag']).toMatch(/^"[0-9a-f]{64}"$/);
  });

  it('with If-None-Match is answered 304, whatever the browser adds', async () => {
    const seen = await inPage<[number, number, number]>(`
      const tag = (await fetch(url + '${openFile}')).headers.get('ETag');
      const again = await fetch(url + '${openFile}', { headers: { 'If-None-Match': tag } });
      const other = await fetch(url + '${openFile}', { headers: { 'If-None-Match': '"other"' } });
      return [again.status, (await again.arrayBuffer()).byteLength, other.status];`);
    expect(seen).toEqual([304, 0, 200]);
    const conditional = asked.filter(({ method, headers }) => method === 'GET' && 'if-none-match' in headers);
    for (const { headers } of conditional) expect(headers['cache-control']).toMatch(/^(no-cache|max-age=0)$/);
  });
});

describe('A session of the client', () => {
  it('is that of the account it names: it ends the session of another one and logs in', async () => {
    const authors = await inPage<number[]>(`
      const [one, other] = [as('admin'), as('editor')];
      return [await authorOf(one), await authorOf(other), await authorOf(other), await authorOf(one)];`);
    expect(authors).toEqual([admin, editor, editor, admin]);
  });

  it('is the same after the page was loaded again, and another account’s is known then too', async () => {
    expect(await inPage<number>(`return authorOf(as('admin'));`)).toBe(admin);
    await page.reload();
    asked.length = 0;
    expect(await inPage<number>(`return authorOf(as('admin'));`)).toBe(admin);
    expect(summaryOf()).not.toContain('POST /user/logout 204');
    await page.reload();
    expect(await inPage<number>(`return authorOf(as('editor'));`)).toBe(editor);
    expect(summaryOf()).toContain('POST /user/logout 204');
  });

  it('throws, and writes nothing, where a session of another account was opened without the client', async () => {
    const seen = await inPage<unknown[]>(`
      await fetch(url + '/user/login?_format=json', { method: 'POST', credentials: 'include',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'admin', pass: 'islandora' }) });
      return [await refusalOf(authorOf(as('editor'))), await authorOf(as('admin'))];`);
    expect(seen).toEqual([
      [false, expect.stringMatching(/^The browser holds a session of "admin", not of "editor"/)],
      admin,
    ]);
    expect(summaryOf().filter((line) => line.startsWith('POST /node'))).toEqual(['POST /node 201']);
  });

  it('notices before an upload, too, that another page has logged in anew', async () => {
    await inPage(`globalThis.mine = as('editor'); globalThis.node = (await create(mine)).nid[0].value;`);
    const elsewhere = await context.newPage();
    await elsewhere.goto(`http://localhost:${portOf(pages)}/front/`);
    await elsewhere.evaluate(`(async () => {
      const authentication = atoll.session({ name: 'admin', password: 'islandora' });
      const client = atoll.createClient({ baseUrl: ${JSON.stringify(served.url)}, authentication });
      await client.GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
    })()`);
    const author = await inPage<number>(`
      const to = { node, mediaType: 'file', use: 16 };
      await upload(mine, { to, body: new Blob(['x'], { type: 'text/plain' }), location: 'public://whose.txt' });
      const { data } = await mine.GET('/node/{node_id}/media', { params: { path: { node_id: node } } });
      return data[0].uid[0].target_id;`);
    expect(author).toBe(editor);
  });

  it('says so where the browser keeps no cookie, because page and server are of different sites', async () => {
    await page.goto(`http://127.0.0.1:${portOf(pages)}/front/`);
    expect(await inPage(`return refusalOf(create(as('editor')));`)).toEqual([
      false,
      expect.stringMatching(/^The browser does not keep the cookie of the login/),
    ]);
    const byToken = `return authorOf(createClient({ baseUrl: url, authentication: bearer(basic('editor', 'editor')) }));`;
    expect(await inPage<number>(byToken)).toBe(editor);
  });
});

/** A plain `fetch` with cookies would wait for the dialog in each of these, on both pages. */
describe.each(['the same origin', 'another origin'])('A 401 with a challenge, on a page of %s,', (which) => {
  beforeEach(async () => {
    if (which === 'the same origin') await page.goto(`${served.url}/front/`);
  });

  it('does not hold up a client without a session: it throws', async () => {
    expect(
      await inPage(`
        const client = createClient({ baseUrl: url, authentication: session() });
        return [await refusalOf(create(client)), await refusalOf(client.GET('/media/{media_id}', { params: { path: { media_id: 1 } } })),
          await refusalOf(upload(client, { to: { node: 1, mediaType: 'file', use: 16 }, body: new Blob(['x']), location: 'public://a.txt', onProgress: () => {} })),
          await refusalOf(create(createClient({ baseUrl: url, authentication: bearer(session()) })))];`),
    ).toEqual([
      [true, 401],
      [true, 401],
      [true, 401],
      [true, 401],
    ]);
  });

  it('does not hold up a client whose session has just ended: it throws, and logs in for the next request', async () => {
    await inPage(`globalThis.mine = as('editor'); await create(mine);`);
    // Nobody tells the browser. It forgets the cookie with the next answer, and the client does not see that.
    await served.atoll.reset();
    const seen = await inPage<unknown[]>(`
      await fetch(url + '/node/1?_format=json', { credentials: 'include' });
      return [await refusalOf(create(mine)), await refusalOf(authorOf(mine))];`);
    expect(seen[1]).toBe('none');
    // The session counts as there for a while. When the loaded machine took longer, the client has asked and has logged in anew.
    const unknown = 'The session ended before the request was answered. Whether a write was carried out is not known.';
    expect(['none', [false, unknown]]).toContainEqual(seen[0]);
  });
});

describe('A server that challenges outside browsers', () => {
  it.each(['the same origin', 'another origin'])(
    'answers fetch with cookies at once: 401 without a challenge, on a page of %s',
    async (which) => {
      if (which === 'the same origin') await page.goto(`${quiet.url}/front/`);
      const read = `const { status, headers } = await fetch(url + '/media/1?_format=json', { credentials: 'include' });
        return [status, headers.get('WWW-Authenticate')];`;
      expect(await inPage(read, quiet.url)).toEqual([401, null]);
      expect(await inPage(`return shown(url + '${guardedFile}');`, quiet.url)).toBe('broken');
    },
  );
});

describe('A guarded image', () => {
  it('is shown to the session of the browser, on another port of the same host', async () => {
    expect(
      await inPage(`await as('viewer').GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
      return shown(url + '${guardedFile}');`),
    ).toBeGreaterThan(0);
  });

  it('is shown from its bytes to who has a token, on a page of another site too', async () => {
    await page.goto(`http://127.0.0.1:${portOf(pages)}/front/`);
    expect(
      await inPage(`
      const client = createClient({ baseUrl: url, authentication: bearer(basic('viewer', 'viewer')) });
      const address = URL.createObjectURL(await (await client.fetch(url + '${guardedFile}')).blob());
      const width = await shown(address);
      URL.revokeObjectURL(address);
      return width;`),
    ).toBeGreaterThan(0);
  });

  it('is broken at once, without a dialog, where the element sends no credentials', async () => {
    expect(await inPage(`return shown(url + '${guardedFile}', 'anonymous');`)).toBe('broken');
  });
});

describe('An upload under the fault slow-upload', () => {
  const start = `
    const headers = () => ({ 'Atoll-Fault': 'slow-upload;bytesPerSecond=20000000' });
    const client = createClient({ baseUrl: url, authentication: basic('admin', 'islandora'), headers });
    const to = { node: 1, mediaType: 'file', use: 16 };
    const body = new Blob([new Uint8Array(40_000_000)], { type: 'text/plain' });
    const steps = [];`;

  it('shows its progress, and is stored whole: 201', async () => {
    const [created, steps] = await inPage<[boolean, number[]]>(`${start}
      const onProgress = ({ sent }) => steps.push(sent);
      const { created } = await upload(client, { to, body, location: 'public://slow.txt', onProgress });
      return [created, steps];`);
    expect(created).toBe(true);
    expect(steps.at(-1)).toBe(40_000_000);
    expect(steps.filter((sent) => sent < 40_000_000).length).toBeGreaterThan(2);
    expect([...steps].sort((a, b) => a - b)).toEqual(steps);
    const stored = await served.atoll.fetch('/sites/default/files/slow.txt');
    expect([stored.status, (await stored.arrayBuffer()).byteLength]).toEqual([200, 40_000_000]);
  });

  it('can be given up in the middle: nothing is stored', async () => {
    const message = await inPage<string>(`${start}
      const giveUp = new AbortController();
      const onProgress = () => giveUp.abort(new Error('enough'));
      return upload(client, { to, body, location: 'public://given-up.txt', onProgress, signal: giveUp.signal })
        .then(() => 'stored', (error) => error.message);`);
    expect(message).toBe('enough');
    expect((await served.atoll.fetch('/sites/default/files/given-up.txt')).status).toBe(404);
  });
});
