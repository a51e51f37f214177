/** What npm runs after it has installed the packages that this repository needs, and before it packs. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// `npm start` uses the `exec` of POSIX shells, so that a signal to npm reaches the server. The shell of Windows has none.
if (process.platform === 'win32') await writeFile(join(root, 'node_modules/.bin/exec.cmd'), '@%*\r\n');

// An installation without the packages of developers can neither make the types nor build.
const canGenerate = existsSync(join(root, 'node_modules/openapi-typescript'));
if (canGenerate) await import('./generate-types.mjs').then(({ generate }) => generate());

// As a Git dependency of another project, this repository is installed into a clone that npm packs without `prepack`. Then
// npm was called elsewhere.
const way = relative(root, process.env.INIT_CWD ?? process.cwd());
if (way.startsWith('..') || isAbsolute(way)) {
  // In npm's own clone, and not in a folder that is linked.
  if (process.env.npm_package_resolved?.startsWith('git'))
    await import('./whole-document.mjs').then(({ writeWhole }) => writeWhole());
  await import('./build-package.mjs');
}
