/** The file of the signing key in a data directory: a damaged one is named and never replaced. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { exitCodeOf } from '../cli/program.ts';
import { loadSite } from '../support/site-sources.ts';
import { openWorlds, type OpenedWorlds } from '../../src/server/server-worlds.ts';
import { createClock, createIds, root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';

const site = await loadSite(join(root, 'data/site'));
const folder = await mkdtemp(join(tmpdir(), 'atoll-key-'));
afterAll(() => rm(folder, { recursive: true }));
const data = join(folder, 'data');
const key = join(data, 'jwt-key.pem');

const warnings: string[] = [];
const opened = (): Promise<OpenedWorlds> =>
  openWorlds({
    application: repositoryOnDisk,
    ...{ site, data, baseUrl: 'http://localhost:8000', fixture: join(root, 'data/fixtures/empty') },
    ...{ durability: 'os', clock: createClock(), ids: createIds(), warn: (message) => warnings.push(message) },
  });

const first = await opened();
await first.signingKey();
await first.close();
const whole = await readFile(key, 'utf8');

describe('A key file', () => {
  it.each([
    ['that is empty', () => writeFile(key, ''), 'the file is empty'],
    ['that was cut', () => writeFile(key, whole.slice(0, 700)), 'it is not a whole RSA private key (PEM)'],
    ['of something else', () => writeFile(key, 'Dear reader'), 'it is not a whole RSA private key (PEM)'],
    ['that is a directory', () => mkdir(key), 'it is a directory'],
    ['that is a FIFO', () => execFileSync('mkfifo', [key]), 'it is a FIFO'],
  ])('%s is refused with its name, the reason and the remedy', async (_what, make, reason) => {
    await rm(key, { recursive: true, force: true });
    await make();
    const error: unknown = await opened().catch((thrown: unknown) => thrown);
    expect([String(error), exitCodeOf(error)]).toEqual([
      `Error: The store is damaged: ${key}, at byte 0: ${reason}. ` +
        'Put the right file back, or move it away: then a new key is made, and earlier tokens are refused.',
      4,
    ]);
  });

  it('that is empty ends the program with 4 and one line', async () => {
    await rm(key, { recursive: true, force: true });
    await writeFile(key, '');
    const { code, error } = await runHere(['serve', '--port', '0', '--data', data]);
    expect([code, error.trim().split('\n')]).toEqual([4, [expect.stringMatching(/jwt-key\.pem.* the file is empty/)]]);
  });

  it('that is whole again is used, and none at all is made anew', async () => {
    await writeFile(key, whole);
    await (await opened()).close();
    expect(await readFile(key, 'utf8')).toBe(whole);
    await rm(key);
    warnings.length = 0;
    await (await opened()).close();
    expect(warnings).toEqual([expect.stringMatching(/jwt-key\.pem is missing, and there was one: .* Put it back/)]);
  });

  it('of a repository that never made one is not missed', async () => {
    warnings.length = 0;
    await rm(`${key}.made`);
    await (await opened()).close();
    expect(warnings).toEqual([]);
  });
});
