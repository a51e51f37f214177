/** Builds everything that is published: program, console, library, client, their types, licences and bill of materials. */
import { writeFile } from 'node:fs/promises';
import { buildProgramFile, buildRest } from './build.mjs';
import { bundleClient, bundleLibrary } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { runToEnd } from './run-to-end.mjs';
import { writeSbom } from './sbom.mjs';

/** The file that is copied as it is, in the form of esbuild's metafile. */
const page = 'node_modules/swagger-ui-dist/swagger-ui-bundle.js';
const copied = {
  inputs: { [page]: { bytes: 0, imports: [] } },
  outputs: { 'dist/api-page/swagger-ui-bundle.js': { bytes: 0, imports: [], exports: [], inputs: { [page]: {} } } },
};

const program = await buildProgramFile();
// Meanwhile, on another core.
const declarations = runToEnd(process.execPath, ['scripts/declarations.mjs', 'dist']);
const rest = await buildRest();
const bundled = [copied, program, ...rest, ...(await bundleLibrary('dist')), ...(await bundleClient('dist'))];
if ((await declarations) !== 0) throw new Error('The types cannot be written.');
await writeFile('dist/third-party-licences.txt', await licencesOf(bundled));
await writeSbom(bundled, 'dist/sbom.cdx.json');
