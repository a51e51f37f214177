/** Reads the files of Swagger UI for the API page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadSwaggerFile } from '../control/api-page.ts';

/** Reads a file from the first folder that has it. */
export const swaggerFileReader =
  (folders: readonly string[]): ReadSwaggerFile =>
  async (name) => {
    const [first = '', ...rest] = folders.map((folder) => join(folder, name));
    return rest.reduce((found, file) => found.catch(() => readFile(file, 'utf8')), readFile(first, 'utf8'));
  };
