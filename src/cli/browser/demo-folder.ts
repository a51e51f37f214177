/** Writes the folder of a demo, and removes what an earlier demo left there. It touches no file of anybody else. */
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { requireFormat } from '../../basics/disk/require-format.ts';
import { digest } from '../../basics/secrets/digest.ts';
import { errorCode, ifThere } from '../../basics/error-code.ts';
import type { DemoFile } from './demo-files.ts';

/** Lists the files of a demo, so that the next one can remove them. */
const listName = 'demo.json';

/** Raise it when the list changes. The first lists do not say it. */
const listFormat = 1;

/** Tells the list from a file of the same name that somebody else wrote. */
const note = 'Written by atoll demo, which removes these files, if unchanged, when it writes the folder again.';

/** The SHA-256 of each file, in hex, by its name below the folder. */
type EarlierDemo = Readonly<Record<string, string>>;

/** The files of an earlier demo in this folder. Throws `ConfigurationError` for a folder that holds something else. */
export const readEarlierDemo = async (folder: string): Promise<EarlierDemo> => {
  const names = await readNames(folder);
  if (names.length === 0) return {};
  if (!names.includes(listName)) {
    throw new ConfigurationError(`--out ${folder}: the folder holds something else. Name a new or an empty one.`);
  }
  try {
    const file = join(folder, listName);
    const list = JSON.parse(await readFile(file, 'utf8')) as { note?: unknown; files?: unknown }; // looked at here
    requireFormat(file, list, listFormat);
    const { files } = list;
    if (list.note !== note || typeof files !== 'object' || files === null)
      throw new Error('It is not the list of a demo.');
    return Object.fromEntries(Object.entries(files).filter(([name, sum]) => isBelow(name) && typeof sum === 'string'));
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const remedy = 'Remove the folder, or name another one.';
    throw new ConfigurationError(`--out ${folder}: its ${listName} is none that atoll demo wrote. ${remedy}`, {
      cause,
    });
  }
};

const readNames = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await ifThere(readdir(folder))) ?? [];
  } catch (cause) {
    const reason = errorCode(cause) === 'ENOTDIR' ? 'it is not a folder' : 'it cannot be read';
    throw new ConfigurationError(`--out ${folder}: ${reason}.`, { cause });
  }
};

/** No name leads out of the folder. */
const isBelow = (name: string): boolean =>
  !/[\\:]/.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Rejects with `ConfigurationError` when something cannot be written, or a file of the demo would replace one of somebody else. */
export const writeDemoFolder = async (
  folder: string,
  files: readonly DemoFile[],
  earlier: EarlierDemo,
): Promise<void> => {
  const sums = Object.fromEntries(files.map(({ name, content }) => [name, sumOf(content)]));
  const stale = Object.entries(earlier).filter(([name]) => !Object.hasOwn(sums, name));
  try {
    await mkdir(folder, { recursive: true });
    await refuseForeignFiles(folder, files, earlier);
    // First, so that a folder that is written in part can be written again.
    await writeList(folder, { ...Object.fromEntries(stale), ...sums });
    for (const { name, content } of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    for (const [name, sum] of stale) await removeUnchanged(folder, name, sum);
    await writeList(folder, sums);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`--out ${folder}: it cannot be written (${reason}).`, { cause });
  }
};

const writeList = (folder: string, files: EarlierDemo): Promise<void> =>
  writeFile(join(folder, listName), `${JSON.stringify({ note, format: listFormat, files }, null, 2)}\n`);

const sumOf = (content: Uint8Array): string => digest('sha256', content, 'hex');

/** Symbolic links are foreign, too: they lead to files outside of the folder. */
const refuseForeignFiles = async (folder: string, files: readonly DemoFile[], earlier: EarlierDemo): Promise<void> => {
  for (const { name } of files) {
    const there = await stateOf(folder, name);
    if (there === 'none' || (there === 'file' && Object.hasOwn(earlier, name))) continue;
    throw new ConfigurationError(`--out ${folder}: ${name} is there and is of no earlier demo. Move it away.`);
  }
};

/** What is at a name: nothing, a file inside the folder, or something else. */
const stateOf = async (folder: string, name: string): Promise<'none' | 'file' | 'other'> => {
  const path = join(folder, name);
  const found = await ifThere(lstat(path));
  const parent = await nearestFolder(dirname(path));
  const inside = await realpath(folder);
  if (parent !== inside && !parent.startsWith(inside + sep)) return 'other';
  return found === undefined ? 'none' : found.isFile() ? 'file' : 'other';
};

/** Where a folder really is, or the nearest one above it that is there. */
const nearestFolder = async (path: string): Promise<string> =>
  (await ifThere(realpath(path))) ?? nearestFolder(dirname(path));

/** Files that have changed since the demo was written stay. */
const removeUnchanged = async (folder: string, name: string, sum: string): Promise<void> => {
  if ((await stateOf(folder, name)) !== 'file') return;
  const path = join(folder, name);
  if (sumOf(await readFile(path)) === sum) await rm(path, { force: true });
};
