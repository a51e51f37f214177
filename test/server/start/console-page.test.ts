/** How the console is served: its page, its files, its policy, and how a browser is led to it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'supertest';
import type { AddressInfo } from 'node:net';
import { startAtoll } from '../../../src/cli/entries/atoll.ts';
import { consoleFileReader } from '../../../src/server/start/console-files.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { exchange } from '../../support/sockets.ts';

const page = '<!doctype html><title>The built console</title>';
const script = 'export const built = true;\n'.repeat(20);

let folder: string;
let atoll: TestAtoll;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-console-'));
  await mkdir(join(folder, 'assets'));
  const files = {
    'index.html': page,
    'assets/index-1a2B_c.js': script,
    'assets/index-1a2B_c.js.br': 'as brotli',
    'assets/index-1a2B_c.js.gz': 'as gzip',
    'assets/index-3d.css': 'body {}',
    'assets/notes.txt': 'no file of the console',
    'built.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const app = { readConsoleFile: consoleFileReader(folder) };
  atoll = await createTestAtoll({ app });
  await atoll.send('POST', '/_atoll/worlds').set('Content-Type', 'application/json').send({ name: 'w7' }).expect(201);
});
afterAll(() => rm(folder, { recursive: true }));

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Of the test's own: supertest asks for gzip. */
const plain = (sent: Test): Test => sent.set('Accept-Encoding', 'identity');

