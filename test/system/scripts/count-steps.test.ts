/** What the steps of `.ci/run` come to: one that passed at its second try has passed. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';

const counted = async (steps: Readonly<Record<string, readonly [code: number, log: string]>>) => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-steps-'));
  try {
    for (const [name, [code, log]] of Object.entries(steps)) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'code'), `${code}\n`);
      await writeFile(join(folder, name, 'log'), log);
    }
    const args = [join(root, 'scripts/count-steps.mjs'), folder, ...Object.keys(steps)];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, lines: stdout.trim().split('\n') };
  } finally {
    await rm(folder, { recursive: true });
  }
};

const colored = '\u001b[1mTests:       \u001b[22m\u001b[1m\u001b[32m7 passed\u001b[39m\u001b[22m, 7 total\n';
const firstTry = 'FAIL a.ts\nTests:       1 failed, 2 skipped, 4 passed, 7 total\n';
const flaky = `${firstTry}Tests:       3 passed, 3 total\n\nflaky: a.ts, a works\n`;

it.each([
  ['tests of jest and other steps', { tests: [0, colored], gate: [0, 'quick\n'] }, 0, ['8 passed, 0 failed']],
  [
    'a file that passed at its second try',
    { tests: [0, colored], processes: [0, flaky] },
    0,
    ['flaky: a.ts, a works', '', '14 passed, 0 failed'],
  ],
  [
    'a file that failed twice',
    { processes: [1, firstTry] },
    1,
    [...['== processes FAILED with 1; its log once more:', ...firstTry.trim().split('\n')], '', '4 passed, 1 failed'],
  ],
  [
    'a step that failed before its tests',
    { crawl: [2, 'no server\n'] },
    1,
    ['== crawl FAILED with 2; its log once more:', 'no server', '', '0 passed, 1 failed'],
  ],
] as const)('counts %s', async (_name, steps, status, lines) => {
  expect(await counted(steps)).toEqual({ status, lines });
});
