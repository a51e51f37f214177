/**
 * `count-steps.mjs FOLDER STEP…`: what the steps of `.ci/run` came to. FOLDER/STEP has the log and the exit code of each. Prints the log of a
 * step that failed once more, the tests that passed only at their second try, and as the last line "N passed, N failed".
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [folder, ...names] = process.argv.slice(2);
const steps = await Promise.all(
  names.map(async (name) => ({
    name,
    code: Number(await readFile(join(folder, name, 'code'), 'utf8')),
    log: await readFile(join(folder, name, 'log'), 'utf8'),
  })),
);

/** The sum over the summaries of jest. */
const countOf = (log, word) =>
  [...stripVTControlCharacters(log).matchAll(/^Tests: .*total$/gm)]
    .map(([summary]) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0))
    .reduce((sum, count) => sum + count, 0);

let passed = 0;
let failed = 0;
for (const { name, code, log } of steps) {
  // A suite of jest counts its tests, any other step is one.
  passed += countOf(log, 'passed') || (code === 0 ? 1 : 0);
  // A step that has passed counts none: what failed at its first try is named as flaky.
  if (code === 0) continue;
  failed += countOf(log, 'failed') || 1;
  process.stdout.write(`\n== ${name} FAILED with ${code}; its log once more:\n${log}`);
}
const flaky = new Set(steps.flatMap(({ log }) => log.match(/^flaky: .*$/gm) ?? []));
if (flaky.size > 0) process.stdout.write(`\n${[...flaky].sort().join('\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
