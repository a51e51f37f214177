/** The repository in a service worker, in headless Chromium, on a static host. Run by `npm run test:suite -- browser`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { launchChromium } from '../../support/chromium.mjs';
import { startHost, type Host } from './service-worker-host.ts';
import { withTitle, withUpload } from './service-worker-texts.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let host: Host;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  host = await startHost();
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await host.close();
});

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
  await page.goto(`${host.url}/`);
  host.asked.length = 0;
});

afterEach(async () => {
  await context.close();
});

/** Runs the body of an asynchronous function in the page. `atoll` is what `start` has left there. */
const inPage = <Result>(body: string): Promise<Result> => page.evaluate<Result>(`(async () => { ${body} })()`);

/** Starts the worker in the page. `options` is the text of its options. */
const start = (options = '{}'): Promise<unknown> =>
  inPage(`globalThis.atoll = await startServiceWorker(${options}); return null;`);

describe('The first load', () => {
  it('is answered by the worker, headers and all, and nothing below the prefix reaches the host', async () => {
    await start();
    const read = await inPage<{ link: string }>(`
      const response = await fetch('/repo/node/1?_format=json');
      const unknown = await fetch('/repo/nowhere?_format=json');
      const refused = await fetch('/repo/node', { method: 'POST' });
      return {
        ...{ url: atoll.url, nid: (await response.json()).nid[0].value, status: response.status, link: response.headers.get('link') },
        ...{ unknown: unknown.status, challenge: refused.headers.get('www-authenticate'), allow: response.headers.get('allow') },
      };`);
    expect(read).toMatchObject({ url: `${host.url}/repo`, nid: 1, status: 200, unknown: 404 });
    expect(read.link).toContain(`<${host.url}/repo/node/1>; rel="canonical"`);
    expect(host.asked).toContain('/atoll-sw.js');
    expect(host.asked.filter((path) => path.startsWith('/repo'))).toEqual([]);
  });

  it('gives the commands of the server to the page', async () => {
    await start();
    const seen = await inPage(`
      const token = await atoll.token('admin');
      const rename = (to, url) => fetch(url + '/node/1?_format=json', {
        method: 'PATCH', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
        body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: to }] }),
      }).then(({ status }) => status);
      const title = async (url) => (await (await fetch(url + '/node/1?_format=json')).json()).title[0].value;
      const first = await title(atoll.url);
      const world = await atoll.world('other');
      const statuses = [await rename('changed', atoll.url)];
      const inWorld = await title(world.url);
      await atoll.snapshots.save('changed');
      await atoll.reset();
      const afterReset = await title(atoll.url);
      await atoll.reset('changed');
      const restored = await title(atoll.url);
      return {
        statuses, inWorld: inWorld === first, afterReset: afterReset === first, restored,
        worlds: (await atoll.worlds()).map(({ name }) => name), accounts: atoll.accounts.map(({ name }) => name).includes('admin'),
        health: (await atoll.health()).status, traffic: (await atoll.countTraffic({ method: 'PATCH' })).count,
      };`);
    expect(seen).toEqual({
      ...{ statuses: [200], inWorld: true, afterReset: true, restored: 'changed' },
      ...{ worlds: ['main', 'other'], accounts: true, health: 'ok', traffic: 1 },
    });
  });
});

describe('The policy of the page', () => {
  it('forbids code made of text, and all the same the worker answers and validates', async () => {
    await start();
    const seen = await inPage(`
      const refusals = [];
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => refusals.push(violatedDirective));
      const script = document.createElement('script');
      script.textContent = 'document.title = "ran"';
      document.head.append(script);
      const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: 5 });
      const refused = await fetch('/repo/node?_format=json', {
        method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Basic ' + btoa('admin:islandora') }, body,
      });
      return { title: document.title, refusals, status: refused.status, message: (await refused.json()).message };`);
    expect(seen).toEqual({
      ...{ title: 'A front end', refusals: ['script-src-elem'] },
      ...{ status: 422, message: 'Field values for "title" must use an array structure' },
    });
  });
});

