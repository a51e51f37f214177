/** Which database `atoll serve` uses, what contradicts it, and what it says of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { directoryOf, placeRows, readStore, repositoryPlace } from '../../../src/cli/serving/store-options.ts';
import { readServe as parsed, refuseContradicting } from '../options/option-rows.ts';
import type { DatabasePlace } from '../../../src/server/server.ts';

const read = async (
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<DatabasePlace | undefined> => {
  const store = await readStore(parsed(args, environment), environment);
  refuseContradicting(args, environment);
  return store;
};
const url = 'postgres://atoll:secret@db.example:5432/team';

describe('The database of a server', () => {
  it('is none without an option, and otherwise that of the option or of the environment', async () => {
    expect(await read([])).toBeUndefined();
    expect(await read([], { ATOLL_STORE: '' })).toBeUndefined();
    expect(await read(['--store', url])).toEqual({
      ...{ url, password: undefined, consistency: 'strict', poolSize: 10, statementTimeoutMs: 10_000, waitMs: 30_000 },
    });
    const named = ['--consistency', 'local', '--pool-size', '4', '--statement-timeout', '2.5', '--store-wait', '1'];
    expect(await read(named, { ATOLL_STORE: url, PGPASSWORD: 'p' })).toEqual({
      ...{ url, password: 'p', consistency: 'local', poolSize: 4, statementTimeoutMs: 2500, waitMs: 1000 },
    });
    expect((await read(['--store', `${url}2`], { ATOLL_STORE: url }))?.url).toBe(`${url}2`);
  });

  it('has its password from a file, without the line break at its end', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'atoll-store-'));
    const file = join(directory, 'password');
    await writeFile(file, 'from a file\n');
    const args = ['--store', url, '--store-password-file'];
    expect((await read([...args, file], { PGPASSWORD: 'p' }))?.password).toBe('from a file');
    await expect(read([...args, join(directory, 'none')])).rejects.toThrow('--store-password-file');
    await rm(directory, { recursive: true });
  });

  it.each([
    [['--memory'], '--memory'],
    [['--seed', 'a'], '--seed'],
    [['--durability', 'os'], '--durability'],
  ])('does not go with %j', async (args, name) => {
    const refused = read([...args, '--store', url]);
    await expect(refused).rejects.toThrow(`Leave out ${name} or --store postgres://atoll@db.example:5432/team.`);
    await expect(read(args, { ATOLL_STORE: url })).rejects.toThrow('ATOLL_STORE');
    expect(await readStore(parsed(args), {})).toBeUndefined();
  });

  it('is no directory, and nothing that belongs to it stands alone', async () => {
    await expect(read(['--store', './data'])).rejects.toThrow('--store names a database');
    await expect(read([], { ATOLL_STORE: 'mysql://x:y@z/w' })).rejects.toThrow(/^ATOLL_STORE names a database/);
    await expect(read(['--pool-size', '3'])).rejects.toThrow('--pool-size goes with --store. Add it.');
    await expect(read(['--store-wait', '3'])).rejects.toThrow('--store-wait goes with --store. Add it.');
  });

  it('has its bytes in a directory that is named, not in one that each process would have', async () => {
    const store = await read(['--store', url]);
    expect(directoryOf(parsed([]), store)).toBeUndefined();
    expect(directoryOf(parsed(['--data', 'there']), store)).toBe(resolve('there'));
    expect(directoryOf(parsed([]), undefined)).toBe(resolve('./atoll-data'));
    expect(directoryOf(parsed(['--memory']), undefined)).toBeUndefined();
  });

  it('is said without its password', async () => {
    const place = repositoryPlace(await read(['--store', url]), '/bytes');
    expect(place).toEqual({ data: '/bytes', store: 'postgres://atoll@db.example:5432/team' });
    expect(placeRows(place, 'full')).toEqual([
      ['Store', 'postgres://atoll@db.example:5432/team'],
      ['Bytes', '/bytes'],
    ]);
    expect(placeRows({ data: undefined }, 'memory')).toEqual([
      ['Data', 'in memory only, gone when this ends'],
      ['Durability', 'memory'],
    ]);
  });
});
