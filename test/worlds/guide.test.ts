/** Runs the commands of `docs/worlds.md` as they are printed, against the built program. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
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

it('runs every command of the guide, with the answers that it speaks of', async () => {
  const guide = await readFile(`${root}/docs/worlds.md`, 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(6);
  const { port } = new URL(program.url);
  const commands = blocks.map(
    (block, at) => `echo; echo "== ${at}"\n${block.replaceAll('localhost:8000', `localhost:${port}`)}`,
  );
  const url = `--url ${program.url}`;
  // As an installed program would be found; commands that name no server mean the one that is running.
  const atoll = `atoll() { case "$*" in *--url*) node ${program.file} "$@";; *) node ${program.file} "$@" ${url};; esac; }`;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', [atoll, ...commands].join('\n')]);
  const [own, ways, begun, back, time, byHand] = stdout.split(/\n== \d\n/).slice(1);
  const w7 = `${program.url}/~w7`;
  expect(own?.trim()).toBe(`${w7}\n<${w7}/node/1>`);
  expect(ways).toBe('200\n200\n200\n{"message":"There is no such world."}');
  expect(begun).toMatch(/~bare\n.*~like-w7\nmain .*\nw7 .*\nbare .*until 2.*\nlike-w7 /);
  expect(back?.trim()).toMatch(/^200\n404\n2\S+Z {2}without-node-2$/);
  expect(time).toMatch(
    /^2030-01-01T12:00:00.000Z {2}frozen\n2030-01-01T14:00:00.000Z {2}frozen\n2030-01-01T14\S+ {2}scaled ×60\n/,
  );
  expect(time?.trim()).toMatch(/ {2}real\n2\S+ {2}real$/);
  expect(byHand?.trim()).toMatch(/^\{"name":"by-hand","url":"\S+~by-hand","expires":"2\S+Z"\}201\n204\n204\n1$/);
});
