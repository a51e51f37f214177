/** `atoll exec` where it refuses, and `atoll env`: what a shell is told. What `exec` runs is in `exec.process.ts`. */
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runHere } from '../support/command.ts';
import { signingKeyFile, withDirectory } from '../support/program.ts';
import { startServer } from '../support/server.ts';

/** A client for `node -e`. */
const client = (body: string): string[] => [
  process.execPath,
  '-e',
  `const url = process.env.ATOLL_URL; (async () => { ${body} })().catch((error) => { console.error(error); process.exit(99); })`,
];

/** A new key for each start would cost more than most commands. */
const keptKey = ['--jwt-key', signingKeyFile];

describe('atoll exec', () => {
  it.each([
    [['--min', 'moons=1'], /"moons"/],
    [['--min', 'operations=200'], /operations/],
    [['--report', 'pdf'], /"pdf"/],
    [['--fixture', 'none'], /"none"/],
    [['--jwt-key', '/nothing/there'], /--jwt-key \/nothing\/there: there is no such file/],
    [['--drupal-config', 'config', '--site', 'starter-site'], /--drupal-config makes the site/],
    [['--drupal-config', '/nothing/there'], /\/nothing\/there: cannot be read/],
    [['--also', 'split'], /--also goes with --drupal-config/],
    [['--only', 'getNod'], /"getNod" of --only/],
  ])('ends with 2 before anything runs: %j', (args, reason) =>
    withDirectory(async (folder) => {
      const mark = client(`require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')`);
      const { code, error } = await runHere(['exec', ...keptKey, ...args, '--', ...mark]);
      expect([code, error, await readdir(folder)]).toEqual([2, expect.stringMatching(reason), []]);
    }),
  );
});

describe('atoll env', () => {
  it('prints what a shell can read, and tokens that are accepted with 200', async () => {
    const server = await startServer();
    const { code, out } = await runHere(['env', '--url', server.url]);
    expect(code).toBe(0);
    const seen = execFileSync('sh', ['-c', `${out}\nprintf '%s %s' "$ATOLL_URL" "$ATOLL_TOKEN_EDITOR"`], {
      encoding: 'utf8',
    });
    const [url = '', token = ''] = seen.split(' ');
    expect(url).toBe(server.url);
    const response = await fetch(`${url}/user/2?_format=json`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    const json = JSON.parse((await runHere(['env', '--url', server.url, '--json'])).out) as Record<string, string>; // what --json prints
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(['ATOLL_URL', 'ATOLL_PASSWORD_ADMIN', 'ATOLL_TOKEN_ADMIN', 'ATOLL_TOKEN_OWNER']),
    );
    expect((await runHere(['env', '--url', server.url, '--shell', 'fish'])).out).toMatch(/^set -gx ATOLL_URL 'http/);
    expect((await runHere(['env', '--url', server.url, '--shell', 'powershell'])).out).toMatch(
      /^\$env:ATOLL_URL = 'http/,
    );
    await server.stop();
  });

  it('ends with 2 when nobody answers', async () => {
    const { code, error } = await runHere(['env', '--url', 'http://localhost:1']);
    expect([code, error]).toEqual([2, expect.stringContaining('Nobody answers at http://localhost:1')]);
  });
});
