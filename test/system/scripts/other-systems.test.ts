/** What differs on Windows and macOS, as far as it can be tried here. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from '../../../src/basics/disk/directory-lock.ts';
import { root } from '../../support/atoll.ts';

const { platform } = process;
const pretend = (name: string): void => void Object.defineProperty(process, 'platform', { value: name });
afterEach(() => pretend(platform));

describe('A lock on macOS', () => {
  it.each([
    ['a short', 'data'],
    ['a long', join('a'.repeat(80), 'b'.repeat(80), 'data')],
  ])('holds %s directory against a second process, and is free again afterwards', async (_what, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'atoll-lock-'));
    const directory = join(folder, name);
    await mkdir(directory, { recursive: true });
    pretend('darwin');
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'ATOLL_DIRECTORY_IN_USE' });
    await lock.release();
    await (await lockDirectory(directory)).release();
    await rm(folder, { recursive: true });
  });
});

describe('A command on Windows', () => {
  it('keeps each argument as it is through the shell that a script of npm needs', () => {
    const script = `Object.defineProperty(process, 'platform', { value: 'win32' });
      const parsed = require('cross-spawn')._parse('npx', ['playwright', 'a b', 'say "no"', 'x&y'], {});
      console.log(JSON.stringify(parsed));`;
    const output = execFileSync(process.execPath, ['-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    const { args } = JSON.parse(output) as { args: string[] };
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(args[3]).toBe(String.raw`"npx ^"playwright^" ^"a^ b^" ^"say^ \^"no\^"^" ^"x^&y^""`);
  });
});

type Manifest = { readonly scripts: Readonly<Record<string, string>>; readonly dependencies: object };
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest; // our own file

describe('The scripts of package.json', () => {
  it('are such as the shells of POSIX and of Windows both run', () => {
    const odd = Object.entries(manifest.scripts).filter(([, text]) => /(^|&& )\w+=|['$`<>;]/.test(text));
    expect(odd).toEqual([]);
    // `exec` is a command of the shell on POSIX; scripts/prepare.mjs makes one for Windows.
    // The others install what they need by Debian's packages.
    const shell = Object.entries(manifest.scripts).filter(([, text]) => /^(exec|bash) /.test(text));
    expect(shell.map(([name]) => name)).toEqual(['start']);
  });

  it('find the libraries that run in the program among the dependencies', async () => {
    const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
    expect(lock).not.toMatch(/"resolved"|registry/);
    expect(Object.keys(manifest.dependencies)).toEqual(
      expect.arrayContaining(['express', 'lowdb', 'openapi-fetch', 'swagger-ui-dist', 'yaml']),
    );
  });
});

describe('The changelog of a release', () => {
  it('gives what was unreleased a version and a date, and refuses to release nothing', async () => {
    const { released } = (await import(join(root, 'scripts/released-changelog.mjs'))) as {
      released: (changelog: string, version: string, date: string) => string;
    }; // a script without types
    expect(released('# Changelog\n\n## Unreleased (0.2.0)\n\n- New.\n', '0.2.0', '2026-01-02')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-01-02)\n\n- New.\n',
    );
    expect(() => released('## Unreleased\n\n## 0.1.0\n', '0.2.0', '2026-01-02')).toThrow('says nothing');
  });
});
