/** Reads the files of the console, which the build makes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentCoding, ReadConsoleFile } from '../control/console-page.ts';
import { ifThere } from '../../basics/error-code.ts';

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
