/**
 * Sends the same ten requests to three sets of MSW handlers, and prints what each answers right: `npm run bench:suite -- msw-compared`.
 * It installs MSW and its companions into a temporary folder. Each set begins anew for every request.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { builtEngine } from '../scripts/built-engine.mjs';
import { bundleBrowser } from '../scripts/bundle-browser.mjs';
import { withHeadOperations } from '../scripts/import-source.mjs';
import { handWritten } from './msw-compared/hand-written.mjs';
import { baseUrl, requests } from './msw-compared/requests.mjs';

const root = join(import.meta.dirname, '..');

/** `@msw/source` takes MSW 2 alone. It and `@msw/data` are what became of `@mswjs/source` and `@mswjs/data`. */
const packages = { msw: '2.15.0', '@msw/source': '0.6.1', '@msw/data': '1.1.7', zod: '4.1.12' };

const folder = await mkdtemp(join(tmpdir(), 'atoll-msw-compared-'));
try {
  const sets = await handlerSets();
  const rows = [];
  for (const request of requests) {
    const cells = [];
    for (const { make, getResponse } of sets) cells.push(await judged(request, await make(), getResponse));
    rows.push([request.name, String(request.status), ...cells]);
  }
  print(['request', 'right', ...sets.map(({ name }) => name)], rows, sets);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function handlerSets() {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...named], {
    cwd: folder,
    stdio: 'inherit',
  });
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = (name) => import(pathToFileURL(resolve(name)).href);
  const [{ http, HttpResponse, getResponse }, { fromOpenApi }, { Collection }, { z }] = await Promise.all([
    ...[load('msw'), load('@msw/source/open-api'), load('@msw/data'), load('zod')],
  ]);
  const contract = await withHeadOperations(parse(await readFile(join(root, 'openapi.yaml'), 'utf8')));
  const document = { ...contract, servers: [{ url: baseUrl }] };
  const generated = await fromOpenApi(document);
  const first = await (await getResponse(generated, new Request(`${baseUrl}/node/1?_format=json`))).json();
  const byHand = () => handWritten({ http, HttpResponse, Collection, z, baseUrl, first });

  const built = await builtEngine();
  const { createAtoll } = await import(pathToFileURL(join(built, 'browser.js')).href);
  const { site } = await import(pathToFileURL(join(built, 'default-site.js')).href);
  await bundleBrowser(folder, { msw: 'src/browser/msw.ts' });
  const { atollHandlers } = await import(pathToFileURL(join(folder, 'msw.js')).href);

  return [
    { name: 'MSW + source', lines: 0, getResponse, make: async () => generated },
    {
      name: 'MSW + source + data',
      lines: await linesByHand(),
      getResponse,
      make: async () => [...(await byHand()), ...generated],
    },
    {
      name: 'MSW + Atoll',
      lines: 0,
      getResponse,
      make: async () => atollHandlers(await createAtoll({ site, baseUrl })),
    },
  ];
}

/** How many lines `hand-written.mjs` has between its marks. */
async function linesByHand() {
  const lines = (await readFile(join(root, 'bench/msw-compared/hand-written.mjs'), 'utf8')).split('\n');
  return (
    lines.findIndex((line) => line.includes('to here')) - lines.findIndex((line) => line.includes('from here')) - 1
  );
}

/** Which parts of an answer are right, such as `status body – state`. A part in brackets is wrong. */
async function judged(request, handlers, getResponse) {
  const ask = async (method, path, headers = {}, body = undefined) => {
    const response = await getResponse(handlers, new Request(baseUrl + path, { method, headers, body }));
    if (response === undefined) return { status: 0, headers: new Headers(), body: '' };
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const answer = await request.send(ask);
  const isRight = async (check) => {
    try {
      return await check();
    } catch {
      return false; // the answer has not even the form that the check reads
    }
  };
  const parts = [['status', async () => answer.status === request.status]];
  if (request.body) parts.push(['body', async () => answer.status === request.status && request.body(answer)]);
  if (request.headers) parts.push(['headers', async () => answer.status === request.status && request.headers(answer)]);
  if (request.state) parts.push(['state', () => request.state(ask, answer)]);
  const told = [];
  for (const [name, check] of parts) told.push((await isRight(check)) ? name : `~~${name}~~`);
  const status = answer.status === request.status ? '' : ` (${answer.status})`;
  return told.join(' ') + status;
}

function print(head, rows, sets) {
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(line(head) + line(head.map(() => '---')) + rows.map(line).join(''));
  const whole = sets.map((_, index) => rows.filter((cells) => !cells[index + 2].includes('~~')).length);
  process.stdout.write(
    line(['**answered right in all parts**', '', ...whole.map((count) => `${count} of ${rows.length}`)]),
  );
  process.stdout.write(line(['lines written by hand', '', ...sets.map(({ lines }) => String(lines))]));
}
