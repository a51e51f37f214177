/**
 * Makes a release up to the upload: `npm run release -- 0.2.0`. With `--dry-run` it works in a copy and changes nothing here. With
 * `--nodes=DIR` it makes an archive for each distribution of Node in that folder, else for this system; `--image=FILE` adds the image.
 * The steps are those of docs/inside/releasing.md. It uploads nothing, and it neither commits nor tags.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { released } from './released-changelog.mjs';

const options = process.argv.slice(2);
const isDry = options.includes('--dry-run');
const [version = ''] = options.filter((option) => !option.startsWith('--'));
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  throw new Error('Name the version: npm run release -- 0.2.0 [--dry-run]');

const home = fileURLToPath(new URL('..', import.meta.url));
/** What `scripts/archives.mjs` is given. It is called in another folder. */
const given = options
  .map((option) => /^(--(?:nodes|image)=)(.*)$/.exec(option))
  .flatMap((found) => (found === null ? [] : [found[1] + resolve(found[2])]));
const read = (root, file) => readFileSync(join(root, file), 'utf8');
const say = (text) => process.stdout.write(`${text}\n`);

/** Runs npm or git and shows what it says. Throws when it fails. */
const run = (root, command, ...args) => {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
};

/** The files of this folder that git knows or would add, in a new folder with the same packages. */
const copyOf = () => {
  const root = mkdtempSync(join(tmpdir(), 'atoll-release-'));
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  for (const name of execFileSync('git', listed, { cwd: home, encoding: 'utf8' }).split('\0')) {
    // A link of this name is no folder, so git lists it.
    if (name !== '' && name !== 'node_modules')
      cpSync(join(home, name), join(root, name), { recursive: true, force: true });
  }
  symlinkSync(join(home, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
};

const requireCommitted = (root) => {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changed !== '') throw new Error(`Commit first. These files have changed:\n${changed}`);
};

/** What npm needs for a provenance statement. Returns what is missing. */
const missingForProvenance = (manifest) => [
  ...(manifest.publishConfig?.provenance === true ? [] : ['publishConfig.provenance is not true.']),
  ...(manifest.repository === undefined
    ? ['repository is not set in package.json: npm compares it with the repository whose workflow publishes.']
    : []),
];

/** What says how the package is installed. */
const namingTarball = (root) => [
  ...['README.md', 'docs/use/testing.md', 'examples/README.md'],
  ...readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/${name}/package.json`),
];

const steps = (root) => {
  say(`1. Version ${version} in package.json, package-lock.json and openapi.yaml`);
  if (JSON.parse(read(root, 'package.json')).version !== version) {
    run(root, 'npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
  }
  if (/"resolved"/.test(read(root, 'package-lock.json'))) throw new Error('package-lock.json names a registry.');
  const document = read(root, 'openapi.yaml');
  writeFileSync(join(root, 'openapi.yaml'), document.replace(/^( {2}version: ).*$/m, `$1${version}`));
  for (const name of namingTarball(root)) {
    const text = read(root, name).replaceAll(/atoll-server-\d+\.\d+\.\d+\.tgz/g, `atoll-server-${version}.tgz`);
    writeFileSync(join(root, name), text);
  }

  say('2. The changelog, and the document that later versions are compared with');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, 'CHANGELOG.md'), released(read(root, 'CHANGELOG.md'), version, today));
  run(root, 'npm', 'run', '--silent', 'breaking:keep');

  say('3. Known advisories');
  const audit = spawnSync(process.execPath, ['scripts/audit-advisories.mjs'], { cwd: root, stdio: 'inherit' });
  // 2: the registry did not answer, which the script has said.
  if (audit.status === 1)
    throw new Error('Update the libraries, or write down why their advisories do not concern Atoll.');

  say('4. Provenance');
  const missing = missingForProvenance(JSON.parse(read(root, 'package.json')));
  for (const each of missing) say(`   ${each}`);
  if (missing.length > 0 && !isDry) throw new Error('Set what is missing first, as docs/inside/releasing.md says.');

  say('5. The tarball, with its bill of materials, installed and tested');
  run(root, 'npm', 'pack', '--loglevel=error');
  if (!options.includes('--no-test')) run(root, 'npm', 'run', '--silent', 'test:suite', '--', 'package');

  say('6. What people download: archives with Node, bills of materials, checksums');
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  run(root, process.execPath, 'scripts/archives.mjs', folder, `atoll-server-${version}.tgz`, ...given);
  return readdirSync(folder);
};

if (!isDry) requireCommitted(home);
const root = isDry ? copyOf() : home;
try {
  const made = steps(root);
  say(`${isDry ? 'Nothing here has changed. A release would have made' : 'Made'} release/: ${made.join(', ')}.`);
  say(`What remains: git commit, git tag v${version}, and in the workflow that publishes:`);
  say(`  npm publish atoll-server-${version}.tgz, and all of release/ for who downloads`);
} finally {
  if (isDry) rmSync(root, { recursive: true, force: true });
}
