/** Bundles the program and the library. Types and licences of the package are not made here. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// Packages that are CommonJS ask for these, which a module does not have by itself.
const commonJs = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);`;

/**
 * A CommonJS package that is loaded later, from a file of its own, would have a default export and nothing else there. Here
 * it gets the named exports that Node finds in it.
 */
const laterCommonJs = {
  name: 'later CommonJS',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(yaml|json-p3|pino)$/ }, ({ path, kind, namespace }) =>
      kind === 'dynamic-import' && namespace === 'file' ? { path, namespace: 'later' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => !['default', 'module.exports'].includes(name));
      return {
        contents: `import whole from '${path}'; export const { ${names.join(', ')} } = whole;`,
        resolveDir: import.meta.dirname,
      };
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
  plugins: [laterCommonJs],
  alias: { 'body-parser': './scripts/no-body-parser.cjs' },
  // Loaded from its package, and only where a site keeps bytes in S3.
  external: ['@aws-sdk/*'],
  banner: { js: commonJs },
};

const program = { ...options, entryPoints: ['src/main.ts'], banner: { js: `#!/usr/bin/env node\n${commonJs}` } };

/** Writes the program to `outfile`, which must lie in a folder of its own directly below the package. */
export const bundle = async (outfile) => {
  await build({ ...program, outfile });
  await chmod(outfile, 0o755);
};

/** Writes `main.js`, and beside it what it loads later, to a folder directly below the package. */
export const bundleProgram = async (folder) => {
  // Less text to read at every start.
  const built = await build({ ...program, outdir: folder, splitting: true, minifyWhitespace: true });
  await chmod(join(folder, 'main.js'), 0o755);
  return built.metafile;
};

/**
 * Writes the library to a folder directly below the package: one file of each kind, `atoll.js` to import and `atoll.cjs` to
 * require. What cannot travel with a package, such as overrides, is inside.
 */
export const bundleLibrary = async (folder) => {
  const library = { ...options, entryPoints: ['src/atoll.ts'], minifyWhitespace: true };
  const built = await Promise.all([
    build({ ...library, outfile: join(folder, 'atoll.js') }),
    build({
      ...library,
      outfile: join(folder, 'atoll.cjs'),
      format: 'cjs',
      define: { 'import.meta.url': '__moduleUrl', 'import.meta.dirname': '__dirname' },
      banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    }),
  ]);
  return built.map(({ metafile }) => metafile);
};

/** Writes any module of the source as one file. */
export const bundleModule = (entry, outfile) => build({ ...options, entryPoints: [entry], outfile });

/** Writes the client and its source of files: for browsers too, so without anything that asks for Node of itself. */
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
        // A package without `exports` names its module so.
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
