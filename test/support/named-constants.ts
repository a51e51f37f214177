/**
 * Constants of the program by their names, for pages that give their values. Which file has one is nothing that a page depends on, so
 * it is looked for in all of `src`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { once } from '../../src/basics/once.ts';

const folder = join(import.meta.dirname, '../../src');

/** The text of each file. */
const texts = once(async () => {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
  return Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
});

/** Throws unless exactly one file exports a constant of this name. */
export const constantNamed = async (name: string): Promise<unknown> => {
  const files = (await texts()).filter(([, text]) => text.includes(`\nexport const ${name} = `)).map(([file]) => file);
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`${name} is exported by ${files.length} files of src.`);
  const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  return exported[name];
};

/** The same of one that is a number. */
export const numberNamed = async (name: string): Promise<number> => {
  const value = await constantNamed(name);
  if (typeof value !== 'number') throw new Error(`${name} is not a number.`);
  return value;
};