describe('A navigation', () => {
  it('shows the page of a record', async () => {
    await start();
    const response = await page.goto(`${host.url}/repo/node/1`);
    expect([response?.status(), response?.fromServiceWorker()]).toEqual([200, true]);
    expect(await page.locator('h1').textContent()).toBe('Saltmarsh Quay Local History Archive');
  });
});

describe('A session', () => {
  it('has its cookie in the worker: writes with the token, and images of guarded files', async () => {
    await start();
    const seen = await inPage(`${withUpload}
      const canvas = document.createElement('canvas');
      canvas.width = 12;
      const png = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
      const { media, content } = await store(png, 'fedora://guarded/12.png', 'image');
      await admin.PATCH('/media/{media_id}', {
        params: { path: { media_id: Number(media.split('/').at(-1)) } }, body: bodyOf('media', { bundle: 'image', status: false }),
      });
      const widthOf = async () => {
        const image = new Image();
        image.src = content;
        await image.decode().catch(() => undefined);
        return image.naturalWidth;
      };
      const status = (credentials) => fetch(content, { credentials }).then((response) => response.status);
      const visitor = await status('include'); // a dialog of the browser would keep it waiting
      const before = await widthOf();
      const authentication = session({ name: 'admin', password: 'islandora' });
      const client = createClient({ baseUrl: atoll.url, authentication });
      const made = await client.POST('/node', { body: bodyOf('node', { type: 'islandora_object', title: 'By session', field_model: 24 }) });
      const within = await widthOf();
      const omitted = await status('omit');
      const sent = await status('same-origin');
      const world = await atoll.world('apart');
      const loginStatus = async (url) => (await fetch(url + '/user/login_status?_format=json')).text();
      const apart = [await loginStatus(atoll.url), await loginStatus(world.url)];
      await authentication.logout();
      return { visitor, before, made: made.response.status, within, omitted, sent, apart, after: await widthOf(), cookies: document.cookie };`);
    expect(seen).toEqual({
      ...{
        visitor: 401,
        before: 0,
        made: 201,
        within: 12,
        omitted: 401,
        sent: 200,
        apart: ['1', '0'],
        after: 0,
        cookies: '',
      },
    });
  });
});

describe('Parts of a file', () => {
  it('come with 206, to fetch and to a player that seeks', async () => {
    await start();
    const seen = await inPage(`${withUpload}
      const seconds = 60, rate = 22_050;
      const sound = new DataView(new ArrayBuffer(44 + seconds * rate));
      const text = (at, letters) => [...letters].forEach((letter, index) => sound.setUint8(at + index, letter.charCodeAt(0)));
      text(0, 'RIFF'); sound.setUint32(4, 36 + seconds * rate, true); text(8, 'WAVEfmt ');
      sound.setUint32(16, 16, true); sound.setUint16(20, 1, true); sound.setUint16(22, 1, true);
      sound.setUint32(24, rate, true); sound.setUint32(28, rate, true); sound.setUint16(32, 1, true); sound.setUint16(34, 8, true);
      text(36, 'data'); sound.setUint32(40, seconds * rate, true);
      const { content } = await store(new Blob([sound], { type: 'audio/x-wav' }), 'public://sound/long.wav', 'audio');
      const part = await fetch(content, { headers: { range: 'bytes=8-14' } });
      const beyond = await fetch(content, { headers: { range: 'bytes=99999999-' } });
      await atoll.clearTraffic();
      const player = document.createElement('audio');
      await new Promise((resolve, reject) => {
        player.onerror = () => reject(new Error(player.error.message));
        player.onloadedmetadata = () => { player.currentTime = 50; };
        player.onseeked = resolve;
        player.src = content;
      });
      const { entries } = await atoll.traffic();
      return {
        part: [part.status, part.headers.get('content-range'), await part.text()], beyond: beyond.status,
        duration: Math.round(player.duration), at: Math.round(player.currentTime),
        player: [...new Set(entries.map(({ status }) => status))],
      };`);
    expect(seen).toEqual({
      ...{ part: [206, 'bytes 8-14/1323044', 'WAVEfmt'], beyond: 416 },
      ...{ duration: 60, at: 50, player: [206] },
    });
  });
});

