/** Builds everything that is published: program, console, library, client, their types, licences and bill of materials. */
import { copyFile, writeFile } from 'node:fs/promises';
import { generateDtsBundle } from 'dts-bundle-generator';
import { buildProgram } from './build.mjs';
import { publicBrowserEntries } from './bundle-browser.mjs';
import { bundleClient, bundleLibrary } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { writeSbom } from './sbom.mjs';

/** The public entries, by the names of their files in `dist/`. */
const entryFiles = {
  atoll: 'src/cli/entries/atoll.ts',
  client: 'src/client/client.ts',
  'file-source': 'src/client/file-source.ts',
  verify: 'src/cli/entries/provider-testing.ts',
  jest: 'src/cli/testing/jest.ts',
  vitest: 'src/cli/testing/vitest.ts',
  playwright: 'src/cli/testing/playwright.ts',
};

/** Writes one declaration file for each entry, and a `.d.cts` copy for programs that `require` the package. */
const writeTypes = async () => {
  const entries = Object.values(entryFiles).map((filePath) => ({
    filePath,
    output: { exportReferencedTypes: false, noBanner: true },
    // The client uses types of packages that are inside its bundle.
    libraries: { inlinedLibraries: ['openapi-fetch', 'openapi-typescript-helpers'] },
  }));
  const written = generateDtsBundle(entries, { preferredConfigPath: 'tsconfig.json' });
  for (const [index, name] of Object.keys(entryFiles).entries()) {
    await writeFile(`dist/${name}.d.ts`, written[index]);
    await copyFile(`dist/${name}.d.ts`, `dist/${name}.d.cts`);
  }
};

/** What runs without Node has types of browsers too, and is no CommonJS. */
const writeBrowserTypes = async () => {
  const names = Object.keys(publicBrowserEntries);
  const entries = names.map((name) => ({
    filePath: publicBrowserEntries[name],
    output: { exportReferencedTypes: false, noBanner: true },
  }));
  const written = generateDtsBundle(entries, { preferredConfigPath: 'src/browser/tsconfig.json' });
  for (const [index, name] of names.entries()) await writeFile(`dist/browser/${name}.d.ts`, written[index]);
  for (const site of ['default-site', 'starter-site']) {
    const text = "import type { PreparedSite } from './browser.js';\nexport declare const site: PreparedSite;\n";
    await writeFile(`dist/browser/${site}.d.ts`, text);
  }
};

/** The file that is copied as it is, in the form of esbuild's metafile. */
const page = 'node_modules/swagger-ui-dist/swagger-ui-bundle.js';
const copied = {
  inputs: { [page]: { bytes: 0, imports: [] } },
  outputs: { 'dist/api-page/swagger-ui-bundle.js': { bytes: 0, imports: [], exports: [], inputs: { [page]: {} } } },
};

const built = await buildProgram();
const bundled = [copied, ...built, ...(await bundleLibrary('dist')), ...(await bundleClient('dist'))];
await writeTypes();
await writeBrowserTypes();
await writeFile('dist/third-party-licences.txt', await licencesOf(bundled));
await writeSbom(bundled, 'dist/sbom.cdx.json');
