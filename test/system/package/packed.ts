/** The package as it would be published: packed once, and installed into folders that know nothing of this repository. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Copies an example and installs what its `package.json` names, with the packed package in place of the published one. */
export const installExample = async (name: string, folder: string, { tarball }: Packed): Promise<void> => {
  const source = join(root, 'examples', name);
  await cp(source, folder, { recursive: true, filter: (file) => !file.includes('node_modules') });
  const file = join(folder, 'package.json');
  const described = JSON.parse(await readFile(file, 'utf8')) as { devDependencies: Record<string, string> }; // ours
  described.devDependencies['atoll-server'] = `file:${tarball}`;
  await writeFile(file, JSON.stringify(described));
  await runWell(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']);
};

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
