/** Reads the version of the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `root` is the folder of the package. */
export const readVersion = async (root: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
  return version;
};
