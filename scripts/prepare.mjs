/** What npm runs after it has installed the packages that this repository needs, and before it packs. */
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// `npm start` uses the `exec` of POSIX shells, so that a signal to npm reaches the server. The shell of Windows has none.
if (process.platform === 'win32') await writeFile(join(root, 'node_modules/.bin/exec.cmd'), '@%*\r\n');

// As a Git dependency of another project, this repository is installed into a clone that npm packs without `prepack`. Then
// npm was called elsewhere.
const way = relative(root, process.env.INIT_CWD ?? process.cwd());
if (way.startsWith('..') || isAbsolute(way)) await import('./build-package.mjs');
