/**
 * Whose turn it is where a run of `.ci/run` takes a part of the rows: `node scripts/turn.mjs 3` prints 0, 1 or 2. The commit decides, so that
 * a run repeats and the runs of some commits take all rows. `TURN=2` chooses, `TURN=all` takes all of them; where there is no commit it is
 * the first one's. Paths may follow: a commit that has changed something below them takes all rows, and `all` is printed.
 */
import { spawnSync } from 'node:child_process';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';

const all = 'all';

/** What Git prints, or undefined where it cannot say. */
const git = (...args) => {
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/** Whether the last commit has changed one of the paths; a merge has changed all that it brings. */
const hasChanged = (paths) =>
  paths.length > 0 && (git('diff', '--name-only', 'HEAD^', 'HEAD', '--', ...paths) ?? '') !== '';

/** The turn of a commit, from 0: what is left of its hash. */
export const turnOfCommit = (hash, count) => Number.parseInt(hash.slice(0, 8), 16) % count;

/** The turn of this run, or "all". */
export const turnOf = (count, paths = []) => {
  if (env.TURN === all) return all;
  if (env.TURN !== undefined) return Number(env.TURN) % count;
  if (hasChanged(paths)) return all;
  const hash = git('rev-parse', 'HEAD');
  return hash === undefined ? 0 : turnOfCommit(hash, count);
};

/** Each row in one of `count` turns. */
export const rowsOfTurn = (rows, turn, count) => (turn === all ? rows : rows.filter((_row, at) => at % count === turn));

if (argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${turnOf(Number(argv[2]), argv.slice(3))}\n`);
