/** `atoll exec` where it refuses, and `atoll env`: what a shell is told. What `exec` runs is in `exec.process.ts`. */
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
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

describe('What a test has broken in a world that it has dropped', () => {
  /** Sends what the contract does not allow in a world with the name of the test, and drops it, as the fixture of the guide does. */
  const inOwnWorld = client(`
    const json = { 'content-type': 'application/json' };
    const made = await fetch(url + '/_atoll/worlds', { method: 'POST', headers: json, body: '{"name":"adds-an-object"}' });
    const { url: world } = await made.json();
    const authorization = 'Basic ' + btoa('editor:' + process.env.ATOLL_PASSWORD_EDITOR);
    await fetch(world + '/node?_format=json', { method: 'POST', headers: { ...json, authorization }, body: '{"title":5}' });
    await fetch(url + '/_atoll/worlds/adds-an-object', { method: 'DELETE' });`);

  it('is in the report with the name of the world, and --fail-on violations ends with 8', () =>
    withDirectory(async (folder) => {
      const args = ['exec', ...keptKey, '--report', 'junit', '--report-dir', folder, '--fail-on', 'violations'];
      const { code, error } = await runHere([...args, '--', ...inOwnWorld]);
      expect([code, error]).toEqual([
        8,
        expect.stringMatching(/^atoll: the contract was broken:\n {2}adds-an-object: /m),
      ]);
      expect(error.trim().split('\n').length).toBeLessThanOrEqual(10);
      const junit = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
      expect(junit).toContain('classname="violations.createNode" name="POST /node');
      expect(junit).toContain('(world adds-an-object)');
    }));

  it('takes ten lines with all that there is to say, and names each of it', () =>
    withDirectory(async (folder) => {
      const goals = 'operations=100,statuses=100,errors=100,media-types=100';
      const args = ['exec', ...keptKey, '--cover', '--min', goals, '--fail-on', 'violations'];
      const { code, error } = await runHere([
        ...args,
        '--report',
        'junit',
        '--report-dir',
        folder,
        '--',
        ...inOwnWorld,
      ]);
      const lines = error.trimEnd().split('\n');
      expect([code, lines.length]).toEqual([8, 10]);
      for (const start of [
        'atoll: the contract was broken:',
        ...goals.split('=100').map((goal) => goal.replace(',', '')),
      ])
        expect(error).toContain(start);
      expect(lines.at(-1)).toMatch(/and \d+ more lines; see --report/);
      const junit = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
      const cases = junit.match(/<testcase classname="operations\.\w+" name="([^"]+)"/g) ?? [];
      expect([cases.length > 20, cases.length < 100, cases.filter((each) => /HEAD /.test(each))]).toEqual([
        true,
        true,
        [],
      ]);
    }));

  it('leaves the code of the command as it is, and says nothing after it', async () => {
    const failing = client("await fetch(url + '/node/1?_format=json'); process.exit(3)");
    const args = ['exec', ...keptKey, '--cover', '--fail-on', 'violations', '--min', 'operations=100'];
    expect(await runHere([...args, '--', ...failing])).toMatchObject({ code: 3, error: '' });
    const kept = client("await fetch(url + '/node/1?_format=json')");
    expect((await runHere(['exec', ...keptKey, '--fail-on', 'violations', '--', ...kept])).code).toBe(0);
  });
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
