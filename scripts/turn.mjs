/**
 * Whose turn it is where a run of `.ci/run` takes a part of the rows: `node scripts/turn.mjs 3` prints 0, 1 or 2. The commit decides, so that
 * a run repeats and the runs of some commits take all rows. `TURN=2` chooses; where there is no commit it is the first one's.
 */
import { spawnSync } from 'node:child_process';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';

/** The turn of a commit, from 0: what is left of its hash. */
export const turnOfCommit = (hash, count) => Number.parseInt(hash.slice(0, 8), 16) % count;

/** The turn of this run. */
export const turnOf = (count) => {
  if (env.TURN !== undefined) return Number(env.TURN) % count;
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? turnOfCommit(stdout, count) : 0;
};

/** Each row in one of `count` turns. */
export const rowsOfTurn = (rows, turn, count) => rows.filter((_row, at) => at % count === turn);

if (argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${turnOf(Number(argv[2]))}\n`);