describe('Uploads', () => {
  it('of the typed client tell their progress, and once at the end where the browser tells none', async () => {
    await start();
    const seen = await inPage<{ steps: number[]; plain: number[] }>(`${withUpload}
      const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
      const body = new Blob([bytes], { type: 'text/plain' });
      const steps = [];
      const first = await store(body, 'public://up/first.txt', 'file', { onProgress: ({ sent }) => steps.push(sent) });
      const plain = [];
      const usual = createClient({ baseUrl: atoll.url, authentication: basic('admin', 'islandora') });
      await upload(usual, { to: { media: Number(first.media.split('/').at(-1)) }, body, onProgress: ({ sent }) => plain.push(sent) });
      const stored = new Uint8Array(await (await fetch(first.content)).arrayBuffer());
      return { steps, plain, same: stored.length === bytes.length && stored.every((byte, index) => byte === bytes[index]) };`);
    expect(seen).toMatchObject({ same: true, plain: [3_000_000] });
    expect(seen.steps.length).toBeGreaterThan(10);
    expect(seen.steps).toEqual([...seen.steps].sort((a, b) => a - b));
    expect(seen.steps.at(-1)).toBe(3_000_000);
  });

  it.each(['new Blob([new Uint8Array(400_000)])', 'new Blob([new Uint8Array(400_000)]).stream()'])(
    'that the page breaks off are not stored: %s',
    async (body) => {
      await start();
      const seen = await inPage(`${withUpload}
        const node = await newNode();
        await atoll.faults.add({ fault: 'slow-upload', parameters: { bytesPerSecond: 200_000 } });
        const giveUp = new AbortController();
        const body = ${body};
        const outcome = await upload(admin, {
          to: { node, mediaType: 'file', use: 16 }, body, location: 'public://up/given.txt', signal: giveUp.signal,
          onProgress: ({ sent }) => sent > 100_000 && giveUp.abort(new Error('enough')),
        }).catch((error) => error.message);
        await atoll.faults.clear();
        let found;
        do {
          await new Promise((resolve) => setTimeout(resolve, 100));
          found = (await atoll.traffic()).entries.find(({ method }) => method === 'PUT');
        } while (found === undefined);
        const media = await (await fetch('/repo/node/' + node + '/media?_format=json', { headers: { authorization: 'Basic ' + btoa('admin:islandora') } })).json();
        return { outcome, status: found.status, media };`);
      expect(seen).toEqual({ outcome: 'enough', status: 400, media: [] });
    },
  );
});

describe('Faults of the transmission', () => {
  it('reach the page: no answer, half of a body, and a body that comes in pieces', async () => {
    await start();
    const seen = await inPage(`
      const withFault = async (kind, work, parameters = {}) => {
        await atoll.faults.add({ fault: kind, parameters });
        const outcome = await work().catch((error) => error.name);
        await atoll.faults.clear();
        return outcome;
      };
      const ask = () => fetch('/repo/node/1?_format=json');
      const pieces = async () => {
        const reader = (await ask()).body.getReader();
        let count = 0;
        while (!(await reader.read()).done) count += 1;
        return count;
      };
      const half = async () => {
        const { status, body } = await ask();
        const reader = body.getReader();
        try {
          while (!(await reader.read()).done);
          return 'the whole body';
        } catch (error) {
          return [status, error.name];
        }
      };
      return {
        reset: await withFault('connection-reset', ask),
        cut: await withFault('cut-answer', half),
        slow: (await withFault('slow-answer', pieces, { bytesPerSecond: 20_000 })) > 1,
        status: await withFault('status', async () => (await ask()).status, { status: 503 }),
      };`);
    expect(seen).toEqual({ reset: 'TypeError', cut: [200, 'TypeError'], slow: true, status: 503 });
  });

  it('a delay ends when the page gives up', async () => {
    await start();
    const seen = await inPage(`
      await atoll.faults.add({ fault: 'latency', parameters: { ms: 60_000 } });
      const giveUp = new AbortController();
      setTimeout(() => giveUp.abort(), 200);
      const outcome = await atoll.fetch('/node/1?_format=json', { signal: giveUp.signal }).catch((error) => error.name);
      await atoll.faults.clear();
      return [outcome, (await fetch('/repo/node/1?_format=json')).status];`);
    expect(seen).toEqual(['AbortError', 200]);
  });
});

