/** Reads the program of the process that reads files. `scripts/bundle.mjs` replaces this module by one that knows where it has put it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../basics/disk/package-folder.ts';

const folder = packageFolder(import.meta.url);

/** What the process runs. Here it is the one that was built for the tests (`test/support/before-all.mjs`). */
export const decoderText = (): Promise<string> => readFile(join(folder, 'coverage/decoder.cjs'), 'utf8');

/** Packages that users install are found from here. */
export const decoderFolder = folder;
