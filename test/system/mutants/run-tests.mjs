/** Runs test files in a tree, one after another in one process, until one fails. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** No test file takes nearly as long: whatever does has come to no end. */
const silenceMs = 120_000;
/** What still listens when all tests have ended must not hold up the run. */
const endingMs = 5000;

const folder = 'test/system/mutants';

const rowsOf = (file) => {
  try {
    return {
      at: statSync(file).mtimeMs,
      rows: readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row)),
    };
  } catch {
    return { at: undefined, rows: [] };
  }
};

/**
 * Resolves with the files that ended, those that failed with their first test, and whether the run came to no end. `around` are words
 * of a command that runs the tests. Unless the program `isBuilt` in that tree, it is built first.
 */
export const runTests = async (place, files, { around = [], isBuilt = true } = {}) => {
  const work = mkdtempSync(join(tmpdir(), 'atoll-mutant-'));
  const results = join(work, 'results');
  const [command, ...given] = [
    ...[...around, process.execPath, 'scripts/jest.mjs', '--runInBand', '--bail', '--seed=1'],
    ...[`--reporters=<rootDir>/${folder}/results.mjs`, `--testSequencer=<rootDir>/${folder}/in-order.mjs`],
    ...(isBuilt ? [`--globalSetup=<rootDir>/${folder}/as-built.mjs`] : []),
    ...['--runTestsByPath', ...files],
  ];
  const env = { ...process.env, MUTANT_RESULTS: results, MUTANT_TESTS: JSON.stringify(files) };
  const child = spawn(command, given, { cwd: place, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => killGroup(child.pid);
  process.on('exit', stop);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (said = `${said}${data}`.slice(-2000)));
  let exit;
  const ended = new Promise((resolve) => {
    child
      .on('error', (error) => resolve((exit = error.message)))
      .on('close', (code) => resolve((exit = code ?? 'killed')));
  });
  let isEndless = false;
  while (exit === undefined) {
    await Promise.race([ended, pause(300)]);
    const { at, rows } = rowsOf(results);
    const isOver = rows.at(-1)?.event === 'ended';
    if (at === undefined || exit !== undefined || Date.now() - at < (isOver ? endingMs : silenceMs)) continue;
    isEndless = !isOver;
    stop();
    await ended;
  }
  // What a mutant has started may still be there.
  stop();
  process.off('exit', stop);
  const { at: end, rows: events } = rowsOf(results);
  const rows = events.filter(({ event }) => event === 'file');
  rmSync(work, { recursive: true, force: true });
  const failed = rows.filter(({ failed: test }) => test !== undefined);
  const isBroken = !isEndless && failed.length === 0 && rows.length < files.length;
  return {
    done: rows.length,
    failed: failed.map(({ path, failed: test }) => ({ file: relative(place, path), test })),
    isEndless,
    seconds: end === undefined ? 0 : Math.round((end - events[0].at) / 1000),
    ...(isBroken ? { broken: said } : {}),
  };
};

const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};
