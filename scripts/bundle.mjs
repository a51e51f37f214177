/** Bundles the program into one file. */
import { chmod } from 'node:fs/promises';
import { build } from 'esbuild';

// Packages that are CommonJS ask for these, which a module does not have by itself.
const commonJs = `#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);`;

/** Writes the program to `outfile`, which must lie in a folder of its own directly below the package. */
export const bundle = async (outfile) => {
  await build({
    entryPoints: ['src/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: commonJs },
  });
  await chmod(outfile, 0o755);
};
