/** What the command line says of itself, and how it refuses: one line, and an exit code that names the kind of fault. */

import { readFile, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { startServer } from '../support/server.ts';

jest.setTimeout(30_000);

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('help', () => {
  it('names every command, each with a help of its own: exit 0', async () => {
    const { code, out } = await runHere(['--help']);
    expect(code).toBe(0);
    const commands = [...out.matchAll(/^ {2}([a-z]+) /gm)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => name !== 'help');
    expect(commands).toEqual(expect.arrayContaining(['serve', 'token', 'ls']));
    const helps = await Promise.all(commands.map((name) => runHere([name, '--help'])));
    for (const [index, help] of helps.entries()) {
      expect([commands[index], help.code, help.error]).toEqual([commands[index], 0, '']);
      expect(help.out).toContain(`Usage: atoll ${commands[index] ?? ''}`);
    }
  });

  it('is followed by the version, that of the package', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
    expect((await runHere(['--version'])).out).toBe(`${version}\n`);
  });

  it('of serve names every option with its default', async () => {
    const { out } = await runHere(['serve', '--help']);
    for (const option of ['port', 'host', 'data', 'memory', 'fixture', 'site', 'base-url', 'check-replies', 'json']) {
      expect(out).toContain(`--${option}`);
    }
    expect(out).toContain('8000');
    expect(out).toContain('./atoll-data');
  });
});

describe('options that are wrong: exit 2 and one clear line', () => {
  it.each([
    [['serve', '--nonsense'], '--nonsense'],
    [['serve', '--port', 'abc'], '--port'],
    [['serve', '--port', '70000'], '--port'],
    [['serve', '--port', '-1'], '--port'],
    [['serve', '--base-url', 'localhost'], '--base-url'],
    [['serve', '--check-replies', 'maybe'], '--check-replies'],
    [['serve', '--durability', 'maybe'], '--durability'],
    [['serve', '--memory', '--fixture', 'nonsense'], 'nonsense'],
    [['serve', '--memory', '--site', '/nothing/there'], '/nothing/there'],
    [['serve', '--memory', '--jwt-key', '/nothing/there'], '--jwt-key'],
    [['serve', '--memory', '--host', '0.0.0.0', '--port', '0'], '--demo-accounts'],
    [['serve', '--memory', '--cors', '*'], '--cors'],
    [['serve', '--memory', '--cors', 'https://a.example/'], 'https://a.example'],
    [['serve', '--memory', '--cors', 'javascript:x'], '--cors'],
    [['serve', '--memory', '--cors', 'https://b.example,nul'], '--cors'],
    [['serve', '--memory', '--cors', 'foo'], '--cors'],
    [['serve', '--memory', '--cors', ''], '--cors'],
    [['serve', '--memory', '--cors', 'HTTP://A.example:80'], 'http://a.example'],
    [['serve', '--memory', '--control-origins', 'https://a.example/'], 'Write https://a.example.'],
    [['serve', '--memory', '--control-origins', 'https://b.example,loopback'], '--control-origins "loopback"'],
    [['exec', '--control-origins', '', '--', 'true'], '--control-origins ""'],
    [['serve', '--memory', '--max-connections', '0'], '--max-connections'],
    [['serve', '--memory', '--allowed-hosts', 'http://a.test'], '--allowed-hosts'],
    [['serve', '--memory', '--jwt-key', '/etc/passwd'], 'holds no private RSA key'],
    [['serve', '--memory', '--jwt-key', '/'], 'it is a directory'],
    [['serve', '--memory', '--data', './here'], '--memory writes no file'],
    [['serve', '--port', '0', '--data', '/proc/x'], '/proc/x: it does not exist, or nothing can be made there'],
    [['serve', '--port', '0', '--data', '/etc/passwd'], '/etc/passwd: a file, not a directory'],
    [['serve', '--port', '0', '--data', '/etc/passwd/x'], 'a part of this path is a file'],
    [['check', '--data', '/etc/passwd'], 'a part of this path is a file'],
    [['nonsense'], 'nonsense'],
    [['ls', 'nonsense'], 'nonsense'],
    [['token'], 'name'],
    [['token', 'nobody'], 'nobody'],
    [['ls', '--url', 'http://localhost:1'], 'http://localhost:1'],
  ])('%j', async (args, named) => {
    const { code, out, error } = await runHere(args);
    expect([code, out, lines(error).length]).toEqual([2, '', 1]);
    expect(error).toContain(named);
  });
});

describe('what cannot be had', () => {
  it('an export while the repository is served: exit 3, and what to do', async () => {
    const first = await startServer({ onDisk: true, fixture: 'empty' });
    const { code, error } = await runHere(['export', '--data', first.data, '--to', `${first.data}-out`]);
    await first.stop();
    expect([code, error]).toEqual([3, expect.stringContaining('Stop that process first')]);
  });

  it('a damaged store: exit 4, naming the file; a directory of something else: refused, untouched', () =>
    withDirectory(async (directory) => {
      const data = join(directory, 'data');
      await runHere(['import', '--data', data, '--from', join(root, 'data/fixtures/empty')]);
      const stores = (await readdir(data)).filter((name) => /^(snapshot|journal)-\d+/.test(name));
      for (const name of stores) await truncate(join(data, name), 0);
      const damaged = await runHere(['serve', '--port', '0', '--data', data]);
      expect([damaged.code, damaged.out, lines(damaged.error).length]).toEqual([4, '', 1]);
      expect(damaged.error).toMatch(/(snapshot|journal)-\d+/);

      await writeFile(join(directory, 'note.txt'), 'mine');
      const refused = await runHere(['serve', '--port', '0', '--data', directory]);
      expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('holds other files (data, note.txt)')]);
      for (const command of [['check'], ['export', '--to', join(directory, 'out')]]) {
        const { code, error } = await runHere([...command, '--data', directory]);
        expect([code, error]).toEqual([2, expect.stringContaining('holds no repository')]);
      }
      expect([refused.out, lines(refused.error).length]).toEqual(['', 1]);
      expect((await readdir(directory)).sort()).toEqual(['data', 'note.txt']);
    }));

  it('a data directory that is a file: refused in one line', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'file');
      await writeFile(file, '');
      const { code, error } = await runHere(['serve', '--port', '0', '--data', file]);
      expect([code, lines(error).length]).toEqual([2, 1]);
    }));
});
