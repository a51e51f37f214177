/** Builds the program: one file, dist/main.js. */
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.js',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  // Packages that are CommonJS ask for `require`, which a module does not have by itself.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nimport { dirname as __dirnameOf } from 'node:path';\nimport { fileURLToPath as __pathOf } from 'node:url';\nconst require = __createRequire(import.meta.url);\nconst __filename = __pathOf(import.meta.url);\nconst __dirname = __dirnameOf(__filename);",
  },
});
await chmod('dist/main.js', 0o755);
