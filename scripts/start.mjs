/**
 * `npm start`: builds the program if a source has changed, and serves in this same process, so that a signal to npm reaches
 * the server. Options follow `--`: `npm start -- --port 8010`. Without `--data` or `--memory` the data are in `data/store`.
 */
import { chdir, execPath, argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './built.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));
if (!(await isBuilt())) {
  process.stderr.write('Building the program.\n');
  const [{ buildProgram }, { stop }] = await Promise.all([import('./build.mjs'), import('esbuild')]);
  await buildProgram();
  await stop();
}
const options = argv.slice(2);
const hasPlace = options.some((option) => /^--(?:memory|data(?:=.*)?)$/.test(option));
const program = new URL('../dist/main.js', import.meta.url);
process.argv = [execPath, 'atoll', 'serve', ...(hasPlace ? [] : ['--data', 'data/store']), ...options];
await import(program.href);
