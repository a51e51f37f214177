/** Modules that are loaded when they are first needed: `lazyModule` does not remember a failed import, as Node 20 does. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { lazyModule } from '../../src/basics/lazy-module.ts';
import { root } from '../support/atoll.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-lazy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('loads once, also for two callers at the same time', async () => {
  let loads = 0;
  const load = lazyModule(async () => ({ one: (loads += 1) }), 'one');
  expect(await Promise.all([load(), load()])).toEqual([{ one: 1 }, { one: 1 }]);
  expect((await load()).one).toBe(1);
});

it('passes a failure on, and tries again with the next use', async () => {
  let tries = 0;
  const load = lazyModule(async () => {
    if ((tries += 1) === 1) throw new Error('A mistake in the module.');
    return { one: 1 };
  }, 'one');
  await expect(load()).rejects.toThrow('A mistake in the module.');
  expect((await load()).one).toBe(1);
});

/** Uses up the descriptors, tries to load twice, gives the descriptors back, and tries again. */
const script = `
import { closeSync, openSync } from 'node:fs';
import { lazyModule } from './lazy.mjs';
const isThere = (promise) => promise.then(() => true, ({ code }) => code);
const load = lazyModule(() => import('./numbers.mjs'), 'one');
const open = [];
try { for (;;) open.push(openSync('/dev/null')); } catch {}
const during = [await isThere(load()), await isThere(load())];
for (const file of open) closeSync(file);
console.log(JSON.stringify({ during, after: (await load()).one }));
`;

it('loads again after a moment without descriptors, where a plain import of Node 20 fails for ever', async () => {
  const source = { entryPoints: [join(root, 'src/basics/lazy-module.ts')], outfile: join(folder, 'lazy.mjs') };
  await build({ ...source, bundle: true, platform: 'node', format: 'esm' });
  await writeFile(join(folder, 'numbers.mjs'), 'export const one = 1;\n');
  await writeFile(join(folder, 'script.mjs'), script);
  const command = ['-c', 'ulimit -n 64 && exec "$0" "$1"', process.execPath, join(folder, 'script.mjs')];
  const { stdout } = await promisify(execFile)('sh', command);
  expect(JSON.parse(stdout)).toEqual({ during: ['EMFILE', 'EMFILE'], after: 1 });
});
