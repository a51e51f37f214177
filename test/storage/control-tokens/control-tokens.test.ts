/** The stores of control tokens in memory and in a file, also when the disk fails. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { controlTokensName } from '../../../src/storage/control-tokens/file-control-tokens.ts';
import { openFileControlTokens, createMemoryControlTokens } from '../../../src/storage/storage.ts';
import { diskFiles } from '../../../src/basics/disk/files.ts';
import { controlTokenStoreSuite, token } from './control-token-store.suite.ts';

let above = '';
beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'atoll-tokens-'));
});
afterAll(() => rm(above, { recursive: true }));

const newDirectory = (): Promise<string> => mkdtemp(join(above, 'data-'));

controlTokenStoreSuite('Control tokens in memory', async () => ({ store: createMemoryControlTokens() }));
controlTokenStoreSuite('Control tokens in a file', async () => {
  const directory = await newDirectory();
  return { store: await openFileControlTokens(directory), again: () => openFileControlTokens(directory) };
});

const limits = { now: 0, most: 10 };

describe('The file of control tokens', () => {
  it('is there with the first token, for its owner alone', async () => {
    const directory = await newDirectory();
    const store = await openFileControlTokens(directory);
    expect(await readdir(directory)).toEqual([]);
    await store.put(token('a'), limits);
    expect(await readdir(directory)).toEqual([controlTokensName]);
    const { mode } = await stat(join(directory, controlTokensName));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  });

  it.each(['create', 'rename', 'syncDirectory'] as const)(
    'stays as it was when %s fails: 507, and the next change is made',
    async (broken) => {
      const directory = await newDirectory();
      const files = diskFiles('full');
      let isFull = false;
      const store = await openFileControlTokens(directory, {
        ...files,
        [broken]: (...parts: readonly [never, never]) =>
          isFull ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : files[broken](...parts),
      });
      await store.put(token('a'), limits);
      isFull = true;
      await expect(store.put(token('b'), limits)).rejects.toMatchObject({ status: 507 });
      await expect(store.remove('a')).rejects.toMatchObject({ status: 507 });
      expect(await store.load()).toEqual([token('a')]);
      isFull = false;
      expect(await store.put(token('c'), limits)).toBe('kept');
      expect(await (await openFileControlTokens(directory)).load()).toEqual([token('a'), token('c')]);
      expect(await readdir(directory)).toEqual([controlTokensName]);
    },
  );

  it.each([
    ['{', 'it is no JSON'],
    ['null', 'it is not a list of control tokens of this version'],
    ['{"format":0,"tokens":[]}', 'it is not a list of control tokens of this version'],
    [
      JSON.stringify({ format: 1, tokens: [{ ...token('a'), right: 'worlds' }] }),
      'it is not a list of control tokens of this version',
    ],
    [
      JSON.stringify({ format: 1, tokens: [{ ...token('a'), secretHash: '' }] }),
      'it is not a list of control tokens of this version',
    ],
  ])('is refused in one line when it holds %s', async (text, reason) => {
    const directory = await newDirectory();
    await writeFile(join(directory, controlTokensName), text);
    await expect(openFileControlTokens(directory)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message:
        `${join(directory, controlTokensName)}: ${reason}. ` +
        'Put the right file back, or move it away: then all named control tokens are revoked.',
    });
    expect(await readFile(join(directory, controlTokensName), 'utf8')).toBe(text);
  });

  it('is refused when it is no file', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, controlTokensName));
    await expect(openFileControlTokens(directory)).rejects.toMatchObject({ name: 'ConfigurationError' });
  });
});
