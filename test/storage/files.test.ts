/** The file operations of the durable storages on the real disk. */
import { describe, expect, it } from '@jest/globals';
import { pbkdf2 } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { diskFiles } from '../../src/basics/disk/files.ts';
import { temporaryDirectory } from './records.ts';

/** Keeps all threads busy that work on files, so that what follows has to wait for them. */
const busyThreads = (): Promise<unknown> =>
  Promise.all(Array.from({ length: 32 }, () => promisify(pbkdf2)('password', 'salt', 20_000, 64, 'sha512')));

describe('A file', () => {
  it('is closed when its writes have ended, so that none of them gets into the file that has its number next', async () => {
    const directory = await temporaryDirectory();
    try {
      const [path, other] = [join(directory.path, 'one'), join(directory.path, 'other')];
      const file = await diskFiles('full').create(path);
      const busy = busyThreads();
      const writing = file.write(Buffer.from('bytes of one'), 0);
      const closing = file.close();
      const next = openSync(other, 'w');
      await Promise.all([busy, writing, closing]);
      closeSync(next);
      expect(await readFile(other, 'utf8')).toBe('');
      expect(await readFile(path, 'utf8')).toBe('bytes of one');
      await expect(file.write(Buffer.from('more'), 0)).rejects.toThrow();
    } finally {
      await directory.remove();
    }
  });
});
