/** Gathers the files of a demo: pages, the program for the browser, the prepared site, and the bytes of its content. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesBeside } from '../../browser/prepared-site/fixture-files.ts';
import type { SiteParts } from '../../browser/prepared-site/prepare-site.ts';
import { siteScript } from '../../browser/prepared-site/site-script.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { ifThere } from '../../basics/error-code.ts';
import { firstPage, installingPage, notFoundPage } from './demo-pages.ts';
import { demoStyle } from './demo-style.ts';

/** A file by its name below the folder, with `/` between the parts. */
export type DemoFile = { readonly name: string; readonly content: Uint8Array };

/** The folders that the build makes. */
export type BuiltFolders = { readonly browser: string; readonly console: string; readonly apiPage: string };

/** The scripts of the build, by their names in the demo. */
const scripts: Readonly<Record<string, string>> = {
  'first-page.js': 'demo-page.js',
  'install.js': 'demo-install.js',
  'service-worker.js': 'demo-worker.js',
};

/** The pages of the repository that have a file, so that a visitor who opens them first gets there on every host. */
const openedFirst = ['repo/index.html', 'repo/_atoll/index.html', 'repo/_atoll/docs/index.html'];

/** Throws `ConfigurationError` when something was not built. */
export const demoFiles = async (parts: SiteParts, built: BuiltFolders): Promise<readonly DemoFile[]> => {
  // The worker asks for them, from beside its own script.
  const { fixtures, files } = bytesBeside(parts.fixtures, 'bytes/');
  const site = `${siteScript({ ...parts, fixtures })}globalThis.atollModel = '${modelOf(parts)}';\n`;
  const { name, version } = parts;
  const [console, page, own] = await Promise.all([
    readFolder(built.console, 'console'),
    readFolder(built.apiPage, 'api-page'),
    Promise.all(Object.entries(scripts).map(async ([name, from]) => read(join(built.browser, from), name))),
  ]);
  const pages: readonly DemoFile[] = [
    fileOf('index.html', firstPage({ site: name, version })),
    fileOf('404.html', notFoundPage()),
    ...openedFirst.map((name) => fileOf(name, installingPage('../'.repeat(name.split('/').length - 1)))),
    fileOf('demo.css', demoStyle),
    fileOf('site.js', site),
    // GitHub Pages would leave out names that begin with an underscore.
    fileOf('.nojekyll', ''),
  ];
  return [...pages, ...own, ...console, ...page, ...bytesOf(files)].sort((a, b) => (a.name < b.name ? -1 : 1));
};

const bytesOf = (files: ReadonlyMap<string, Uint8Array>): readonly DemoFile[] =>
  [...files].map(([name, content]) => ({ name: `bytes/${name}`, content }));

const fileOf = (name: string, text: string): DemoFile => ({ name, content: Buffer.from(text) });

/** Content that was kept for a model is not read under another one. */
const modelOf = ({ siteFiles }: SiteParts): string =>
  createHash('sha256').update(JSON.stringify(siteFiles)).digest('hex').slice(0, 16);

const notBuilt = (path: string): ConfigurationError =>
  new ConfigurationError(`${path} is not there: the program is not built. In its repository: npm run build`);

const read = async (path: string, name: string): Promise<DemoFile> => {
  const content = await ifThere(readFile(path));
  if (content === undefined) throw notBuilt(path);
  return { name, content };
};

/** All files of a folder. The host compresses what it sends, so compressed ones stay out. */
const readFolder = async (folder: string, name: string): Promise<readonly DemoFile[]> => {
  const entries = await ifThere(readdir(folder, { recursive: true, withFileTypes: true }));
  const paths = (entries ?? [])
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  if (paths.length === 0) throw notBuilt(folder);
  return Promise.all(paths.map((path) => read(path, `${name}/${path.slice(folder.length + 1).replaceAll('\\', '/')}`)));
};
