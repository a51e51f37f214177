/**
 * Measures the engine without Node: `npm run bench:suite -- browser [-- seconds]`. Its size and what takes the room; how long a web worker
 * of Chromium takes from the files to the first answer; GETs a second there, in Node, and of the server in this process.
 * Everything is measured in one run on one machine, so the ratios say more than the figures.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { bundleModule } from '../scripts/bundle.mjs';
import { builtEngine } from '../scripts/built-engine.mjs';

const root = join(import.meta.dirname, '..');
/** Of measuring, for each of the three. */
const seconds = Number(process.argv[2] ?? 5);
const rounds = 5;
const goals = { gets: 2000, firstMs: 300, kilobytes: 250 };
const chromiumFile = '/usr/bin/chromium';

const print = (line = '') => process.stdout.write(`${line}\n`);
const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** What the room in the bundle goes to: a package, or a room of the sources. */
const groupOf = (file) => {
  const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  const [, room] = /^(src\/[^/]+|handlers)/.exec(file) ?? [];
  return library === undefined ? (room ?? file) : `npm: ${library}`;
};

const printSizes = async (folder) => {
  const text = await readFile(join(folder, 'browser.js'));
  const [gzip, brotli] = [gzipSync(text, { level: 9 }).length, brotliCompressSync(text).length];
  print('The engine, without a site and its fixtures');
  print(`  ${kilo(text.length)}, gzip ${kilo(gzip)}, brotli ${kilo(brotli)} (goal: ${goals.kilobytes} KB compressed)`);
  const { outputs } = JSON.parse(await readFile(join(folder, 'metafile.json'), 'utf8'));
  const [{ inputs }] = Object.values(outputs);
  const groups = new Map();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    groups.set(groupOf(file), (groups.get(groupOf(file)) ?? 0) + bytesInOutput);
  }
  const rows = [...groups].sort(([, a], [, b]) => b - a);
  for (const [name, bytes] of rows.slice(0, 30)) {
    print(
      `    ${name.padEnd(28)} ${kilo(bytes).padStart(9)} ${((bytes / text.length) * 100).toFixed(1).padStart(5)} %`,
    );
  }
  for (const site of ['default-site', 'starter-site']) {
    const module = await readFile(join(folder, `${site}.js`));
    const shared = { gzip: gzipSync(module, { level: 9 }).length, brotli: brotliCompressSync(module).length };
    print(
      `  ${site}, with its fixtures: ${kilo(module.length)}, gzip ${kilo(shared.gzip)}, brotli ${kilo(shared.brotli)}`,
    );
  }
};

/** Reads five nodes in turn. Returns requests a second. It is sent to the worker as text, too. */
const measureGets = async (atoll, ms) => {
  const base = atoll.url;
  const read = async (times) => {
    for (let sent = 0; sent < times; sent += 1) {
      const answer = await atoll.fetch(`${base}/node/${1 + (sent % 5)}?_format=json`);
      await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} for a node`);
    }
  };
  await read(500);
  const begun = performance.now();
  let sent = 0;
  while (performance.now() - begun < ms) {
    await read(100);
    sent += 100;
  }
  return (sent * 1000) / (performance.now() - begun);
};

/** The worker begins, reads its modules from the cache of the browser, and answers a first request. */
const workerText = `
  const begun = performance.now();
  import('./engine-start.js').then(async ({ start }) => postMessage(await start(begun)));
`;
const startText = (ms) => `
  import { createAtoll } from './browser.js';
  import { site } from './default-site.js';
  const measureGets = ${measureGets.toString()};
  export const start = async (begun) => {
    const loaded = performance.now();
    const atoll = await createAtoll({ site, baseUrl: 'http://localhost:8000' });
    const made = performance.now();
    const answer = await atoll.fetch('http://localhost:8000/node/1?_format=json');
    await answer.text();
    const first = performance.now();
    const gets = await measureGets(atoll, ${ms});
    return { load: loaded - begun, create: made - loaded, answer: first - made, first: first - begun, gets };
  };
`;

const withChromium = async (folder, use) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const made = {
      '/': '<!doctype html><link rel="icon" href="data:,">',
      '/worker.js': workerText,
      '/engine-start.js': startText((seconds * 1000) / rounds),
    };
    const type = pathname === '/' ? 'text/html' : 'text/javascript';
    const text =
      made[pathname] === undefined ? readFile(join(folder, pathname.slice(1))) : Promise.resolve(made[pathname]);
    text.then(
      (body) => response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=3600' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await use(page);
  } finally {
    await browser.close();
    server.close();
  }
};

/** A new worker with a new repository. */
const inWorker = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('/worker.js');
        worker.onmessage = ({ data }) => {
          worker.terminate();
          resolve(data);
        };
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );

const serverInProcess = async () => {
  const file = join(root, 'coverage/browser-bench.mjs');
  await bundleModule('src/cli/entries/atoll.ts', file);
  const { startAtoll } = await import(pathToFileURL(file).href);
  return startAtoll({ port: false, baseUrl: 'http://localhost:8000', checkReplies: 'off' });
};

const folder = await builtEngine();
await printSizes(folder);

const { createAtoll } = await import(pathToFileURL(join(folder, 'browser.js')).href);
const { site } = await import(pathToFileURL(join(folder, 'default-site.js')).href);
const options = { site, baseUrl: 'http://localhost:8000' };
const begun = performance.now();
const engine = await createAtoll(options);
await (await engine.fetch('http://localhost:8000/node/1?_format=json')).text();
const firstInNode = performance.now() - begun;
const server = await serverInProcess();

/** Each gets its turn in every round, so that a busy moment of the machine disturbs all of them. */
const names = ['the engine in a worker of Chromium', 'the engine in Node', 'the server in Node, without a socket'];
const gets = new Map(names.map((name) => [name, []]));
const starts = [];
await withChromium(folder, async (page) => {
  await inWorker(page); // fills the cache of the browser
  for (let round = 0; round < rounds; round += 1) {
    const worker = await inWorker(page);
    starts.push(worker);
    const found = [
      worker.gets,
      await measureGets(engine, (seconds * 1000) / rounds),
      await measureGets(server, (seconds * 1000) / rounds),
    ];
    for (const [index, name] of names.entries()) gets.get(name).push(found[index]);
  }
});
await engine.close();
await server.close();

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (part) => `${median(starts.map((start) => start[part])).toFixed(0)} ms`;
const version = execFileSync(chromiumFile, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  .toString()
  .trim();
print();
print(`A new web worker in ${version}, its files in the cache; medians of ${starts.length}`);
print(`  from its begin to the first answer  ${ms('first')} (goal: ${goals.firstMs} ms)`);
print(`    of it to load the modules         ${ms('load')}`);
print(`    createAtoll                       ${ms('create')}`);
print(`    the first GET                     ${ms('answer')}`);
print(`  in Node, without the modules        ${firstInNode.toFixed(0)} ms`);
print();
print(`GET /node/N?_format=json a second, one after the other (goal: ${goals.gets})`);
for (const [name, found] of gets) {
  const ratio = median(found.map((value, round) => value / gets.get(names[2])[round]));
  print(`  ${name.padEnd(38)} ${median(found).toFixed(0).padStart(7)}   ${ratio.toFixed(2)} of the server`);
}
