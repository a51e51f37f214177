/** Bundles the program: into one file, or into a folder where what a start does not need lies apart. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

// Packages that are CommonJS ask for these, which a module does not have by itself.
const commonJs = `#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);`;

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  alias: { 'body-parser': './scripts/no-body-parser.cjs' },
  // Loaded from its package, and only where a site keeps bytes in S3.
  external: ['@aws-sdk/*'],
  banner: { js: commonJs },
};

/** Writes the program to `outfile`, which must lie in a folder of its own directly below the package. */
export const bundle = async (outfile) => {
  await build({ ...options, entryPoints: ['src/main.ts'], outfile });
  await chmod(outfile, 0o755);
};

/** Writes `main.js`, and beside it what it loads later, to a folder directly below the package. */
export const bundleProgram = async (folder) => {
  // Less text to read at every start.
  await build({ ...options, entryPoints: ['src/main.ts'], outdir: folder, splitting: true, minifyWhitespace: true });
  await chmod(join(folder, 'main.js'), 0o755);
};

/** Writes any module of the source as one file. */
export const bundleModule = (entry, outfile) => build({ ...options, entryPoints: [entry], outfile });
