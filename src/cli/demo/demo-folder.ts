/** Writes the folder of a demo, and removes what an earlier demo left there. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '../../site/read-yaml.ts';
import { errorCode, ifThere } from '../../storage/files.ts';
import type { DemoFile } from './demo-files.ts';

/** Lists the files of a demo, so that the next one can remove them. */
const listName = 'demo.json';

/** The names of the files of an earlier demo in this folder. Throws `ConfigurationError` for a folder that holds something else. */
export const readEarlierDemo = async (folder: string): Promise<readonly string[]> => {
  const names = await readNames(folder);
  if (names.length === 0) return [];
  if (!names.includes(listName)) {
    throw new ConfigurationError(`--out ${folder}: the folder holds something else. Name a new or an empty one.`);
  }
  try {
    const { files } = JSON.parse(await readFile(join(folder, listName), 'utf8')) as { files: unknown }; // looked at here
    if (!Array.isArray(files)) throw new Error('It has no list "files".');
    return files.filter((name): name is string => typeof name === 'string' && isBelow(name));
  } catch (cause) {
    const remedy = 'Remove the folder, or name another one.';
    throw new ConfigurationError(`--out ${folder}: its ${listName} cannot be read. ${remedy}`, { cause });
  }
};

const readNames = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await ifThere(readdir(folder))) ?? [];
  } catch (cause) {
    const reason = errorCode(cause) === 'ENOTDIR' ? 'it is no folder' : 'it cannot be read';
    throw new ConfigurationError(`--out ${folder}: ${reason}.`, { cause });
  }
};

/** No name leads out of the folder. */
const isBelow = (name: string): boolean =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** Rejects with `ConfigurationError` when something cannot be written. */
export const writeDemoFolder = async (
  folder: string,
  files: readonly DemoFile[],
  earlier: readonly string[],
): Promise<void> => {
  const names = files.map(({ name }) => name);
  const list = {
    note: 'Written by atoll demo, which removes these files when it writes the folder anew.',
    files: names,
  };
  try {
    // First, so that a folder that is written in part can be written anew.
    await mkdir(folder, { recursive: true });
    const kept = new Set(names);
    const stale = earlier.filter((name) => !kept.has(name));
    await writeFile(join(folder, listName), `${JSON.stringify({ ...list, files: [...names, ...stale] }, null, 2)}\n`);
    for (const { name, content } of files) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    for (const name of stale) await rm(join(folder, name), { force: true });
    await writeFile(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`--out ${folder}: it cannot be written (${reason}).`, { cause });
  }
};