/** Ends the worker, as a browser does with one that has nothing to do. */
const killWorkers = async (): Promise<void> => {
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
};

describe('What was written', () => {
  it('is there after a reload, which the worker answers at once', async () => {
    await start();
    await inPage(`${withTitle} await rename('Kept'); return null;`);
    await page.reload();
    expect(await inPage(`${withTitle} return titleNow();`)).toBe('Kept');
    const session = await context.newCDPSession(page);
    await Promise.all([page.waitForEvent('load'), session.send('Page.reload', { ignoreCache: true })]);
    expect(await inPage('return navigator.serviceWorker.controller;')).toBe(null); // this page passed the worker by
    await start();
    expect(await inPage(`${withTitle} return titleNow();`)).toBe('Kept');
  });

  it('is there after the browser has ended the worker, with its bytes, and the page is told of it', async () => {
    await start('{ onRestart: () => document.body.append("started anew") }');
    const content = await inPage<string>(`${withTitle} ${withUpload}
      await rename('Kept');
      globalThis.member = createClient({ baseUrl: atoll.url, authentication: session({ name: 'admin', password: 'islandora' }) });
      await member.POST('/node', { body: bodyOf('node', { type: 'islandora_object', title: 'Before', field_model: 24 }) });
      return (await store(new Blob(['bytes that stay']), 'public://kept.txt', 'file')).content;`);
    await killWorkers();
    await page.getByText('started anew').waitFor();
    const seen = await inPage(`${withTitle}
      const made = await member.POST('/node', { body: bodyOf('node', { type: 'islandora_object', title: 'After', field_model: 24 }) });
      return [await titleNow(), await (await fetch(${JSON.stringify(content)})).text(), made.response.status];`);
    expect(seen).toEqual(['Kept', 'bytes that stay', 201]); // the client has logged in anew
    await inPage('await atoll.reset(); return null;');
    await killWorkers();
    expect(await inPage(`${withTitle} return titleNow();`)).not.toBe('Kept');
  });

  it('is gone then without persist', async () => {
    await start('{ persist: false }');
    const first = await inPage(`${withTitle} const first = await titleNow(); await rename('Forgotten'); return first;`);
    expect(await inPage(`${withTitle} return titleNow();`)).toBe('Forgotten');
    await killWorkers();
    expect(await inPage(`${withTitle} return titleNow();`)).toBe(first);
  });
});

describe('Where the repository is', () => {
  it('may be the whole origin, with the files of the page left out', async () => {
    await start("{ prefix: '/', except: ['/', '/page*'], fixture: 'empty' }");
    const seen = await inPage(`
      const statusOf = async (address) => (await fetch(address)).status;
      return [atoll.url, await statusOf('/node/1?_format=json'), await statusOf('/user/login_status?_format=json'), await statusOf('/page.js')];`);
    expect(seen).toEqual([host.url, 404, 200, 200]);
    expect(host.asked).toContain('/page.js');
    expect(host.asked).not.toContain('/node/1');
    await page.goto(`${host.url}/`);
    expect(await page.locator('h1').textContent()).toBe('Front end');
  });

  it('has the console where the host has a copy of it', async () => {
    host.put('/tools/index.html', '<!doctype html><title>Console</title><h1>Copied</h1>');
    await start("{ console: '/tools/' }");
    await page.goto(`${host.url}/repo/`);
    expect([page.url(), await page.locator('h1').textContent()]).toEqual([`${host.url}/repo/_atoll/`, 'Copied']);
  });

  it('may be a folder of the host, found from a page within it', async () => {
    host.put('/project/atoll-sw.js', host.read('/atoll-sw.js'));
    await page.goto(`${host.url}/project/pages/`);
    await start("{ script: '../atoll-sw.js' }");
    const seen = await inPage("return [atoll.url, (await fetch('../repo/node/1?_format=json')).status];");
    expect(seen).toEqual([`${host.url}/project/repo`, 200]);
  });

  it('may be of a site of one’s own, which is in the script of its worker', async () => {
    await start("{ script: '/museum-sw.js' }");
    const seen = await inPage(`
      const { entities } = await atoll.entities();
      const read = await fetch('/repo/node/' + entities[0].id + '?_format=json');
      return [read.status, (await read.json()).type[0].target_id];`);
    expect(seen).toEqual([200, 'artwork']);
  });

  it('may be served by a module with static imports', async () => {
    await start("{ script: '/module-worker.js', type: 'module', seed: 'same' }");
    const seen = await inPage("return (await fetch('/repo/user/login_status?_format=json')).status;");
    expect(seen).toBe(200);
  });
});

