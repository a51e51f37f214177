/**
 * Builds the program, and the rest: dist/main.js, which runs it, the console, the manual, what runs without Node, and
 * dist/prepared*.json, which speed up every start. With `--rest` only that.
 */
import { fork } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forgetBuild, noteBuild } from './built.mjs';
import { bundleDemo, bundleEngine } from './bundle-browser.mjs';
import { bundleExecutable, bundleModule, bundleProgramFile } from './bundle.mjs';
import { buildHelp } from './help.mjs';
import { keepCode } from './keep-code.mjs';
import { prepareBrowserSites } from './prepare-browser-sites.mjs';

/** The files of swagger-ui that the API page needs. The package ships only these. */
const pageParts = ['swagger-ui-bundle.js', 'swagger-ui.css'];

const copyPageParts = async () => {
  const folder = 'dist/api-page';
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt', ...pageParts].map((name) =>
      copyFile(join('node_modules/swagger-ui-dist', name), join(folder, name)),
    ),
  );
};

/** Returns the metafile of the console. Rejects when it cannot be built; why is then on standard error. */
const buildConsole = () =>
  new Promise((resolve, reject) => {
    // With another value of NODE_ENV there would be the slow React for developers.
    const env = { ...process.env, NODE_ENV: 'production' };
    const child = fork(join(import.meta.dirname, 'console.mjs'), { env, execArgv: [] });
    let metafile;
    child.on('message', (message) => {
      metafile = message;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(metafile);
      else reject(new Error('The console cannot be built.'));
    });
  });

/** Empties `dist/`, and builds the program alone. Returns esbuild's metafile of it. */
export const buildProgramFile = async () => {
  const begun = Date.now();
  await rm('dist', { recursive: true, force: true });
  const built = await bundleProgramFile('dist');
  await noteBuild('program', [built], begun);
  return built;
};

/** Builds everything else for the program that is there. Returns esbuild's metafiles. */
export const buildRest = async () => {
  const begun = Date.now();
  await forgetBuild('rest');
  const preparing = 'dist/prepare.mjs';
  const [executable, pages, engine, demo, prepare, help] = await Promise.all([
    bundleExecutable('dist'),
    buildConsole(),
    bundleEngine('dist/browser'),
    bundleDemo('dist/browser'),
    bundleModule('src/application/sources/prepared-sources.ts', preparing),
    buildHelp('dist/help'),
    prepareBrowserSites('.', 'dist/browser'),
    copyPageParts(),
  ]);
  const { preparePackage } = await import(pathToFileURL(preparing).href);
  for (const { file, text } of await preparePackage('.', 'dist/prepared.json')) await writeFile(file, text);
  await rm(preparing);
  await keepCode('dist/main.js');
  const built = [executable, pages, engine, demo, help];
  await noteBuild('rest', [...built, prepare.metafile], begun);
  return built;
};

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === '--rest') {
    // The server of `npm start` has ended, or was killed.
    const abandon = () => process.exit(1);
    process.on('disconnect', abandon);
    await buildRest();
    process.off('disconnect', abandon);
  } else {
    await buildProgramFile();
    await buildRest();
  }
}
