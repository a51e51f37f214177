/**
 * Makes what people download, in a new folder: for each system an archive with the program, Node and a launcher; the tarball of npm; for
 * each of them a bill of materials, and the checksums of all. Call it on Linux after `npm pack`:
 * `node scripts/archives.mjs OUT TARBALL [--nodes=DIR] [--image=FILE]`.
 * DIR has distributions of Node as their archives unpack, such as `node-v22.21.1-darwin-arm64`. Without it there is one archive, for
 * this system, with the Node that runs. FILE is the image of `Dockerfile`, as `docker save` writes it, compressed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { layOutApp } from './app-folder.mjs';
import { withHashes } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The launchers find Node beside themselves, wherever the folder is and whatever the PATH has. */
const shellLauncher = `#!/bin/sh
# Starts Atoll with the Node beside this file. A link to it may lie in a folder of the PATH.
file=$0
case $file in */*) ;; *) file=./$file ;; esac
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in /*) file=$target ;; *) file=\${file%/*}/$target ;; esac
done
exec "\${file%/*}/node/node" "\${file%/*}/app/dist/main.js" "$@"
`;
const windowsLauncher = '@"%~dp0node\\node.exe" "%~dp0app\\dist\\main.js" %*\r\n';

const readme = (launcher) => `Atoll ${version}, with the Node that it runs on. Nothing has to be installed.

    ${launcher} serve

Then open http://localhost:8000/. Data are in ./atoll-data, ${launcher} help lists the commands.
The manual is in app/docs/use, licences are in app/LICENSE, app/dist/third-party-licences.txt and node/LICENSE.
`;

/** The Node that runs, for this system. */
const ownDistribution = async () => ({
  ...{ system: `${process.platform}-${process.arch}`, nodeVersion: process.versions.node, program: process.execPath },
  // Where an installation keeps it, if it does.
  licences: [join(process.execPath, '../../LICENSE'), join(process.execPath, '../../share/doc/nodejs/copyright')],
});

/** The distributions in a folder. Throws when it has none. */
const distributionsIn = async (folder) => {
  const found = (await readdir(folder)).flatMap((name) => {
    const [, nodeVersion, system] = /^node-v(\d+\.\d+\.\d+)-((?:linux|darwin|win)-\w+)$/.exec(name) ?? [];
    if (nodeVersion === undefined || system === undefined) return [];
    const program = join(folder, name, system.startsWith('win') ? 'node.exe' : 'bin/node');
    return [{ system, nodeVersion, program, licences: [join(folder, name, 'LICENSE')] }];
  });
  if (found.length === 0) throw new Error(`${folder} has no folder such as node-v22.21.1-linux-x64.`);
  return found;
};

