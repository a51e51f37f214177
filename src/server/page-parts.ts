/** Reads the files of Swagger UI, which the page of the interface is made of. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadPagePart } from '../control/api-page.ts';

/** From the first of the folders that has it: where the build put it, or the package that it comes from. */
export const pagePartsOf =
  (folders: readonly string[]): ReadPagePart =>
  async (name) => {
    const [first = '', ...rest] = folders.map((folder) => join(folder, name));
    return rest.reduce((found, file) => found.catch(() => readFile(file, 'utf8')), readFile(first, 'utf8'));
  };
