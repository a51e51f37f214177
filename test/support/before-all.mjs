/** Before a run of tests: makes the files that Git does not have, and builds the program once, as the package has it, for all the files that start it. */
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { bundleProgram } from '../../scripts/bundle.mjs';
import { generate } from '../../scripts/generate-types.mjs';

const dayMs = 24 * 60 * 60 * 1000;

export default async () => {
  await generate();
  await mkdir('coverage', { recursive: true });
  // The code that expands it may have changed. The first test that needs it makes it.
  await rm('coverage/fixture-starter.json', { force: true });
  const built = `coverage-${process.pid}`;
  await bundleProgram(built);
  await stop();
  // Another run may be using the program that is there, so its parts stay, and `main.js` is replaced at the end.
  await cp(built, 'coverage', { recursive: true, filter: (source) => !source.endsWith('main.js') });
  await rename(join(built, 'main.js'), 'coverage/main.js');
  await rm(built, { recursive: true });
  for (const name of (await readdir('coverage')).filter((each) => /-[A-Z0-9]{8}(?:\.js|\.cjs|-.*\.code)$/.test(each))) {
    const file = join('coverage', name);
    if (Date.now() - (await stat(file)).mtimeMs > dayMs) await rm(file, { force: true });
  }
};
