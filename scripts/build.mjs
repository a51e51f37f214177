/**
 * Builds the program: dist/main.js, its lazily loaded parts, the console, what runs without Node, and dist/prepared*.json, which
 * speed up every start.
 */
import { fork } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noteBuild } from './built.mjs';
import { bundleBrowser, bundleDemo } from './bundle-browser.mjs';
import { bundleServiceWorker } from './bundle-service-worker.mjs';
import { bundleModule, bundleProgram } from './bundle.mjs';
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

/** Empties `dist/` first. Returns esbuild's metafiles of the program, of the console and of what runs without Node. */
export const buildProgram = async () => {
  const begun = Date.now();
  await rm('dist', { recursive: true, force: true });
  const preparing = 'dist/prepare.mjs';
  const [program, pages, browser, demo, worker] = await Promise.all([
    bundleProgram('dist'),
    buildConsole(),
    bundleBrowser('dist/browser'),
    bundleDemo('dist/browser'),
    prepareBrowserSites('.', 'dist/browser').then(() => bundleServiceWorker(join(process.cwd(), 'dist/browser'))),
    bundleModule('src/server/sources/prepared-sources.ts', preparing),
    copyPageParts(),
  ]);
  const { preparePackage } = await import(pathToFileURL(preparing).href);
  for (const { file, text } of await preparePackage('.', 'dist/prepared.json')) await writeFile(file, text);
  await rm(preparing);
  await keepCode('dist/main.js');
  const all = [...program, pages, browser, ...demo, worker];
  await noteBuild(all, begun);
  return all;
};

if (process.argv[1] === import.meta.filename) await buildProgram();
