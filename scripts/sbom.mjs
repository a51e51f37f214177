/** Writes the bill of materials of the package: each package whose code is in a bundle, and which of them uses which. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const tool = 'node_modules/@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js';

/** One metafile for all bundles. A module that a plugin makes is not a package: what it imports takes its place. */
const merged = (metafiles) => {
  const inputs = Object.assign({}, ...metafiles.map((metafile) => metafile.inputs));
  const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
  const isMade = (path) => /^(?:dynamic|own file|required|unreached):/.test(path);
  const real = (each) => (isMade(each.path) ? inputs[each.path].imports : [each]);
  const files = (entries) => Object.fromEntries(Object.entries(entries).filter(([path]) => !isMade(path)));
  return {
    inputs: Object.fromEntries(
      Object.entries(files(inputs)).map(([path, input]) => [path, { ...input, imports: input.imports.flatMap(real) }]),
    ),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([path, output]) => [path, { ...output, inputs: files(output.inputs) }]),
    ),
  };
};

/** Writes CycloneDX 1.6 as JSON, from esbuild's metafiles. The same bundles give the same bytes. Throws when it is not valid. */
export const writeSbom = async (metafiles, outfile) => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-sbom-'));
  try {
    const metafile = join(folder, 'metafile.json');
    await writeFile(metafile, JSON.stringify(merged(metafiles)));
    const options = ['--spec-version', '1.6', '--output-reproducible', '--validate', '--mc-type', 'application'];
    await promisify(execFile)(process.execPath, [tool, ...options, '--output-file', outfile, metafile]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const bom = JSON.parse(await readFile(outfile, 'utf8'));
  if ((bom.components ?? []).length === 0) throw new Error('The bill of materials names no package.');
  await writeFile(outfile, `${JSON.stringify(await withHashes(bom))}\n`);
};

/** The bill with the hash of each package of npm: that of its tarball, which package-lock.json has. Throws for a package that is not there. */
export const withHashes = async (bom) => {
  const { packages } = JSON.parse(await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8'));
  const hashes = new Map(
    Object.entries(packages).map(([path, { version, integrity }]) => [
      `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      integrity,
    ]),
  );
  const hashed = (component) => {
    // A base is in the layers of its image, which has a hash itself.
    if (component.hashes !== undefined || component.type === 'container') return component;
    const name = `${component.group === undefined ? '' : `${component.group}/`}${component.name}@${component.version}`;
    const [, algorithm, digest] = /^sha(\d+)-(.*)$/.exec(hashes.get(name) ?? '') ?? [];
    if (digest === undefined) throw new Error(`package-lock.json has no hash of ${name}.`);
    const content = Buffer.from(digest, 'base64').toString('hex');
    return { ...component, hashes: [{ alg: `SHA-${algorithm}`, content }] };
  };
  return { ...bom, components: bom.components.map(hashed) };
};
