/** The packed package in an empty folder: what is in it, and every way into it. Run by `npm run test:suite -- package`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { createObject, isDerivative, settledReactions, uploadOriginal } from '../../support/originals.ts';
import { pdfWith } from '../../support/pdf.ts';
import { pngBytes } from '../../support/png.ts';
import { describeArchive } from './archive.suite.ts';
import { installAlone, lend, pack, removeFolder, run, temporaryFolder, type Packed } from './packed.ts';

let folder: string;
let consumer: string;
let packed: Packed;

beforeAll(async () => {
  folder = await temporaryFolder();
  packed = await pack(folder);
  consumer = join(folder, 'consumer');
  await installAlone(consumer, packed);
}, 600_000);

afterAll(() => removeFolder(folder));

const write = (name: string, text: string): Promise<void> => writeFile(join(consumer, name), text);

describe('The package', () => {
  it('holds the program, the console, the manual, the library, the client, the documents, the pages, the site, the fixtures and the licences, and nothing else', () => {
    const kinds = packed.files.map((file) =>
      file.replace(/^(dist|docs\/use|data\/(?:sites?|fixtures|probes))\/.*/, '$1/'),
    );
    expect([...new Set(kinds)].sort()).toEqual([
      ...[
        'LICENSE',
        'README.md',
        'data/differences.yml',
        'data/fixture.schema.json',
        'data/fixtures/',
        'data/probes/',
        'data/site/',
        'data/sites/',
        'dist/',
      ],
      ...['docs/README.md', 'docs/use/', 'llms.txt', 'openapi.yaml', 'package.json', 'src/server/control/openapi.yaml'],
    ]);
    for (const face of ['atoll', 'client', 'file-source']) {
      for (const kind of ['js', 'cjs', 'd.ts', 'd.cts']) expect(packed.files).toContain(`dist/${face}.${kind}`);
    }
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'dist/main.js',
        'dist/browser/browser.js',
        'dist/browser/default-site.js',
        'dist/browser/demo-page.js',
        'dist/browser/engine.js',
        'dist/browser/starter-site.js',
        'dist/console/index.html',
        'dist/help/index.html',
        'dist/prepared.json',
        'dist/prepared-starter-site.json',
        'dist/third-party-licences.txt',
        'dist/sbom.cdx.json',
      ]),
    );
    expect(packed.files.filter((file) => file === 'dist/built.json' || file.endsWith('.code'))).toEqual([]);
  });

  it('has each page that its README and its llms.txt lead to', async () => {
    const place = join(consumer, 'node_modules/atoll-server');
    for (const file of ['README.md', 'llms.txt']) {
      const text = await readFile(join(place, file), 'utf8');
      const links = [...text.matchAll(/(?<!!\[[^\]]*)\]\(([^)#:\s]+)[^)]*\)/g)].map(([, target = '']) => target);
      const missing = links.filter(
        (target) => !packed.files.includes(target) && !/^(docs\/inside\/|CONTRIBUTING|SECURITY)/.test(target),
      );
      expect([file, links.length > 20, missing]).toEqual([file, true, []]);
    }
  });

  it('is small, and is all that is installed', async () => {
    process.stdout.write(
      `package: ${packed.files.length} files, ${kib(packed.size)} packed, ${kib(packed.unpackedSize)} unpacked, 0 dependencies\n`,
    );
    expect(packed.size).toBeLessThan(10 * 1024 * 1024);
    expect(packed.unpackedSize).toBeLessThan(20_000_000);
    const installed = await readdir(join(consumer, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['atoll-server']);
  });

  it('has no dependencies in its manifest, although the repository has', async () => {
    type Manifest = { dependencies?: object; bundledLibraries?: object };
    const read = async (folder: string): Promise<Manifest> =>
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest; // ours
    const [inside, here] = await Promise.all([read(join(consumer, 'node_modules/atoll-server')), read(root)]);
    expect(inside.dependencies).toBeUndefined();
    expect(here.bundledLibraries).toBeUndefined();
    expect(Object.keys(here.dependencies ?? {})).toEqual(expect.arrayContaining(['express', 'lowdb']));
    expect(inside.bundledLibraries).toEqual(here.dependencies);
  });

  it('has a bill of materials with the packages whose licences it tells, and every library of the manifest', async () => {
    const place = join(consumer, 'node_modules/atoll-server');
    type Component = { group?: string; name: string; version: string };
    const { bomFormat, components } = JSON.parse(await readFile(join(place, 'dist/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: Component[];
    }; // CycloneDX
    const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`);
    const licences = await readFile(join(place, 'dist/third-party-licences.txt'), 'utf8');
    const told = [...licences.matchAll(/(?:^Atoll holds .*\n\n|^-{80}\n\n)(\S+ \d\S*) \(/gm)].map(([, one]) => one);
    expect([bomFormat, [...new Set(listed)].sort()]).toEqual(['CycloneDX', told.sort()]);
    const here = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object }; // ours
    const names = new Set(listed.map((each) => each.replace(/ .*/, '')));
    expect(Object.keys(here.dependencies).filter((name) => !names.has(name))).toEqual([]);
  });

  it('names no machine, registry or secret', async () => {
    const place = join(consumer, 'node_modules/atoll-server');
    for (const file of packed.files.filter((name) => /\.(js|cjs|d\.c?ts|json|ya?ml|md|txt)$/.test(name))) {
      const text = await readFile(join(place, file), 'utf8');
      expect([file, text.includes(root), /BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9]/.test(text)]).toEqual([
        file,
        false,
        false,
      ]);
    }
  });

  it('tells the licence of every package whose code it holds', async () => {
    const text = await readFile(join(consumer, 'node_modules/atoll-server/dist/third-party-licences.txt'), 'utf8');
    for (const name of [
      'ajv',
      '@apidevtools/json-schema-ref-parser',
      'lowdb',
      'express',
      'openapi-fetch',
      'swagger-ui-dist',
      'react-dom',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@radix-ui/react-dialog',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
    }
  });
});

const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;

/** Runs `npx --no-install atoll serve …` while `use` is under way. */
const served = async (args: readonly string[], use: (url: string) => Promise<void>): Promise<void> => {
  const serve = ['--no-install', 'atoll', 'serve', '--memory', '--port', '0', '--json', '--log-level', 'warn'];
  const child = spawn('npx', [...serve, ...args], {
    cwd: consumer,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const line = await new Promise<string>((resolve) => {
    child.stdout.once('data', (piece: Buffer) => resolve(String(piece)));
  });
  const { url } = JSON.parse(line) as { url: string }; // what --json prints
  try {
    await use(url);
  } finally {
    // The group: npx itself ends at once and hands nothing on.
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
  }
  await expect(untilRefused(`${url}/_atoll/health`)).resolves.toBe('refused');
};

describe('The installed program', () => {
  it('answers 200 after npx --no-install atoll serve, until it is told to end', () =>
    served([], async (url) => {
      expect((await fetch(`${url}/node/1?_format=json`)).status).toBe(200);
    }));

  // Each of these needs a part that is loaded later, from a file of its own.
  it.each([
    '/openapi.yaml',
    '/openapi-3.0.json',
    '/_atoll/openapi.yaml',
    '/_atoll/docs',
    '/_atoll/traffic',
    '/_atoll/coverage?format=html',
    '/llms.txt',
    '/_atoll/docs/faults.md',
  ])('answers 200 at %s', (path) =>
    served([], async (url) => {
      await fetch(`${url}/node/1?_format=xml`);
      expect((await fetch(url + path)).status).toBe(200);
    }),
  );

  it('leads a browser to the console, whose files it has in every coding', () =>
    served([], async (url) => {
      const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
      expect([page.url, page.status]).toEqual([`${url}/_atoll/`, 200]);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      const files = [...(await page.text()).matchAll(/(?:src|href)="(\.[^"]*)"/g)].map(([, path = '']) => path);
      expect(files.map((name) => name.replace(/.*\./, '')).sort()).toEqual(expect.arrayContaining(['css', 'js']));
      for (const name of files) {
        const texts = await Promise.all(
          ['identity', 'gzip', 'br'].map(async (coding) => {
            const answer = await fetch(new URL(name, page.url), { headers: { 'accept-encoding': coding } });
            expect([name, answer.status, answer.headers.get('cache-control')]).toEqual([
              ...[name, 200, 'public, max-age=31536000, immutable'],
            ]);
            return answer.text(); // decoded
          }),
        );
        expect(texts[0]?.length).toBeGreaterThan(100);
        expect(new Set(texts).size).toBe(1);
      }
    }));

  const chromiumPath = '/usr/bin/chromium';
  it('shows the console in Chromium, below a prefix too', () => {
    if (!existsSync(chromiumPath))
      throw new Error(`${chromiumPath} cannot be found. On Debian: apt-get install chromium`);
    return served([], async (url) => {
      const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        for (const place of ['/', '/~main/']) {
          await page.goto(`${url}${place}`);
          await page.locator('h1').first().waitFor();
          expect(page.url()).toContain(`${url}${place}_atoll/`);
        }
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });

  it('serves a site of the reader’s own, read from YAML', async () => {
    await cp(join(consumer, 'node_modules/atoll-server/data/site'), join(consumer, 'site'), { recursive: true });
    const file = join(consumer, 'site/site.yml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('Contract Site', 'My Site'));
    await served(['--site', 'site'], async (url) => {
      const refused = await fetch(`${url}/node/1?_format=json`, { method: 'DELETE' });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="My Site"']);
    });
  });

  it('makes the thumbnail of a picture, and reads the text of a PDF once unpdf is installed', async () => {
    await lend(consumer, 'unpdf');
    await served(['--site', 'starter-site', '--fixture', 'empty'], async (url) => {
      for (const [kind, bytes] of [
        ['png', pngBytes(400, 300)],
        ['pdf', pdfWith('A page')],
      ] as const)
        expect(await uploadOriginal(url, await createObject(url, kind), kind, bytes)).toBe(201);
      const made = (await settledReactions(url)).filter(isDerivative);
      expect(made.map(({ name, state, message }) => [name, state, message])).toEqual(
        made.map(({ name }) => [
          name,
          'done',
          name.endsWith('.png') ? expect.stringMatching(/^A placeholder: /) : undefined,
        ]),
      );
      expect(made.some(({ name }) => name.endsWith('.txt'))).toBe(true);
    });
  });

  it('answers 200 at what an overlay and a folder of handlers propose', async () => {
    const proposal = join(root, 'test/server/proposal');
    const files = ['--overlay', join(proposal, 'annotations.overlay.yaml'), '--handlers', join(proposal, 'handlers')];
    const script = `fetch(process.env.ATOLL_URL + '/node/1/annotations?_format=json').then(({ status }) => console.log(status))`;
    const ended = await run(consumer, 'npx', ['--no-install', 'atoll', 'exec', ...files, '--', 'node', '-e', script]);
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining('200\n')]);
  });

  it('runs a command beside itself and ends with its code', async () => {
    const script = 'process.exit(process.env.ATOLL_TOKEN_ADMIN.split(".").length)';
    const { code } = await run(consumer, 'npx', ['--no-install', 'atoll', 'exec', '--', 'node', '-e', script]);
    expect(code).toBe(3);
  });
});

const untilRefused = async (address: string): Promise<string> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isAnswered = await fetch(address).then(
      () => true,
      () => false,
    );
    if (!isAnswered) return 'refused';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 'still answered';
};

const scenario = `
  const atoll = await startAtoll();
  const read = await fetch(atoll.url + '/node/1?_format=json');
  const inside = await atoll.fetch('/node/1?_format=json');
  if (read.status !== 200 || inside.status !== 200) throw new Error('not answered');
  const page = await atoll.fetch('/_atoll/');
  if (page.status !== 200 || !(await page.text()).includes('<script type="module"')) throw new Error('no console');
  if (JSON.stringify(await read.json()) !== JSON.stringify(await inside.json())) throw new Error('answered differently');
  const client = createClient({ baseUrl: atoll.url, fetch: atoll.fetch, authentication: basic('admin', 'islandora') });
  const node = await client.GET('/node/{node_id}', { params: { path: { node_id: 1 }, query: { _format: 'json' } } });
  if (node.data.nid[0].value !== 1) throw new Error('the client reads something else');
  if (typeof fileSource !== 'function') throw new Error('there is no source of files');
  await atoll.close();`;

describe('The installed library', () => {
  it('is imported by a module, and the process ends by itself after close()', async () => {
    await write(
      'consumer.mjs',
      `import { startAtoll } from 'atoll-server';
       import { basic, createClient } from 'atoll-server/client';
       import { fileSource } from 'atoll-server/client/file';
       ${scenario}
       console.log('done');`,
    );
    expect(await run(consumer, process.execPath, ['consumer.mjs'])).toEqual({ code: 0, output: 'done\n' });
  });

  it('leaves no process behind that has read files, and ends by itself after close()', async () => {
    await writeFile(join(consumer, 'picture.png'), pngBytes(400, 300));
    await write(
      'files.mjs',
      `import { readFileSync } from 'node:fs';
       import { startAtoll } from 'atoll-server';
       const atoll = await startAtoll({ site: 'starter-site', fixture: 'empty' });
       const authorization = 'Basic ' + btoa('admin:islandora');
       const send = async (method, path, type, body, more) =>
         (await atoll.fetch(path, { method, headers: { authorization, 'content-type': type, ...more }, body })).text();
       const node = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'A' }], field_model: [{ target_id: 13 }] };
       const { nid } = JSON.parse(await send('POST', '/node?_format=json', 'application/json', JSON.stringify(node)));
       const place = { 'content-location': 'public://picture.png' };
       await send('PUT', '/node/' + nid[0].value + '/media/image/3', 'image/png', readFileSync('picture.png'), place);
       const settled = await (await atoll.fetch('/_atoll/reactions?settled=true')).json();
       const made = settled.reactions.filter(({ name, state, message }) => name.startsWith('make') && state === 'done' && !message);
       console.log(made.length > 0 ? 'made' : JSON.stringify(settled));
       await atoll.close();`,
    );
    expect(await run(consumer, process.execPath, ['files.mjs'])).toEqual({ code: 0, output: 'made\n' });
  });

  it('is required by a script', async () => {
    await write(
      'consumer.cjs',
      `const { startAtoll } = require('atoll-server');
       const { basic, createClient } = require('atoll-server/client');
       const { fileSource } = require('atoll-server/client/file');
       (async () => {${scenario}
       console.log('done'); })();`,
    );
    expect(await run(consumer, process.execPath, ['consumer.cjs'])).toEqual({ code: 0, output: 'done\n' });
  });

  it('is required under jest as jest comes, without an option', async () => {
    await write(
      'consumer.test.js',
      `const { startAtoll } = require('atoll-server');
       const { basic, createClient } = require('atoll-server/client');
       const { fileSource } = require('atoll-server/client/file');
       test('answers', async () => {${scenario}
       });`,
    );
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const { code, output } = await run(consumer, process.execPath, [
      jest,
      '--rootDir',
      consumer,
      '--detectOpenHandles',
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining('1 passed')]);
    expect(output).not.toContain('open handle');
  });

  it('gives the document to those who ask for the file', async () => {
    await write('document.cjs', `console.log(require.resolve('atoll-server/openapi.yaml'))`);
    const { output } = await run(consumer, process.execPath, ['document.cjs']);
    expect(await readFile(output.trim(), 'utf8')).toMatch(/^openapi: 3\.1/);
  });
});

const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: ['node'] };

describe('The types', () => {
  const typed = `
    import { startAtoll, type Atoll } from 'atoll-server';
    import { basic, createClient } from 'atoll-server/client';
    import { fileSource } from 'atoll-server/client/file';
    import * as jest from 'atoll-server/jest';
    import * as playwright from 'atoll-server/playwright';
    import { TargetError, twin, verify, type Verification } from 'atoll-server/verify';
    import * as vitest from 'atoll-server/vitest';
    export const use = async (): Promise<string> => {
      const atoll: Atoll = await startAtoll({ fixture: 'starter', checkReplies: 'fail' });
      const client = createClient({ baseUrl: atoll.url, fetch: atoll.fetch, authentication: basic('admin', 'islandora') });
      const { data } = await client.GET('/node/{node_id}', { params: { path: { node_id: 1 }, query: { _format: 'json' } } });
      const source = await fileSource('a.txt', 'text/plain');
      const title: string | undefined = data.title[0]?.value;
      const found: Verification = await verify({ target: atoll.url });
      const { unused } = await (await twin({ target: atoll.url })).report();
      const reason: string | undefined = unused[0]?.reason;
      await atoll.close();
      const names = Object.keys({ ...jest, ...playwright, ...vitest });
      return [atoll.url, title, source.name, found.toText(), reason, TargetError.name, ...names].join();
    };
    // @ts-expect-error -- a port is a number, or false
    void startAtoll({ port: 'eighty' });
    // @ts-expect-error -- the target is a text
    void verify({ target: 5 });`;
  it.each([
    ['NodeNext, as a module', 'mts', { module: 'NodeNext', target: 'ES2022' }],
    ['NodeNext, as CommonJS', 'cts', { module: 'NodeNext', target: 'ES2022' }],
    ['CommonJS as TypeScript has always resolved it', 'ts', { module: 'CommonJS', target: 'ES2022' }],
    ['a bundler', 'ts', { module: 'ESNext', moduleResolution: 'Bundler', target: 'ES2022' }],
  ])('satisfy the compiler without skipLibCheck: %s', async (_name, extension, options) => {
    if (!(await readdir(join(consumer, 'node_modules'))).includes('@types')) {
      await lend(consumer, '@types/node', 'undici-types');
    }
    await write(`typed.${extension}`, typed);
    const config = { compilerOptions: { ...strict, ...options }, files: [`typed.${extension}`] };
    await write('tsconfig.json', JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(await run(consumer, process.execPath, [tsc, '-p', '.'])).toEqual({ code: 0, output: '' });
  });
});

describe('The installed package without a server', () => {
  it('answers from a fetch of its own, and through handlers of MSW', async () => {
    await lend(consumer, 'msw');
    await write(
      'without-server.mjs',
      `import { createAtoll } from 'atoll-server/browser';
       import { site } from 'atoll-server/browser/starter-site';
       import { atollHandlers } from 'atoll-server/msw';
       import { startServiceWorker } from 'atoll-server/service-worker';
       import { serveRepository } from 'atoll-server/service-worker/worker';
       const atoll = await createAtoll({ site, fixture: Object.keys(site.fixtures)[0], baseUrl: 'http://repository.example' });
       const { status } = await atoll.fetch('/user/login_status?_format=json');
       console.log(status, atollHandlers(atoll).length > 0, typeof startServiceWorker, typeof serveRepository);
       await atoll.close();`,
    );
    const { output } = await run(consumer, process.execPath, ['without-server.mjs']);
    expect(output).toBe('200 true function function\n');
  });

  it('has what the commands of docs/use/service-worker.md name, and makes a demo', async () => {
    const page = await readFile(join(root, 'docs/use/service-worker.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);
    expect(blocks.length).toBeGreaterThan(1);
    const script = ['mkdir -p public', ...blocks, 'npx --no-install atoll demo --out demo'].join('\n');
    expect((await run(consumer, 'bash', ['-euo', 'pipefail', '-c', script])).code).toBe(0);
    expect(await readdir(join(consumer, 'public'))).toEqual(['atoll-sw.js']);
    expect(await readdir(join(consumer, 'demo'))).toEqual(expect.arrayContaining(['404.html', 'index.html', 'repo']));
  });

  it('has types that satisfy the compiler with those of browsers', async () => {
    await lend(consumer, '@types/node', 'undici-types').catch(() => undefined); // lent by an earlier test
    await write(
      'without-server.ts',
      `import { createAtoll, type BrowserAtoll } from 'atoll-server/browser';
       import { site } from 'atoll-server/browser/default-site';
       import { startServiceWorker } from 'atoll-server/service-worker';
       import { serveRepository } from 'atoll-server/service-worker/worker';
       export const use = async (): Promise<number> => {
         const atoll: BrowserAtoll = await createAtoll({ site, seed: 'one' });
         const other = await startServiceWorker({ prefix: '/repo/' });
         return (await atoll.fetch('/node/1')).status + (await other.fetch('/node/1')).status;
       };
       export const serve = (): unknown => serveRepository(site);
       // @ts-expect-error -- a seed is a text
       void createAtoll({ site, seed: 1 });`,
    );
    const compilerOptions = { ...strict, module: 'NodeNext', target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'] };
    await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['without-server.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    expect(await run(consumer, process.execPath, [tsc, '-p', '.'])).toEqual({ code: 0, output: '' });
  });
});

describe('The page on testing', () => {
  it('has snippets that run against the installed package, and print what stands beside them', async () => {
    const page = await readFile(join(root, 'docs/use/testing.md'), 'utf8');
    const snippets = [...page.matchAll(/<!-- run -->\n\n```js\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    expect(snippets.length).toBeGreaterThan(2);
    for (const code of snippets) {
      await write('snippet.mjs', code);
      const shown = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line = '']) => `${line}\n`);
      expect(await run(consumer, process.execPath, ['snippet.mjs'])).toEqual({ code: 0, output: shown.join('') });
    }
  });
});

describeArchive(() => packed);
