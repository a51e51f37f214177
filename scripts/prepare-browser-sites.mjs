/**
 * Prepares the sites of the package for where there is no Node: `node scripts/prepare-browser-sites.mjs [outFolder]` writes
 * `default-site.mjs`, `starter-site.mjs` and what both import into `coverage/browser`, or another folder. The build calls `prepareBrowserSites`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { bundleModule } from './bundle.mjs';

/**
 * Writes a module for each site of the package, and one for what they share. `root` is the folder of the package. Returns the names of the modules.
 */
export const prepareBrowserSites = async (root, outFolder, extension = 'js') => {
  // Below the package, where what is not bundled is found.
  await mkdir(join(root, 'coverage'), { recursive: true });
  const workshop = await mkdtemp(join(root, 'coverage/sites-'));
  try {
    const bundle = join(workshop, 'packaged-sites.mjs');
    await bundleModule(join(root, 'src/browser/prepared-site/packaged-site-modules.ts'), bundle);
    const { packagedSiteModules } = await import(pathToFileURL(bundle).href);
    await mkdir(outFolder, { recursive: true });
    return await Promise.all(
      (await packagedSiteModules(root, extension)).map(async ({ name, text }) => {
        const { code } = await transform(text, {
          minify: true,
          format: 'esm',
          target: 'es2022',
          legalComments: 'inline',
        });
        await writeFile(join(outFolder, `${name}.${extension}`), code);
        return `${name}.${extension}`;
      }),
    );
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
};

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  await prepareBrowserSites(root, process.argv[2] ?? join(root, 'coverage/browser'), 'mjs');
}