const sha256 = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
const isThere = (file) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Writes an archive of the folder `name` in `place`: a zip for Windows, which opens nothing else with two clicks. */
const archive = (place, name, out, system) => {
  const file = join(out, `${name}.${system.startsWith('win') ? 'zip' : 'tar.gz'}`);
  const run = (command, ...args) => execFileSync(command, args, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  if (system.startsWith('win')) run('zip', '-qrX', file, name);
  else {
    // The same files give the same bytes. The date is that of files in packages of npm.
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=1985-10-26T08:15:00Z'];
    run('tar', '-c', ...same, '-I', 'gzip -n9', '-f', file, name);
  }
  return file;
};

/** Makes one archive with its bill of materials. `app` is a folder that is laid out, and `packages` what is beside the program in it. */
const makeArchive = async ({ system, nodeVersion, program, licences }, { app, packages, bom, out, place }) => {
  const name = `atoll-${version}-${system}`;
  const folder = join(place, name);
  const isWindows = system.startsWith('win');
  await mkdir(join(folder, 'node'), { recursive: true });
  await cp(app, join(folder, 'app'), { recursive: true, mode: constants.COPYFILE_FICLONE });
  const node = join(folder, 'node', isWindows ? 'node.exe' : 'node');
  await copyFile(program, node);
  await chmod(node, 0o755);
  for (const licence of licences) if (await isThere(licence)) await copyFile(licence, join(folder, 'node/LICENSE'));
  const launcher = isWindows ? 'atoll.cmd' : 'atoll';
  await writeFile(join(folder, launcher), isWindows ? windowsLauncher : shellLauncher, { mode: 0o755 });
  await writeFile(join(folder, 'README.txt'), readme(isWindows ? launcher : `./${launcher}`));
  const file = archive(place, name, out, system);
  const purl = `pkg:generic/node@${nodeVersion}`;
  const hashes = [{ alg: 'SHA-256', content: await sha256(node) }];
  const runtime = { type: 'platform', name: 'node', version: nodeVersion, 'bom-ref': purl, purl, hashes };
  await writeBom(file, bom, [runtime, ...packages.map(packageComponent)]);
  await rm(folder, { recursive: true });
};

/** Adds the image. It has the program of the archives, on the bases that its Dockerfile names. */
const addImage = async (image, { packages, bom, out }) => {
  const file = join(out, `atoll-${version}-image-${basename(image)}`);
  await copyFile(image, file);
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  // A stage that only builds leaves nothing in the image but the program.
  const bases = [...dockerfile.matchAll(/^FROM (\w+):(\S+)(?: AS (\w+))?$/gm)].filter(
    ([, , , stage]) => stage !== 'build',
  );
  await writeBom(file, bom, [
    ...bases.map(([, name, tag]) => baseComponent(name, tag)),
    ...packages.map(packageComponent),
  ]);
};

const baseComponent = (name, tag) => {
  const purl = `pkg:docker/${name}@${tag}`;
  return { type: 'container', name, version: tag, 'bom-ref': purl, purl };
};

const packageComponent = ({ name, version: of, license }) => {
  const [, group, short = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${of}`;
  const licences = license === undefined ? {} : { licenses: [{ license: { id: license } }] };
  return {
    type: 'library',
    ...(group === undefined ? {} : { group }),
    name: short,
    version: of,
    'bom-ref': purl,
    ...licences,
    purl,
  };
};

/** Writes the bill of materials of a file beside it: what the package holds, what else the file holds, and the hash of the file. */
const writeBom = async (file, bom, more) => {
  const { component } = bom.metadata;
  const described = { ...component, hashes: [{ alg: 'SHA-256', content: await sha256(file) }] };
  const known = new Set(bom.components.map((each) => each.purl));
  const components = [...bom.components, ...more.filter(({ purl }) => !known.has(purl))];
  const whole = await withHashes({ ...bom, metadata: { ...bom.metadata, component: described }, components });
  await writeFile(`${file}.cdx.json`, `${JSON.stringify(whole, null, 2)}\n`);
};

const makeAll = async (out, tarball, { nodes, image }) => {
  await mkdir(out);
  const place = await mkdtemp(join(tmpdir(), 'atoll-archives-'));
  try {
    const bom = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'));
    const app = join(place, 'app');
    const packages = await layOutApp(app);
    const distributions = nodes === undefined ? [await ownDistribution()] : await distributionsIn(nodes);
    for (const each of distributions) await makeArchive(each, { app, packages, bom, out, place });
    if (image !== undefined) await addImage(image, { packages, bom, out });
    const copied = join(out, basename(tarball));
    await copyFile(tarball, copied);
    await writeBom(copied, bom, []);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  const names = (await readdir(out)).sort();
  const lines = await Promise.all(names.map(async (name) => `${await sha256(join(out, name))}  ${name}\n`));
  await writeFile(join(out, 'SHA256SUMS'), lines.join(''));
  for (const name of names)
    process.stdout.write(`   ${name}: ${Math.ceil((await stat(join(out, name))).size / 1024)} KiB\n`);
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { nodes: { type: 'string' }, image: { type: 'string' } },
});
const [out, tarball] = positionals;
if (out === undefined || tarball === undefined)
  throw new Error('Say: node scripts/archives.mjs OUT TARBALL [--nodes=DIR] [--image=FILE]');
await makeAll(out, tarball, values);
