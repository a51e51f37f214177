/** Gathers the files of a demo: pages, the program for the browser, the prepared site, and the bytes of its content. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { digest } from '../../basics/secrets/digest.ts';
import { ifThere } from '../../basics/error-code.ts';
import { demoScripts, type SiteParts } from '../../browser/browser.ts';
import { firstPage, installingPage, notFoundPage } from './demo-pages.ts';

/** The style sheet of the demo's own pages, light and dark, in the colours of the console. */
const demoStyle = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f4f7f8; --line: #cdd8dc; --strong-line: #75878f; --text: #16242c; --soft: #4a5c66;
  --accent: #0a6169; --accent-text: #ffffff; --bad: #a3181f; --good: #1c6b34;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11191d; --panel: #1a252b; --line: #34444c; --strong-line: #7f929b; --text: #e7eef1; --soft: #aebdc5;
    --accent: #6fd3da; --accent-text: #08282b; --bad: #ff9c9c; --good: #86d99c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--ground); overflow-wrap: break-word; }
main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
main { padding-top: 3rem; }
footer { padding-top: 2rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.9rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
p { margin: 0 0 0.75rem; }
.lead { font-size: 1.1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
[hidden] { display: none; }
.state { padding: 0.6rem 0.9rem; border-left: 4px solid var(--strong-line); background: var(--panel); min-height: 4.4rem; margin: 1.25rem 0; }
.state[data-kind='ready'] { border-color: var(--good); }
.state[data-kind='failed'] { border-color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1rem 0; padding: 0; list-style: none; align-items: center; }
.button, button, input[type='file']::file-selector-button {
  display: inline-block; font: inherit; line-height: 1.4; padding: 0.5rem 1rem; border-radius: 6px; cursor: pointer;
  border: 1px solid var(--strong-line); background: var(--panel); color: var(--text); text-decoration: none;
}
input[type='file']::file-selector-button { margin-right: 0.75rem; padding: 0.3rem 0.75rem; }
input[type='file'] { font: inherit; max-width: 100%; flex: 0 1 24rem; min-width: 0; }
.rows .actions { margin: 0; }
.button.first { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
button:disabled { color: var(--soft); cursor: default; border-color: var(--line); }
button:not(:disabled):hover, .button:hover { border-color: var(--accent); }
.rows { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.rows > li { padding: 1rem 0; border-bottom: 1px solid var(--line); }
.rows p { margin: 0 0 0.6rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
tbody th { color: var(--text); }
code { font-family: ui-monospace, 'Cascadia Code', 'DejaVu Sans Mono', Menlo, monospace; font-size: 0.9em; }
dialog { max-width: 30rem; padding: 1.5rem; border: 1px solid var(--strong-line); border-radius: 8px; color: var(--text); background: var(--ground); }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
dialog h2 { margin-top: 0; }
@media (prefers-reduced-motion: no-preference) { .button, button { transition: border-color 0.15s; } }
`;

/** A file by its name below the folder, with `/` between the parts. */
export type DemoFile = { readonly name: string; readonly content: Uint8Array };

/** The folders that the build makes. */
export type BuiltFolders = { readonly browser: string; readonly console: string; readonly apiPage: string };

/** The scripts of the build, by their names in the demo. */
const scripts: Readonly<Record<string, string>> = {
  'first-page.js': 'demo-page.js',
  'install.js': 'demo-install.js',
};

/** The pages of the repository that have a file, so that a visitor who opens them first gets there on every host. */
const openedFirst = ['repo/index.html', 'repo/_atoll/index.html', 'repo/_atoll/docs/index.html'];

/** Throws `ConfigurationError` when something was not built. */
export const demoFiles = async (parts: SiteParts, built: BuiltFolders): Promise<readonly DemoFile[]> => {
  const { name, version } = parts;
  const [console, page, engine, own] = await Promise.all([
    readFolder(built.console, 'console'),
    readFolder(built.apiPage, 'api-page'),
    read(join(built.browser, 'engine.js'), 'engine.js'),
    Promise.all(Object.entries(scripts).map(async ([name, from]) => read(join(built.browser, from), name))),
  ]);
  // The worker asks for the bytes, from next to its own script.
  const { site, worker, files } = demoScripts(parts, Buffer.from(engine.content).toString(), 'bytes/');
  const pages: readonly DemoFile[] = [
    fileOf('index.html', firstPage({ site: name, version })),
    fileOf('404.html', notFoundPage()),
    ...openedFirst.map((name) => fileOf(name, installingPage('../'.repeat(name.split('/').length - 1)))),
    fileOf('demo.css', demoStyle),
    fileOf('site.js', `${site}globalThis.atollModel = '${modelOf(parts)}';\n`),
    fileOf('service-worker.js', worker),
    // GitHub Pages would leave out names that begin with an underscore.
    fileOf('.nojekyll', ''),
  ];
  return [...pages, ...own, ...console, ...page, ...bytesOf(files)].sort((a, b) => (a.name < b.name ? -1 : 1));
};

const bytesOf = (files: ReadonlyMap<string, Uint8Array>): readonly DemoFile[] =>
  [...files].map(([name, content]) => ({ name: `bytes/${name}`, content }));

const fileOf = (name: string, text: string): DemoFile => ({ name, content: Buffer.from(text) });

/** Content that was kept for a model is not read under another one. */
const modelOf = ({ siteFiles }: SiteParts): string => digest('sha256', JSON.stringify(siteFiles), 'hex').slice(0, 16);

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
