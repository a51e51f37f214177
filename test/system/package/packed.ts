/** The package as it would be published: packed once, and installed into folders that know nothing of this repository. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../support/atoll.ts';

export type Packed = {
  readonly tarball: string;
  /** Names of the files inside. */
  readonly files: readonly string[];
  /** In bytes: of the tarball, and of what it unpacks to. */
  readonly size: number;
  readonly unpackedSize: number;
};

export type Ended = { readonly code: number; readonly output: string };

/** An environment without what the runner of these tests has set for itself. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|NODE_ENV$|JEST_|ATOLL_)/i.test(name)),
  );

/** Runs a command to its end. Never rejects: the code tells, and the output is that of both streams. */
export const run = (
  folder: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { ...cleanEnvironment(), ...environment }, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: stdout + stderr });
    });
  });

const runWell = async (folder: string, command: string, args: readonly string[]): Promise<string> => {
  const { code, output } = await run(folder, command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
};

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'atoll-package-'));

/**
 * Builds and packs into a folder. Where `ATOLL_TEST_PACKED` names one, the package is packed there once, and the runs that follow
 * take it from there.
 */
export const pack = async (folder: string): Promise<Packed> => {
  const place = process.env['ATOLL_TEST_PACKED'] ?? folder;
  await mkdir(place, { recursive: true });
  const listing = join(place, 'packed.json');
  if (!existsSync(listing)) {
    const args = ['pack', '--json', '--loglevel=error', '--pack-destination', place];
    await writeFile(listing, await runWell(root, 'npm', args));
  }
  const output = await readFile(listing, 'utf8');
  // What runs before the packing may have written lines of its own.
  const [told] = JSON.parse(output.slice(output.search(/^\[/m), output.lastIndexOf(']') + 1)) as PackTold[]; // npm's own form
  if (told === undefined) throw new Error('npm pack made no package.');
  const { filename, files, size, unpackedSize } = told;
  return { tarball: join(place, filename), files: files.map(({ path }) => path), size, unpackedSize };
};

type PackTold = {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly size: number;
  readonly unpackedSize: number;
};

/** Installs the package, and nothing else, into a new folder. Without a network: nothing else is needed. */
export const installAlone = async (folder: string, { tarball }: Packed): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  await runWell(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball]);
};

/** Lends packages of this repository to a folder, for tools that its own tests need. */
export const lend = async (folder: string, ...names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(join(place, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), place);
  }
};

const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** Copies an example into a folder. */
const copyExample = (name: string, folder: string): Promise<void> =>
  cp(join(root, 'examples', name), folder, { recursive: true, filter: (file) => !file.includes('node_modules') });

/** Installs an example as it stands, in a clone of which only the examples are there, and what `npm pack` has made. Returns its folder. */
export const installExample = async (name: string, clone: string, { tarball }: Packed): Promise<string> => {
  const folder = join(clone, 'examples', name);
  await copyExample(name, folder);
  await cp(tarball, join(clone, basename(tarball)));
  await runWell(folder, 'npm', ['install', ...quietly]);
  return folder;
};

/** Installs an example that was copied elsewhere, as `examples/README.md` tells. */
export const installCopiedExample = async (name: string, folder: string, { tarball }: Packed): Promise<void> => {
  await copyExample(name, folder);
  await runWell(folder, 'npm', ['install', '--save-dev', tarball, ...quietly]);
};

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
