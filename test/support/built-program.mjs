/**
 * The program that tests start (`before-all.mjs`), for suites that Jest does not run. It starts eight times as fast as a bundle in one file:
 * its documents are prepared, and V8 keeps its code.
 */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModule } from '../../scripts/bundle.mjs';
import getReady from './before-all.mjs';

const root = join(import.meta.dirname, '../..');
const prepared = join(root, 'coverage/prepared.json');

let ready;

/** Resolves with its file, after a build where a source has changed. Works from the root of the repository. */
export const builtProgram = async () => {
  ready ??= getReady().then(prepare);
  await ready;
  return join(root, 'coverage/main.js');
};

/** As tests do (`atoll.ts`). The program passes over a prepared file that is older than its sources. */
const prepare = async () => {
  if (existsSync(prepared)) return;
  const module = join(root, 'coverage', `prepare-${process.pid}.mjs`);
  await bundleModule('src/application/sources/prepared-sources.ts', module);
  const { preparePackage } = await import(pathToFileURL(module).href);
  const made = await preparePackage(root, prepared);
  await rm(module);
  for (const { file, text } of made.toReversed()) {
    await writeFile(`${file}.${process.pid}`, text);
    await rename(`${file}.${process.pid}`, file);
  }
};
