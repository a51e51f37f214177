/**
 * Runs the fault scripts one after another: `npm run test:suite -- faults`, or a few rounds of each with `--short`, where every
 * script is run a second time with `--control` and has to fail there. Names may be given: `run.mjs kill power-cut`, or `--turn`: a third of
 * them, as the commit decides.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rowsOfTurn, turnOf } from '../../../scripts/turn.mjs';
import { programFile } from './support/program.mjs';

const all = [
  'kill',
  'power-cut',
  'order',
  'nth-call',
  'full-disk',
  'failing-disk',
  'locks',
  'damage',
  'torn',
  'stop',
  'parallel',
  'directory-swap',
  'crowd',
  'soak',
  'growth',
];
const takesTurn = process.argv.includes('--turn');
const options = process.argv.slice(2).filter((each) => each.startsWith('--') && each !== '--turn');
const turn = takesTurn ? turnOf(3, ['test/system/faults', 'src/storage/journal', 'src/storage/blobs']) : 'all';
const named = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const failed = [];
const env = { ...process.env, ATOLL_FAULTS_PROGRAM: await programFile() };

for (const name of named.length > 0 ? named : rowsOfTurn(all, turn, 3)) {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  for (const form of [options, ['--control']]) {
    const begun = performance.now();
    // A control is expected to lose: its list of losses would only alarm a reader.
    const { status, stdout } = spawnSync(process.execPath, [script, ...form], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = stdout.trimEnd().split('\n');
    const isBad = status !== 0;
    process.stdout.write(`${(form.includes('--control') && !isBad ? lines.slice(-1) : lines).join('\n')}`);
    process.stdout.write(` (${Math.round((performance.now() - begun) / 1000)} s) ${isBad ? 'FAILED' : 'ok'}\n`);
    if (isBad) failed.push(`${name} ${form.join(' ')}`);
  }
}
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
