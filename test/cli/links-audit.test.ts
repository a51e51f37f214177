/** `atoll links audit`: what it prints, writes and ends with. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'atoll-links-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

type Ended = { readonly code: number | null; readonly output: string };
const auditWith = async (...args: readonly string[]): Promise<Ended> => {
  const { code, out, error } = await runHere(['links', 'audit', ...args]);
  return { code, output: out + error };
};

describe('atoll links audit', () => {
  it('ends with 0 and writes a JUnit report when every link holds', async () => {
    const file = join(folder, 'links.xml');
    const identities = ['anonymous', 'viewer:viewer', 'editor:editor', 'admin:islandora'].flatMap((as) => ['--as', as]);
    const args = ['--url', server.url, ...identities, '--from', '/node/5', '--from', '/node/12'];
    const { code, output } = await auditWith(...args, '--report', `junit=${file}`);
    expect(output).toMatch(/anonymous: \d+ entities, \d+ links\nviewer: .*\neditor: .*\nadmin: .*\n0 findings\n$/);
    expect(code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/<testsuite name="links as admin" tests="\d+" failures="0">/);
  });

  it('ends with 1 and names what does not hold', async () => {
    const { code, output } = await auditWith('--url', server.url, '--from', '/node/9999');
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
    const { code, output } = await auditWith('--url', server.url, '--from', '/node/27');
    expect([code, output]).toEqual([2, expect.stringContaining('None of the visitors may see')]);
  });
});
