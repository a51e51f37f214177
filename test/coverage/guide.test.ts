/** Runs the commands of `docs/traffic-and-coverage.md` as they are printed, against the built program, and those that fail. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { run, withDirectory } from '../cli/run.ts';
import { root } from '../support/atoll.ts';
import { startProgram, type RunningProgram } from '../support/program.ts';

jest.setTimeout(60_000);

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory']);
});
afterAll(async () => {
  await program.stop();
});

const atoll = (...args: string[]) => run([...args, '--url', program.url]);

it('runs every command of the guide, with the answers that it speaks of', async () => {
  const guide = await readFile(join(root, 'docs/traffic-and-coverage.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(5);
  const commands = blocks.map(
    (block, at) => `echo; echo "== ${at}"\n${block.replaceAll('http://localhost:8000', program.url)}`,
  );
  const named = `atoll() { case "$*" in *merge*) node ${program.file} "$@";; *) node ${program.file} "$@" --url ${program.url};; esac; }`;
  await withDirectory(async (folder) => {
    const script = [named, ...commands].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    const [wrong, right, asserted, sums, gate] = stdout.split(/\n== \d\n/).slice(1);
    expect(wrong).toMatch(/ 1 {2}POST {4}\/node\?_format=json {2}422 {2}createNode {2}admin {2}[\d.]+ ms\n/);
    expect(wrong).toMatch(/ request \/requestBody\/title: must be array \(type\); arrived "A box" /);
    const line = Number(/\[openapi\.yaml:(\d+)\]/.exec(wrong ?? '')?.[1]);
    const document = (await readFile(join(root, 'openapi.yaml'), 'utf8')).split('\n');
    expect(document[line - 1]).toMatch(/title: .*type: array|type: array/);
    expect(JSON.parse(right ?? '')).toMatchObject({ title: [{ value: 'A box' }] });
    expect(asserted?.trim()).toBe('createNode 201: 1\ndeleteNode: 0');
    expect(sums).toMatch(/operations +2 of \d+ +\d+ %\nstatuses +4 of/);
    expect(gate?.trim()).toBe('Every goal is met.');
    const archive = JSON.parse(await readFile(join(folder, 'traffic.har'), 'utf8')) as { log: { entries: object[] } };
    expect(archive.log.entries).toHaveLength(2);
    expect(await readFile(join(folder, 'coverage.html'), 'utf8')).toContain('<h1>Contract coverage</h1>');
    expect(await readFile(join(folder, 'coverage.xml'), 'utf8')).toContain('<testsuites name="contract coverage">');
  });
});

describe('A command that finds less than it wants', () => {
  it('ends with 6: an assertion, with the nearest requests', async () => {
    await fetch(`${program.url}/node/998?_format=json`);
    const { code, out, error } = await atoll('traffic', 'assert', '--operation', 'getNode', '--status', '500');
    expect([code, out.trim()]).toEqual([6, 'getNode 500: 0']);
    expect(error).toMatch(/Wanted: at least 1\.\n[\s\S]*\/node\/998\?_format=json {2}404 {2}getNode/);
    const exact = await atoll('traffic', 'assert', '--path', '/node/998', '--times', '2');
    expect([exact.code, exact.out.trim()]).toEqual([6, '/node/998: 1']);
  });

  it('ends with 6: a goal, with every cell that is not met', async () => {
    const { code, out } = await atoll('coverage', 'check', '--min', 'operations=100,statuses=0');
    expect(code).toBe(6);
    expect(out).toMatch(
      /^operations: \d+ of \d+ are met, \d+ %; 100 % are wanted\. Not met:\n[\s\S]* {2}deleteNode {2}DELETE \/node\/\{node_id\}\n/,
    );
    expect(out).not.toContain('statuses:');
  });
});

describe('A command that cannot be', () => {
  it.each([
    [['coverage', 'check', '--min', 'speed=1'], /"speed" is none of operations/],
    [['coverage', 'report', '--input', 'nowhere.json'], /nowhere\.json: cannot be read/],
    [['coverage', 'report', '--input', 'package.json'], /package\.json: is no coverage/],
    [['traffic', '--status', 'x'], /\/query\/status/],
    [['traffic', '--follow', '--har', 'a.har'], /cannot be used with/],
    [['traffic', 'assert', '--times', '-1'], /0 or more/],
  ])('%j ends with 2 and says why', async (args, reason) => {
    const { code, error } = await atoll(...args);
    expect([code, error]).toEqual([2, expect.stringMatching(reason)]);
  });
});

it('follows the traffic until the server ends', async () => {
  const other = await startProgram(['--memory']);
  const child = spawn(process.execPath, [other.file, 'traffic', '--follow', '--json', '--url', other.url]);
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  const ended = once(child, 'exit');
  for (let tries = 0; tries < 200 && !out.includes('\n'); tries += 1) {
    await fetch(`${other.url}/node/1?_format=json`);
    await wait(50);
  }
  expect(JSON.parse(out.split('\n', 1)[0] ?? '')).toMatchObject({ operation: 'getNode', status: 200 });
  const began = performance.now();
  expect(await other.stop()).toBe(0);
  // An open stream holds nobody up.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await ended).toEqual([0, null]);
});