describe('The worker', () => {
  it('is gone after stop, and comes back with the next start', async () => {
    await start();
    const seen = await inPage(`
      const status = async () => (await fetch('/repo/node/1?_format=json')).status;
      const first = await status();
      await atoll.stop();
      const stopped = [await status(), (await navigator.serviceWorker.getRegistrations()).length];
      globalThis.atoll = await startServiceWorker();
      return [first, stopped, await status()];`);
    expect(seen).toEqual([200, [404, 0], 200]);
    expect(host.asked).toContain('/repo/node/1');
  });

  it('takes the place of an earlier one with other options, in an open page too', async () => {
    await start("{ persist: false, fixture: 'empty' }");
    const seen = await inPage(`
      const status = async () => (await fetch('/repo/node/1?_format=json')).status;
      const first = await status();
      await startServiceWorker({ persist: false });
      return [first, await status()];`);
    expect(seen).toEqual([404, 200]);
  });

  it('takes over what an earlier one has kept, although that one had it open', async () => {
    await start();
    await inPage(`${withTitle} await rename('Kept'); return null;`);
    await start('{ pages: false }');
    expect(await inPage(`${withTitle} return titleNow();`)).toBe('Kept');
  });
});

/** What `startServiceWorker` says when it cannot start. */
const refusalOf = (options: string): Promise<string> =>
  inPage<string>(
    `return startServiceWorker(${options}).then(() => 'started', (error) => error.name + ': ' + error.message);`,
  );

describe('A start that cannot succeed', () => {
  beforeEach(() => {
    host.put('/broken.js', 'throw new Error("broken");');
    host.put('/deep/sw.js', host.read('/atoll-sw.js'));
    host.put('/old.js', host.read('/atoll-sw.js').replaceAll(version, '0.0.1'));
  });

  it.each([
    [
      "{ script: '/missing.js' }",
      'There is no service worker at /missing.js: 404. Write one there: npx atoll prepare ',
    ],
    ["{ script: '/index/', scope: '/' }", 'There is no service worker at /index/, but text/html'],
    ["{ script: '/broken.js' }", 'The browser does not take the service worker /broken.js: '],
    [
      "{ script: '/deep/sw.js', scope: '/' }",
      'The script /deep/sw.js cannot have the scope /, which is not below its folder.',
    ],
    ["{ script: '/deep/sw.js' }", 'The page / is not below the scope /deep/ of the service worker'],
    ["{ script: '/old.js' }", 'The service worker /old.js is atoll-server 0.0.1, and this page has '],
    [
      "{ script: 'https://elsewhere.test/sw.js' }",
      'script: https://elsewhere.test/sw.js is of another origin than this page',
    ],
    ["{ fixture: 'nothing' }", 'The prepared site "default" has no fixture "nothing". It has: '],
  ])('says why: %s', async (options, words) => {
    expect(await refusalOf(options)).toContain(`ConfigurationError: ${words}`);
  });

  it('says why: the scope belongs to another service worker, which stays', async () => {
    host.put('/other.js', '// Nobody answers.');
    await inPage(
      "await navigator.serviceWorker.register('/other.js'); await navigator.serviceWorker.ready; return null;",
    );
    expect(await refusalOf('{}')).toContain(`Another service worker has the scope /: ${host.url}/other.js.`);
    expect(await inPage('return (await navigator.serviceWorker.getRegistration()).active.scriptURL;')).toContain(
      '/other.js',
    );
  });

  it('says why: the address is not secure', async () => {
    await page.route('http://elsewhere.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: host.url + pathname }) });
    });
    await page.goto('http://elsewhere.test/');
    await page.waitForFunction('"startServiceWorker" in globalThis');
    expect(await refusalOf('{}')).toBe(
      'ConfigurationError: Service workers need https, or http on localhost. This page is at http://elsewhere.test.',
    );
  });
});
