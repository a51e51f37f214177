/** Builds all that is published: the program, the library and the client, their types, and the licences of what is inside. */
import { copyFile, writeFile } from 'node:fs/promises';
import { generateDtsBundle } from 'dts-bundle-generator';
import { buildProgram } from './build.mjs';
import { bundleClient, bundleLibrary } from './bundle.mjs';
import { licencesOf } from './licences.mjs';

/** The public faces, by the names of their files in `dist/`. */
const faces = { atoll: 'src/atoll.ts', client: 'src/client/client.ts', 'file-source': 'src/client/file-source.ts' };

/** One file of declarations a face. A program that requires the package is told that it gets CommonJS. */
const writeTypes = async () => {
  const entries = [...Object.values(faces), 'scripts/ambient-types.ts'].map((filePath) => ({
    filePath,
    output: { exportReferencedTypes: false, noBanner: true },
    // The client's types are those of a package that is inside the bundle.
    libraries: { inlinedLibraries: ['openapi-fetch', 'openapi-typescript-helpers'] },
  }));
  const written = generateDtsBundle(entries, { preferredConfigPath: 'tsconfig.json' });
  for (const [index, name] of Object.keys(faces).entries()) {
    await writeFile(`dist/${name}.d.ts`, written[index]);
    await copyFile(`dist/${name}.d.ts`, `dist/${name}.d.cts`);
  }
};

/** What is copied as it is, in the form of what esbuild says of its bundles. */
const copied = { inputs: { 'node_modules/swagger-ui-dist/swagger-ui-bundle.js': {} } };

const program = await buildProgram();
const bundled = [copied, program, ...(await bundleLibrary('dist')), ...(await bundleClient('dist'))];
await writeTypes();
await writeFile('dist/third-party-licences.txt', await licencesOf(bundled));
