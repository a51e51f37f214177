/** The engine as front ends load it: the bundle and the prepared sites, built once for each state of the sources. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import type * as Entry from '../../../src/browser/create-atoll.ts';
import type { PreparedSite } from '../../../src/browser/create-atoll.ts';
import { root } from '../../support/atoll.ts';

export type BuiltEngine = {
  /** Where the files are: `browser.js`, `default-site.js`, `starter-site.js`. */
  readonly folder: string;
  readonly createAtoll: typeof Entry.createAtoll;
  readonly site: PreparedSite;
  readonly starterSite: PreparedSite;
  /** The text of the bundle. */
  readonly text: string;
  /** The texts of the modules of the sites. */
  readonly siteTexts: readonly string[];
  readonly metafile: Metafile;
};

const run = promisify(execFile);

export const builtEngine = async (): Promise<BuiltEngine> => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/built-engine.mjs')]);
  const folder = stdout.trim();
  const path = (name: string): string => join(folder, name);
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path(name)).href);
  const read = (name: string): Promise<string> => readFile(path(name), 'utf8');
  const sites = ['default-site.js', 'starter-site.js'];
  const [site, starterSite] = (await Promise.all(sites.map(load))) as [SiteModule, SiteModule]; // as the build makes them
  return {
    folder,
    createAtoll: ((await load('browser.js')) as typeof Entry).createAtoll, // the same module, bundled
    site: site.site,
    starterSite: starterSite.site,
    text: await read('browser.js'),
    siteTexts: await Promise.all(sites.map(read)),
    metafile: JSON.parse(await read('metafile.json')) as Metafile, // esbuild wrote it
  };
};

type SiteModule = { readonly site: PreparedSite };