describe('The console', () => {
  it.each(['/_atoll/', '/~w7/_atoll/'])('is at %s, with a policy that runs no script but its own', async (path) => {
    const answer = await plain(atoll.send('GET', path)).expect(200, page);
    expect(answer.headers['content-type']).toBe('text/html; charset=UTF-8');
    expect(answer.headers['cache-control']).toBe('must-revalidate, no-cache, private');
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; " +
        "media-src 'self' blob: data:; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'self'",
    );
    const head = await plain(atoll.send('HEAD', path)).expect(200);
    expect([head.headers['content-length'], head.text]).toEqual([String(page.length), undefined]);
  });

  it.each([
    ['/_atoll', {}, '/_atoll/'],
    ['/~w7/_atoll', {}, '/~w7/_atoll/'],
    ['/_atoll', { 'Atoll-World': 'w7' }, '/~w7/_atoll/'],
    ['/_atoll', { Host: 'w7.localhost:8000' }, '/_atoll/'],
  ])('is where %s with %j leads: 302', async (path, headers, location) => {
    const answer = await atoll.send('GET', path).set(headers).expect(302);
    expect(answer.headers['location']).toBe(location);
  });

  it('has files that are kept for ever, since their names change with them', async () => {
    const answer = await plain(atoll.send('GET', '/~w7/_atoll/assets/index-1a2B_c.js')).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(script.length),
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    expect((await atoll.send('GET', '/_atoll/assets/index-3d.css').expect(200)).type).toBe('text/css');
  });

  it.each([
    ['br, gzip', 'br', 'as brotli'],
    ['gzip, deflate, br', 'br', 'as brotli'],
    ['gzip, br;q=0', 'gzip', 'as gzip'],
    ['GZIP;q=0.5', 'gzip', 'as gzip'],
    ['gzip;q=0.0, br; q=0', undefined, script],
    ['', undefined, script],
    ['zstd', undefined, script],
  ])('sends a file as it was compressed by the build: %j', async (accepted, coding, text) => {
    const path = '/_atoll/assets/index-1a2B_c.js';
    const answer = await exchange(
      (atoll.server.address() as AddressInfo).port, // it listens on a port
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`,
    );
    const [, sent] = /^content-encoding: (.*)\r$/im.exec(answer.head) ?? [];
    expect([answer.status, sent, answer.body]).toEqual([200, coding, text]);
  });

  it.each([
    ...['assets/other.js', 'assets/', 'assets/notes.txt', 'assets/index-1a2B_c.js.gz', 'built.json', 'index.html'],
    ...['assets/..%2Fbuilt.json', 'assets/../built.json', 'assets/.js', 'assets/a%00.js', 'assets/assets/index-3d.css'],
  ])('has no other file: %s is 404', async (name) => {
    const answer = await atoll.send('GET', `/_atoll/${name}`).expect(404);
    expect(answer.body).toHaveProperty('message');
  });

  it('takes no writes: 404', async () => {
    await atoll.send('POST', '/_atoll/').expect(404);
    await atoll.send('DELETE', '/_atoll/assets/index-3d.css').expect(404);
  });

  it('that is not built says how to build it: 503', async () => {
    const bare = await createTestAtoll({
      fixture: 'empty',
      app: { readConsoleFile: consoleFileReader(join(folder, 'none')) },
    });
    const answer = await bare.send('GET', '/_atoll/').expect(503);
    expect([answer.type, answer.text]).toEqual(['text/html', expect.stringContaining('npm run build')]);
    await bare.send('GET', '/_atoll/assets/index-3d.css').expect(404);
    await bare.send('GET', '/_atoll/health').expect(200);
  });
});

describe('A console that is being built', () => {
  it('says so with 503, asks again by itself, and is there as soon as it is built', async () => {
    const made = join(folder, 'made-later');
    let isBeingBuilt = true;
    const app = { readConsoleFile: consoleFileReader(made), isConsoleBeingBuilt: () => isBeingBuilt };
    const starting = await createTestAtoll({ fixture: 'empty', app });
    const answer = await starting.send('GET', '/_atoll/').expect(503).expect('Retry-After', '2');
    expect(answer.text).toContain('<meta http-equiv="refresh" content="2">');
    expect(answer.text).not.toContain('npm run build');
    await mkdir(made);
    await writeFile(join(made, 'index.html'), page);
    await plain(starting.send('GET', '/_atoll/')).expect(200, page);
    // A build that failed.
    await rm(made, { recursive: true });
    isBeingBuilt = false;
    const failed = await starting.send('GET', '/_atoll/').expect(503);
    expect([failed.headers['retry-after'], failed.text]).toEqual([undefined, expect.stringContaining('npm run build')]);
  });
});

describe('A file of the console that cannot be read', () => {
  it('is an error and not another file', async () => {
    await mkdir(join(folder, 'assets/folder.js'));
    await expect(consoleFileReader(folder)('assets/folder.js', [])).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe('A browser at /', () => {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Test =>
    atoll.send('GET', path).set({ Accept: browser, ...headers });

  it.each([
    ['/', {}, '/_atoll/'],
    ['/~w7/', {}, '/~w7/_atoll/'],
    ['/~w7', {}, '/~w7/_atoll/'],
    ['/', { Cookie: 'atoll_world=w7' }, '/~w7/_atoll/'],
    ['/?from=mail', { Host: 'w7.localhost:8000' }, '/_atoll/'],
  ])('of %s with %j is led to the console of its world: 302', async (path, headers, location) => {
    const { headers: answered } = await ask(path, headers).expect(302);
    expect([answered['location'], answered['vary']]).toEqual([location, 'Accept']);
    await atoll
      .send('HEAD', path)
      .set({ Accept: browser, ...headers })
      .expect(302);
  });

  it.each([
    [{ Accept: '*/*' }],
    [{ Accept: 'application/json' }],
    [{ Accept: 'application/json;profile="x-text/html"' }],
    [{ Accept: browser, 'X-Forwarded-For': '192.0.2.1' }],
    [{ Accept: browser, Host: 'elsewhere.example' }],
  ])('is another than a client with %j, which is told what answers: 200', async (headers) => {
    const answer = await atoll.send('GET', '/').set(headers).expect(200);
    expect(answer.body).toMatchObject({ name: 'Atoll' });
    expect(answer.headers['vary']).toContain('Accept');
  });

  it('that sends something gets 404 as before', async () => {
    await atoll.send('POST', '/').set('Accept', browser).expect(404);
  });

  it('sees what the document has there', async () => {
    const overlay = join(folder, 'front.overlay.yaml');
    await writeFile(
      overlay,
      `overlay: 1.0.0
info: { title: A front page, version: 0.1.0 }
actions:
  - target: $.paths
    update:
      /:
        get:
          operationId: getFrontPage
          summary: The front page
          security: [{}]
          responses:
            '200':
              description: It is there.
              content:
                application/json:
                  schema: { type: object, required: [title], properties: { title: { type: string } } }
                  examples: { one: { value: { title: Welcome } } }
`,
    );
    const own = await startAtoll({ port: false, fixture: 'empty', overlays: [overlay] });
    const answer = await own.fetch('/', { headers: { accept: browser } });
    expect([answer.status, await answer.json()]).toEqual([200, { title: 'Welcome' }]);
    expect(await (await own.fetch('/')).json()).toEqual({ title: 'Welcome' });
    expect((await own.fetch('/', { method: 'HEAD' })).status).toBe(200);
    await own.close();
  });

  it('below the address of an application that mounts the server stays below it', async () => {
    const mounted = await startAtoll({ port: false, fixture: 'empty', baseUrl: 'http://localhost:1/repo' });
    const answer = await mounted.fetch('/', { headers: { accept: browser }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/repo/_atoll/']);
    await mounted.close();
  });
});

describe('With a control token', () => {
  const token = { app: { controlToken: 'let-me-in' } };
  it('the pages load from anywhere and without it, and say nothing of the repository', async () => {
    const guarded = await createTestAtoll(token);
    const from = (path: string): Test => guarded.send('GET', path).set({ 'X-Forwarded-For': '192.0.2.1' });
    for (const path of ['/_atoll/', '/_atoll/docs', '/_atoll/docs/control', '/_atoll/docs/page.js']) {
      const { text } = await from(path).expect(200);
      expect(text).not.toMatch(/Contract Site|editor|islandora/);
    }
    await from('/').set('Accept', browser).expect(302);
    for (const path of ['/_atoll/repository', '/_atoll/openapi.json', '/_atoll/nothing']) {
      await from(path).expect(403);
      await from(path)
        .set('Atoll-Control', 'let-me-in')
        .expect(path === '/_atoll/nothing' ? 404 : 200);
    }
  });

  it('that nobody has, the pages load for nobody', async () => {
    const closed = await createTestAtoll({ app: { controlToken: 'drawn-at-random', isControlClosed: true } });
    for (const path of ['/_atoll/', '/_atoll/docs']) await closed.send('GET', path).expect(403);
    await closed.send('GET', '/').set('Accept', browser).expect('Content-Type', 'application/json').expect(200);
  });
});
