/** The check of advisories, against a registry of the test. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/atoll.ts';

const { platform } = process;
const pretend = (name: string): void => void Object.defineProperty(process, 'platform', { value: name });
afterEach(() => pretend(platform));

describe('node scripts/audit-advisories.mjs', () => {
  /** Runs the script against a registry that answers with this. */
  const audit = async (status: number, answer: object): Promise<[code: unknown, output: string]> => {
    const versions = { '7.0.1': { name: 'lowdb', version: '7.0.1' } };
    const lowdb = { name: 'lowdb', 'dist-tags': { latest: '7.0.1' }, versions };
    const registry = createServer((request, response) => {
      request.resume();
      const isQuestion = request.method === 'POST';
      response.writeHead(isQuestion ? status : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isQuestion ? answer : lowdb));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo; // it listens on a port
    const cache = await mkdtemp(join(tmpdir(), 'atoll-audit-'));
    const options = [`--registry=http://127.0.0.1:${port}/`, '--fetch-retries=0', `--cache=${cache}`];
    const script = join(root, 'scripts/audit-advisories.mjs');
    const ended = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, [script, ...options], (error, output) => resolve([error?.code ?? 0, output]));
    });
    registry.close();
    await rm(cache, { recursive: true });
    return ended;
  };

  it('says how many libraries it has checked, which have advisories, and when nothing was checked', async () => {
    const advisory = { id: 1, url: 'urn:1', title: 'Bad', severity: 'high', vulnerable_versions: '<99', cwe: [] };
    const [none, some, silent] = await Promise.all([
      audit(200, {}),
      audit(200, { lowdb: [{ ...advisory, cvss: { score: 0, vectorString: null } }] }),
      audit(405, {}),
    ]);
    expect(none).toEqual([0, expect.stringMatching(/^Checked 1\d\d libraries: 0 with advisories\.\n$/)]);
    expect(some).toEqual([1, expect.stringMatching(/^high: lowdb .*: Bad \(urn:1\)\nChecked 1\d\d libraries: 1 /)]);
    expect(silent).toEqual([2, expect.stringMatching(/^Not checked: the registry does not answer/)]);
  });
});
