/** Bundles the program, the library and the client. */
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// CommonJS packages need these, which an ES module does not have.
const commonJs = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);`;

/**
 * esbuild gives a CommonJS package that is imported dynamically only a default export. This plugin adds the named exports
 * that Node finds in it.
 */
const dynamicCommonJs = {
  name: 'dynamic CommonJS',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(yaml|json-p3|pino)$/ }, ({ path, kind, namespace }) =>
      kind === 'dynamic-import' && namespace === 'file' ? { path, namespace: 'dynamic' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'dynamic' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => !['default', 'module.exports'].includes(name));
      return {
        contents: `import whole from '${path}'; export const { ${names.join(', ')} } = whole;`,
        resolveDir: import.meta.dirname,
      };
    });
  },
};

/** openapi-backend reads a document by itself only where it is told to. */
const noDocumentParser = {
  name: 'no document parser',
  setup: ({ onResolve }) => {
    const path = join(import.meta.dirname, 'no-document-parser.cjs');
    onResolve({ filter: /^(\.\/refparser|openapi-schema-validator)$/ }, ({ importer }) =>
      /[\\/]openapi-backend[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/** The table of media types as text, which is read in a third of the time, without the types that no file name leads to and what nobody reads. */
export const quickMediaTypes = {
  name: 'quick media types',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const types = Object.entries(JSON.parse(await readFile(path, 'utf8')));
      const used = Object.fromEntries(
        types.flatMap(([type, { source, extensions, charset }]) =>
          (extensions ?? charset) ? [[type, { source, extensions, charset }]] : [],
        ),
      );
      return { contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(used))});`, loader: 'js' };
    });
  },
};

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  plugins: [dynamicCommonJs, noDocumentParser, quickMediaTypes],
  alias: { 'body-parser': './scripts/no-body-parser.cjs', debug: './scripts/no-debug.cjs' },
  // Optional: loaded only for a site that keeps bytes in S3.
  external: ['@aws-sdk/*'],
  banner: { js: commonJs },
};

const program = { ...options, entryPoints: ['src/main.ts'], banner: { js: `#!/usr/bin/env node\n${commonJs}` } };

/** An old Node can read the first file, and learns there that it is too old. */
const guarded = { ...program, entryPoints: { main: 'src/guard.ts' } };

/** Bundles the program into one file. `outfile` must be in a folder directly below the package. */
export const bundle = async (outfile) => {
  await build({ ...program, outfile });
  await chmod(outfile, 0o755);
};

/** Bundles the program into `main.js` and its lazily loaded parts, in a folder directly below the package. */
export const bundleProgram = async (folder) => {
  // Less text to read at every start.
  const built = await build({ ...guarded, outdir: folder, splitting: true, minifyWhitespace: true });
  await chmod(join(folder, 'main.js'), 0o755);
  return built.metafile;
};

/** The entries that hold the server, by the names of their bundles. */
const libraryEntries = { atoll: 'src/atoll.ts', verify: 'src/provider-testing.ts' };

/**
 * Bundles the library into a folder directly below the package: `atoll.js` for `import` and `atoll.cjs` for `require`, and
 * `verify` likewise. The bundles contain the overridden dependencies, because npm ignores the overrides of a dependency.
 */
export const bundleLibrary = async (folder) => {
  const built = await Promise.all(
    Object.entries(libraryEntries).map(([name, entry]) => bundleEntry(folder, name, entry)),
  );
  return built.flat();
};

const bundleEntry = async (folder, name, entry) => {
  const library = { ...options, entryPoints: [entry], minifyWhitespace: true };
  const built = await Promise.all([
    build({ ...library, outfile: join(folder, `${name}.js`) }),
    build({
      ...library,
      outfile: join(folder, `${name}.cjs`),
      format: 'cjs',
      define: { 'import.meta.url': '__moduleUrl', 'import.meta.dirname': '__dirname' },
      banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    }),
  ]);
  return built.map(({ metafile }) => metafile);
};

/** Bundles any module of the source into one file. */
export const bundleModule = (entry, outfile) => build({ ...options, entryPoints: [entry], outfile });

/** Bundles the client and `file-source`. Browsers load the client too, so the platform is neutral. */
export const bundleClient = async (folder) => {
  const kinds = [
    { format: 'esm', outExtension: { '.js': '.js' } },
    { format: 'cjs', outExtension: { '.js': '.cjs' } },
  ];
  const built = await Promise.all(
    kinds.map((kind) =>
      build({
        ...kind,
        bundle: true,
        platform: 'neutral',
        target: 'es2022',
        // The fields of packages without `exports`.
        mainFields: ['module', 'main'],
        external: ['node:*'],
        metafile: true,
        legalComments: 'none',
        entryPoints: { client: 'src/client/client.ts', 'file-source': 'src/client/file-source.ts' },
        outdir: folder,
      }),
    ),
  );
  return built.map(({ metafile }) => metafile);
};
