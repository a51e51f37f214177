/** Hashes files, so that a start knows whether something that was made from them is still right. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRegularFileSync } from '../../basics/disk/regular-file.ts';

/** A hash over the names and contents of files below a folder. A file that cannot be read counts as an empty one. */
export const hashOfFiles = (folder: string, names: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const name of names) {
    hash
      .update(JSON.stringify(name))
      .update(bytesOf(join(folder, name)))
      .update('\0');
  }
  return hash.digest('hex');
};

const bytesOf = (file: string): Buffer => {
  try {
    return readRegularFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};
