/** The table of start options, as the command line, the environment and the library have it. */
import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { type OptionRow, checkedOptions } from '../../../src/basics/options/option-rows.ts';
import { startAtoll, type AtollOptions } from '../../../src/cli/entries/atoll.ts';
import { commandOptions, writtenFlag } from '../../../src/cli/options/option-table.ts';
import { addStartOptions, readOptions } from '../../../src/cli/options/start-options.ts';
import { startOptions } from '../../../src/server/server.ts';
import { runHere } from '../../support/command.ts';

const rows = Object.entries<OptionRow>(commandOptions);
const read = (args: readonly string[], environment: Record<string, string> = {}) =>
  readOptions(addStartOptions(new Command(), 'serve').parse([...args], { from: 'user' }), 'serve', environment);

describe('A row', () => {
  it('has defaults that its kind accepts, and names rows that are there', () => {
    for (const [name, row] of rows) {
      const defaults = [row.default, ...Object.values(row.defaults ?? {})].filter((value) => value !== undefined);
      expect([name, defaults.every((value) => row.kind.accepts(value))]).toEqual([name, true]);
      const others = [...Object.keys(row.excludes ?? {}), ...(row.needs === undefined ? [] : [row.needs.option])];
      expect(Object.keys(commandOptions)).toEqual(expect.arrayContaining(others));
    }
  });

  it.each(['serve', 'exec'])('of %s is in its help, with its sentence, its default and its variable', async (host) => {
    const { out } = await runHere([host, '--help']);
    const help = out.replaceAll(/\s+/g, ' ');
    for (const [name, row] of rows.filter(([, { holds }]) => holds.includes(host))) {
      const flag = row.default === true ? writtenFlag(name).replace('--', '--no-') : writtenFlag(name);
      expect(help).toContain(` ${flag}`);
      if (row.variable !== undefined) expect(help).toContain(`(or set ${row.variable})`);
    }
    expect(help).not.toMatch(/\]\(|`/);
  });
});

describe('A variable', () => {
  it('gives the value where the command line has none, and its name for messages', () => {
    const { values, sourceOf, isGiven } = read([], { ATOLL_BASE_URL: 'https://a.example', ATOLL_DRAIN_NOTICE: '5' });
    expect([values.baseUrl, values.drainNotice, sourceOf('baseUrl')]).toEqual([
      'https://a.example',
      5,
      'ATOLL_BASE_URL',
    ]);
    expect(isGiven('baseUrl')).toBe(false);
    const both = read(['--base-url', 'https://b.example'], { ATOLL_BASE_URL: 'https://a.example' });
    expect([both.values.baseUrl, both.sourceOf('baseUrl')]).toEqual(['https://b.example', '--base-url']);
  });

  it('of a flag holds with any value, and one that is empty names no database', () => {
    const { values } = read([], { ATOLL_DEMO_ACCOUNTS: '', ATOLL_STORE: '', ATOLL_BYTES: '' });
    expect([values.demoAccounts, values.store, values.bytes]).toEqual([true, undefined, undefined]);
  });

  it.each([
    [
      'ATOLL_BASE_URL',
      'a.example',
      'ATOLL_BASE_URL "a.example": A base URL begins with http:// or https:// and has no query.',
    ],
    ['ATOLL_LOG_FORMAT', 'xml', 'ATOLL_LOG_FORMAT is one of auto, json, pretty.'],
    [
      'ATOLL_CONTROL_TOKEN',
      'geheim ',
      'ATOLL_CONTROL_TOKEN: A control token has 8 to 256 printable characters without blanks.',
    ],
    [
      'ATOLL_CONTROL_TOKEN',
      '',
      'ATOLL_CONTROL_TOKEN: A control token has 8 to 256 printable characters without blanks.',
    ],
  ])('%s that cannot be "%s" is refused, and no secret is said: exit 2', async (variable, value, message) => {
    const { code, error } = await runHere(['serve', '--memory', '--port', '0'], { environment: { [variable]: value } });
    expect([code, error]).toEqual([2, `atoll: ${message}\n`]);
  });
});

describe('The library', () => {
  it.each([
    [{ traffic: 'all' }, 'traffic "all": A number of requests is from 0 to 99999.'],
    [{ checkReplies: 'maybe' }, 'checkReplies is one of off, log, fail.'],
    [
      { callbacks: 'https://a.example/path' },
      'callbacks "https://a.example/path": Callbacks are sent to "loopback", or to an origin such as http://localhost:9000.',
    ],
    [{ port: true }, 'port true: A port is a number from 0 to 65535.'],
    [{ overlays: 'one.yaml' }, 'overlays "one.yaml": It is a list of texts.'],
    [{ baseUrl: 'a.example' }, 'baseUrl "a.example": A base URL begins with http:// or https:// and has no query.'],
    [
      { site: 'starter-site', drupalConfig: { folders: [], terms: [] } },
      'drupalConfig makes the site, so site has no use. Leave out one of them.',
    ],
  ])('refuses %j', async (options: object, message) => {
    await expect(startAtoll(options as AtollOptions)).rejects.toThrow(new Error(message));
  });

  it('of a browser keeps no repository that a seed makes', () => {
    expect(() => checkedOptions(startOptions, 'createAtoll', { persist: 'mine', seed: 'a' })).toThrow(
      'persist keeps the repository, so seed has no use. Leave out one of them.',
    );
  });
});
