/** The fault scripts of the folder store that fit, with the records in PostgreSQL: `test/system/faults`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { count, isShort } from './support/counts.ts';
import { root } from './support/places.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** Runs a script to its end. */
const runScript = async (name: string, form: readonly string[]) => {
  const script = join(root, 'test/system/faults', `${name}.mjs`);
  const child = spawn(process.execPath, [script, ...form], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ATOLL_FAULTS_POSTGRES: postgres.url },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (out += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null]; // as Node emits it
  return { code, out };
};

/** The others are about files and locks of the folder store. The short run leaves out the controls too. */
const scripts = isShort ? ['kill'] : ['kill', 'stop', 'parallel', 'crowd'];

it.each(scripts)('passes %s.mjs, which loses where it has to', async (name) => {
  const { code, out } = await runScript(name, isShort ? ['--short'] : []);
  const [, rounds = 0, acknowledged = 0, losses = 0] = (
    /: (\d+) rounds, (\d+) acknowledged writes, (\d+) losses/.exec(out) ?? []
  ).map(Number);
  await count({ fault: `faults/${name}.mjs`, rounds, acknowledged, unknown: 0, reads: 0, violations: losses });
  expect([code, out]).toEqual([0, expect.stringContaining(' 0 losses')]);
  if (isShort) return;
  const control = await runScript(name, ['--control']);
  expect([control.code, control.out]).toEqual([0, expect.stringContaining('control: losses are expected')]);
});
