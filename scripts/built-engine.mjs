/**
 * Builds what runs without Node, for tests and benchmarks: once for each state of the sources, into
 * `coverage/browser-test/`. `node scripts/built-engine.mjs` prints the folder. It has `browser.js`, `default-site.js`,
 * `starter-site.js`, the `shared-bytes.js` of both and esbuild's `metafile.json`.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleBrowser } from './bundle-browser.mjs';
import { prepareBrowserSites } from './prepare-browser-sites.mjs';

const root = join(import.meta.dirname, '..');
const builds = join(root, 'coverage/browser-test');
const sources = ['src', 'handlers', 'data', 'scripts', 'openapi.yaml', 'package-lock.json'];

/** The entry `atoll-server/browser` alone. */
const entries = { browser: 'src/browser/create-atoll.ts' };

/** Another run of tests may still load a build that is not older. */
const keptMs = 20 * 60 * 1000;

/** Returns the absolute path of the folder. Safe in parallel processes. */
export const builtEngine = async () => {
  const folder = join(builds, await stateOfSources());
  if (existsSync(folder)) await utimes(folder, new Date(), new Date());
  else await buildInto(folder);
  await removeOld();
  return folder;
};

/** The names, sizes and times of the sources, in short. */
const stateOfSources = async () => {
  const state = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path, { recursive: true })).sort() : [''];
    for (const name of names) {
      const found = await stat(join(path, name)).catch(() => undefined); // an editor's file may be gone already
      if (found?.isFile() === true) state.update(`${source}/${name} ${found.size} ${found.mtimeMs}\n`);
    }
  }
  return state.digest('hex').slice(0, 16);
};

/** A process that has built the same meanwhile is as good. */
const buildInto = async (folder) => {
  await mkdir(builds, { recursive: true });
  const unfinished = await mkdtemp(join(builds, 'building-'));
  try {
    const [metafile] = await Promise.all([
      bundleBrowser(unfinished, entries, { logLevel: 'error' }),
      prepareBrowserSites(root, unfinished),
    ]);
    await writeFile(join(unfinished, 'metafile.json'), JSON.stringify(metafile));
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

const removeOld = async () => {
  for (const name of await readdir(builds)) {
    const path = join(builds, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
};

if (process.argv[1] === import.meta.filename) process.stdout.write(`${await builtEngine()}\n`);
