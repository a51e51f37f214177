/** Credentials by account name: where they come from, and that no message and no report shows them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { authorizationOf } from '../../src/exchange/target-account.ts';
import { chooseAccounts, readAccountFile, keepBytes } from '../../src/exchange/exchange-target.ts';
import { createRedaction } from '../../src/exchange/exchange.ts';

const known = [
  { name: 'admin', roles: ['administrator'], password: 'published' },
  { name: 'a b', roles: [] },
];
const chosen = (options: Partial<Parameters<typeof chooseAccounts>[0]>) =>
  chooseAccounts({ names: undefined, fromFile: [], environment: {}, known, ...options });

const fileWith = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-accounts-'));
  try {
    const file = join(folder, 'accounts.yml');
    await writeFile(file, text);
    return await readAccountFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
};

describe('Accounts', () => {
  it('are those with credentials, the anonymous visitor first', () => {
    expect(chosen({}).map(({ name }) => name)).toEqual(['anonymous', 'admin']);
  });

  it('take the file before the environment, and that before what is published', () => {
    const environment = { ATOLL_PASSWORD_ADMIN: 'from-environment', ATOLL_PASSWORD_A_B: 'second' };
    expect(chosen({ environment }).map(({ password }) => password)).toEqual([undefined, 'from-environment', 'second']);
    const fromFile = [{ name: 'admin', password: 'from-file' }];
    expect(chosen({ environment, fromFile })[1]).toEqual({
      name: 'admin',
      password: 'from-file',
      roles: ['administrator'],
    });
  });

  it('name the variable that is missing', () => {
    expect(() => chosen({ names: ['a b'] })).toThrow(/ATOLL_PASSWORD_A_B/);
    expect(chosen({ names: ['x'], environment: { ATOLL_TOKEN_X: 'abc' } })[1]).toMatchObject({ token: 'abc' });
  });

  it('come from a file, whose values no message repeats', async () => {
    expect(await fileWith('accounts: { bot: { token: t0ken, roles: [editor] } }')).toEqual([
      { name: 'bot', token: 't0ken', roles: ['editor'] },
    ]);
    const error: unknown = await fileWith('accounts: { bot: { password: 123456789 } }').catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toMatch(/accounts\.bot\.password: must be a text/);
    expect(String(error)).not.toContain('123456789');
  });

  it('authenticate with a password, or else with a token', () => {
    expect(authorizationOf({ name: 'a', password: 'b', token: 'c' })).toEqual([['Authorization', 'Basic YTpi']]);
    expect(authorizationOf({ name: 'a', token: 'c' })).toEqual([['Authorization', 'Bearer c']]);
    expect(authorizationOf({ name: 'anonymous' })).toEqual([]);
  });
});

describe('A redaction', () => {
  const secret = 'p"ss wörd/1';
  const redaction = createRedaction({ accounts: [{ name: 'bot', password: secret }], published: ['islandora'] });

  it('replaces a secret in each of its forms', () => {
    const basic = Buffer.from(`bot:${secret}`).toString('base64');
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify({ x: secret }), basic]) {
      const shown = redaction.text(`<${form}>`);
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain('wörd');
      expect(shown).not.toContain(basic);
    }
  });

  it('leaves published passwords and short ones in texts', () => {
    redaction.add('islandora', 'editor');
    expect(redaction.text('islandora_object by editor')).toBe('islandora_object by editor');
  });

  it('hides secrets by their names in headers, paths and bodies', () => {
    expect(
      redaction.headers([
        ['Cookie', 'SESS=1'],
        ['X-CSRF-Token', 'short'],
        ['Accept', 'a/b'],
      ]),
    ).toEqual([
      ['Cookie', '[redacted]'],
      ['X-CSRF-Token', '[redacted]'],
      ['Accept', 'a/b'],
    ]);
    expect(redaction.path('/a?token=xyz&b=1')).toBe('/a?token=[redacted]&b=1');
    const reader = keepBytes(1000, true);
    reader.add(Buffer.from('{"name":"bot","pass":"abc"}'));
    expect(redaction.body(reader.body(true), 'application/json')).toBe('{"name":"bot","pass":"[redacted]"}');
    expect(redaction.body(reader.body(true), 'image/png')).toBeUndefined();
  });
});
