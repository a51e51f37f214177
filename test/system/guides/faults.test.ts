/** Runs the commands of docs/faults.md as they are printed, and `atoll faults` with what it refuses, by the built program. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { run } from '../../cli/run.ts';
import { root } from '../../support/atoll.ts';
import { startProgram, type RunningProgram } from '../../support/program.ts';

jest.setTimeout(60_000);

let program: RunningProgram;
/** Holds an `atoll` that is the program under test. */
let folder: string;
beforeAll(async () => {
  program = await startProgram(['--memory']);
  folder = await mkdtemp(join(tmpdir(), 'atoll-guide-'));
  await writeFile(join(folder, 'atoll'), `#!/bin/sh\nexec '${process.execPath}' '${program.file}' "$@"\n`, {
    mode: 0o755,
  });
});
afterAll(async () => {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

it('does what the guide says, command by command', async () => {
  const guide = await readFile(join(root, 'docs/faults.md'), 'utf8');
  const blocks = [...guide.matchAll(/<!-- walk -->\n+```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(4);
  const script = blocks
    .map((block) => `echo "== "\n${block}`)
    .join('\n')
    .replaceAll('http://localhost:8000', program.url)
    .replaceAll(/atoll faults (\w+)/g, `atoll faults $1 --url ${program.url}`);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  const [, first = '', second = '', third = '', fourth = ''] = stdout.split('== \n');
  expect(first).toBe('f1\n503\n200\n');
  expect(second).toMatch(/^ {2}f1 {2}status {2}status=503 .*operations=getNode.*\(has struck 1 times\)\n$/);
  const [status, seconds, ...rest] = third.trim().split('\n');
  expect([status, Number(seconds) >= 0.4]).toEqual(['500', true]);
  expect(rest.join('\n')).toMatch(/^\{"nid".{94}curl ended with 18$/);
  expect(fourth).toMatch(/^\{"id":"f\d+"\}$/);
});

it('verifies the faults that are named and ends with 0', async () => {
  const { code, out } = await run(['faults', 'verify', 'status', 'cut-answer']);
  expect([code, out]).toEqual([0, 'ok      status\nok      cut-answer\n']);
});

it('prints the catalogue without a server', async () => {
  const { code, out } = await run(['faults', 'catalogue']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /slow-answer\n {4}The body of the answer trickles in\.\n {4}Source: transport\n {4}--set bytesPerSecond=…/,
  );
});

it.each([
  [['add', 'nope'], 'There is no fault "nope"'],
  [['add', 'latency', '--set', 'ms=-1'], 'latency: ms is a number from 0 to 60000'],
  [['add', 'status', '--operation', 'getNod'], 'There is no operation "getNod"'],
  [['rm', 'f99'], 'There is no fault "f99"'],
])('ends with 2 and says why for %j', async (args, message) => {
  const { code, error } = await run(['faults', ...args, '--url', program.url]);
  expect([code, error]).toEqual([2, expect.stringContaining(message)]);
});

it('ends with 2 when nobody answers', async () => {
  const { code, error } = await run(['faults', 'ls', '--url', 'http://localhost:1']);
  expect([code, error]).toEqual([2, expect.stringContaining('Nobody answers at http://localhost:1')]);
});
