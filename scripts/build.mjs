/** Builds the program: dist/main.js, its lazily loaded parts, and dist/prepared*.json, which speed up every start. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noteBuild } from './built.mjs';
import { bundleModule, bundleProgram } from './bundle.mjs';

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

/** Empties `dist/` first. Returns esbuild's metafile of the program. */
export const buildProgram = async () => {
  const begun = Date.now();
  await rm('dist', { recursive: true, force: true });
  const preparing = 'dist/prepare.mjs';
  const [bundled] = await Promise.all([
    bundleProgram('dist'),
    bundleModule('src/server/prepared-sources.ts', preparing),
    copyPageParts(),
  ]);
  const { preparePackage } = await import(pathToFileURL(preparing).href);
  for (const { file, text } of await preparePackage('.', 'dist/prepared.json')) await writeFile(file, text);
  await rm(preparing);
  await noteBuild(bundled, begun);
  return bundled;
};

if (process.argv[1] === import.meta.filename) await buildProgram();
