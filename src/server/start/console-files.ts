/** Reads the files of the console, which the build makes, and those of Swagger UI for the API page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../basics/error-code.ts';
import type { ReadSwaggerFile } from '../control/api-page.ts';
import type { ReadConsoleFile } from '../control/console-page.ts';
import type { ContentCoding } from '../http/accepted-codings.ts';

/** Reads a file from the first folder that has it. */
export const swaggerFileReader =
  (folders: readonly string[]): ReadSwaggerFile =>
  async (name) => {
    const [first = '', ...rest] = folders.map((folder) => join(folder, name));
    return rest.reduce((found, file) => found.catch(() => readFile(file, 'utf8')), readFile(first, 'utf8'));
  };

/** What the build adds to the name of a file in a coding. */
const endings: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };

/** Reads a file from a folder, which need not be there. Rejects when a file is there and cannot be read. */
export const consoleFileReader =
  (folder: string): ReadConsoleFile =>
  async (name, codings) => {
    for (const coding of [...codings, undefined]) {
      const file = join(folder, name) + (coding === undefined ? '' : endings[coding]);
      const bytes = await ifThere(readFile(file), ['ENOENT', 'ENOTDIR']);
      if (bytes !== undefined) return { bytes, coding };
    }
    return undefined;
  };
