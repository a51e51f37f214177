/** Bundles what runs without Node: the server's code, with other modules in place of those that need Node. */
import { readFile, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { publicBrowserEntries } from './public-entries.mjs';
import { quickMediaTypes } from './quick-media-types.mjs';
import { doorsOpen } from './through-doors.mjs';

const root = join(import.meta.dirname, '..');
const browser = join(root, 'src/browser');

/** Modules of Node, by the file that takes their place. Each has only the members that are used. */
const platform = {
  'node:crypto': 'crypto',
  'node:timers/promises': 'timers-promises',
  'node:util': 'node-util',
  'node:events': 'events',
  'node:url': 'url',
  'node:path': 'path',
  'node:http': 'http',
};

/** Modules of the server, by the one of `src/browser` that takes their place. */
const replaced = {
  'src/basics/secrets/signing-key.ts': 'signing-key.ts',
  'src/basics/secrets/token-signatures.ts': 'token-signatures.ts',
  'src/storage/blobs/held-bytes.ts': 'held-blobs.ts',
  'src/basics/yaml/yaml-library.ts': 'yaml-library.ts',
};

/** Packages that are only reached by what nobody calls here, such as the reading of YAML files. */
const unreached = /^(yaml|@apidevtools\/swagger-parser|json-p3|lowdb|pino|jsonwebtoken)$/;

const withoutNode = {
  name: 'without Node',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^(node:.*|path)$/ }, ({ path: asked }) => {
      const path = asked.startsWith('node:') ? asked : `node:${asked}`;
      return platform[path] === undefined
        ? { path, external: true, sideEffects: false }
        : { path: join(browser, 'platform', `${platform[path]}.ts`) };
    });
    onResolve({ filter: /\.ts$/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === 'resolved') return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' });
      const other = replaced[relative(root, found.path)];
      return other === undefined || found.errors.length > 0 ? found : { path: join(browser, other) };
    });
    onResolve({ filter: unreached }, ({ path }) => ({ path, namespace: 'unreached' }));
    onLoad({ filter: /.*/, namespace: 'unreached' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of the browser's bundle.`)});`,
    }));
  },
};

/** What those of the public entries that have the engine take from it. */
const fromEngine = {
  browser: 'askToKeep, createAtoll, deleteRepository, readRoom',
  'serve-repository': 'serveRepository',
};

/**
 * Bundles the entries into a folder. Rejects when one of them still needs a module of Node. Returns esbuild's metafile.
 * `entries` maps the names of files to modules; `options` are further ones of esbuild; its
 * plugins come first.
 */
export const bundleBrowser = async (folder, entries, options = {}) => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    external: ['msw'],
    minify: true,
    legalComments: 'none',
    metafile: true,
    inject: [join(browser, 'platform/globals.ts')],
    define: {
      ATOLL_VERSION: JSON.stringify(version),
      // A text: an object would be a file without a package in the bill of materials.
      NODE_STATUS_CODES: JSON.stringify(JSON.stringify(STATUS_CODES)),
      'process.env.NODE_ENV': '"production"',
    },
    entryPoints: entries,
    outdir: folder,
    ...options,
    plugins: [...(options.plugins ?? []), withoutNode, quickMediaTypes, doorsOpen],
  });
  refuseNode(metafile);
  return metafile;
};

/** A module of Node that is left in a bundle would only fail where the bundle runs. */
const refuseNode = ({ inputs, outputs }) => {
  const left = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ path }) => path.startsWith('node:')).map(({ path }) => path),
  );
  if (left.length === 0) return;
  const importers = Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ path }) => left.includes(path)).map(({ path }) => `${file} imports ${path}`),
  );
  throw new Error(`The browser's bundle needs modules of Node:\n${importers.join('\n')}`);
};

/** Bundles the public entries into a folder, with the engine in one file that they share. Returns esbuild's metafile. */
export const bundleEngine = async (folder) => {
  const others = Object.entries(publicBrowserEntries).filter(([name]) => !Object.hasOwn(fromEngine, name));
  const metafile = await bundleBrowser(folder, { engine: 'src/browser/engine.ts', ...Object.fromEntries(others) });
  for (const [name, taken] of Object.entries(fromEngine))
    await writeFile(join(folder, `${name}.js`), `export { ${taken} } from './engine.js';\n`);
  return metafile;
};

/** The scripts of the pages of `atoll demo`. Each is one file, which a static host can serve as it is. */
export const bundleDemo = (folder) =>
  bundleBrowser(folder, {
    'demo-page': 'src/browser/demo/first-page.ts',
    'demo-install': 'src/browser/demo/install.ts',
  });
