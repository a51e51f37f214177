/** `atoll hash-password`: a site with the printed hash accepts the password. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { basic } from '../support/requests.ts';

jest.setTimeout(30_000);

/** The statuses of a media that needs an account, by password of the account `editor`. */
const statusesWith = (hash: string, passwords: readonly string[]): Promise<readonly number[]> =>
  withDirectory(async (directory) => {
    await cp(join(root, 'data/site'), directory, { recursive: true });
    const file = join(directory, 'accounts.yml');
    const accounts = await readFile(file, 'utf8');
    await writeFile(
      file,
      accounts.replace(/(name: editor[\s\S]*?password_hash: )\S+\n.*\n/, `$1${hash.replaceAll('$', '$$$$')}\n`),
    );
    const atoll = await startAtoll({ port: false, site: directory });
    try {
      const url = `${atoll.url}/media/1?_format=json`;
      return await Promise.all(
        passwords.map(
          async (password) => (await atoll.fetch(url, { headers: basic('editor', password).headers })).status,
        ),
      );
    } finally {
      await atoll.close();
    }
  });

describe('atoll hash-password', () => {
  it.each([
    ['of one line', 'correct horse', 'correct horse'],
    ['with a line break at its end', 'correct horse\n', 'correct horse'],
    ['beyond ASCII, from Windows', 'Grüße, Pferd\r\n', 'Grüße, Pferd'],
  ])(
    'prints the hash of a password %s: a site accepts it (200) and refuses another (403)',
    async (_, input, password) => {
      const { code, out, error } = await runHere(['hash-password'], { input });
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/^scrypt\$16384\$8\$1\$[\w+/]+=*\$[\w+/]+=*\n$/);
      expect(await statusesWith(out.trim(), [password, 'wrong horse', 'editor'])).toEqual([200, 403, 403]);
    },
  );

  it('never prints the same hash twice: each has a salt of its own', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => runHere(['hash-password'], { input: 'same' })));
    expect(first?.out).not.toBe(second?.out);
  });

  it.each([
    ['an empty password', '\n', 'The password is empty.'],
    ['no input', '', 'The password is empty.'],
    ['more than 128 characters', 'a'.repeat(129), 'The password is too long. It may have 128 characters.'],
    ['far more than that', 'a'.repeat(1_000_000), 'The password is too long.'],
    ['more than one line', 'first\nsecond\n', 'The password has more than one line.'],
    ['what is not UTF-8', Buffer.from([0x66, 0xff, 0xfe]), 'The password is not UTF-8.'],
  ])('refuses %s: 2', async (_, input, message) => {
    const { code, out, error } = await runHere(['hash-password'], { input });
    expect([code, out, error]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('takes 128 characters, and no password as an argument: 0 and 2', async () => {
    expect((await runHere(['hash-password'], { input: `${'a'.repeat(128)}\n` })).code).toBe(0);
    const { code, error } = await runHere(['hash-password', 'secret'], { input: 'secret' });
    expect([code, error]).toEqual([2, expect.stringContaining('too many arguments')]);
  });
});
