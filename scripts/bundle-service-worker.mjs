/** Makes the ready service worker: one script with the site, the engine, and nothing else to load. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleBrowser } from './bundle-browser.mjs';

/** `atoll prepare --service-worker` takes what follows it (`src/browser/prepared-site/service-worker-text.ts`). */
const engineMark = '/* The engine of atoll-server. */';

/** Writes `service-worker.js` into a folder, with the site of a module there. Returns esbuild's metafile of the engine. */
export const bundleServiceWorker = async (folder, siteModule = 'default-site.js') => {
  const name = 'service-worker-engine';
  const worker = { [name]: 'src/browser/service-worker/ready-worker.ts' };
  const [metafile, site] = await Promise.all([
    bundleBrowser(folder, worker, { format: 'iife' }),
    siteScript(folder, siteModule),
  ]);
  const engine = join(folder, `${name}.js`);
  await writeFile(join(folder, 'service-worker.js'), `${site}${engineMark}\n${await readFile(engine, 'utf8')}`);
  await rm(engine);
  return metafile;
};

/** A module cannot be loaded by the service workers of every browser. A script can. */
const siteScript = async (folder, siteModule) => {
  const contents = `import { site } from ${JSON.stringify(`./${siteModule}`)};\nglobalThis.atollSite = site;`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', legalComments: 'none', write: false },
  });
  return outputFiles[0].text;
};
