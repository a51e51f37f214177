/** `atoll links audit` as a process: what it prints, writes and ends with. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';

let program: RunningProgram;

beforeAll(async () => {
  program = await startProgram(['--memory', '--log-level', 'silent', '--check-replies', 'fail']);
}, 60_000);
afterAll(() => program.stop());

type Ended = { readonly code: number; readonly output: string };
const auditWith = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program.file, 'links', 'audit', ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });

describe('atoll links audit', () => {
  it('ends with 0 and writes a JUnit report when every link holds', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'atoll-links-')), 'links.xml');
    const identities = ['anonymous', 'viewer:viewer', 'editor:editor', 'admin:islandora'].flatMap((as) => ['--as', as]);
    const args = ['--url', program.url, ...identities, '--from', '/node/5', '--from', '/node/12'];
    const { code, output } = await auditWith(...args, '--report', `junit=${file}`);
    expect(output).toMatch(/anonymous: \d+ entities, \d+ links\nviewer: .*\neditor: .*\nadmin: .*\n0 findings\n$/);
    expect(code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/<testsuite name="links as admin" tests="\d+" failures="0">/);
  }, 60_000);

  it('ends with 1 and names what does not hold', async () => {
    const { code, output } = await auditWith('--url', program.url, '--from', '/node/9999');
    expect(code).toBe(1);
    expect(output).toContain('answers 404');
  });

  it.each([
    [['--url', 'http://127.0.0.1:1'], 'nobody answers'],
    [['--as', 'editor'], 'name:password'],
    [['--from', 'node/1'], 'begins with a slash'],
    [['--report', 'links.xml'], 'junit=FILE'],
  ])('ends with 2 when it cannot begin: %j', async (args, words) => {
    const { code, output } = await auditWith(...args);
    expect([code, output]).toEqual([2, expect.stringContaining(words)]);
  });

  it('ends with 2 when nobody may see where it starts', async () => {
    const { code, output } = await auditWith('--url', program.url, '--from', '/node/27');
    expect([code, output]).toEqual([2, expect.stringContaining('None of the visitors may see')]);
  });
});
