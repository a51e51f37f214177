/**
 * Takes the data directory away while writers post, by renaming or removing it, and starts another server in a new directory
 * of that name. From then on the first server answers 503 with a reason; what it acknowledged is in its own directory; it
 * ends with 4, or is killed. The second one's files are untouched meanwhile; it is killed while it writes, and starts again
 * whole. Control: files of the first are copied over those of the second.
 */
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './support/chance.mjs';
import { createLedger, createNode, send, sha256, work } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { pause, serve, until, workDirectory } from './support/program.mjs';
import { expect, finish, isControl, loss, round, roundsOf } from './support/report.mjs';

const place = workDirectory();
let kills = 0;
const killed = async (server) => {
  kills += 1;
  await server.kill();
};

/** A ledger that also requires a refusal of every write that begins when `isLost()`. */
const guarded = (ledger, isLost) => {
  const checked = (request) => async () => {
    const isLate = isLost();
    const answer = await request();
    if (isLate) requireRefusal(answer, 'a write of the writers', [lost, noRoomForBytes]);
    return answer;
  };
  return {
    ...ledger,
    create: (type, state, request) => ledger.create(type, state, checked(request)),
    write: (key, state, request) => ledger.write(key, state, checked(request)),
  };
};

const lost = 'The data directory is no longer the one that this server opened. Writing needs a restart.';
/** An upload whose bytes have no folder any more is refused before its record is written. */
const noRoomForBytes = 'Writing is not possible at the moment.';

const requireRefusal = ({ status, json }, what, reasons = [lost]) => {
  expect(
    status === 503 && reasons.includes(json?.message),
    `${what} after the swap was answered ${status} "${json?.message ?? ''}"`,
  );
};

/** The server may make files meanwhile, so a removal may find a folder that is not empty. */
const remove = (directory) => {
  while (existsSync(directory)) {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'ENOTEMPTY') throw error;
    }
  }
};

/** Writes to a server for a while, then does something to it, then waits for the writers. */
const writeUntil = async (server, ledger, ms, act) => {
  let isOver = false;
  const working = work(server.url, ledger, () => isOver);
  await pause(ms);
  await until(() => ledger.size() > 0);
  await act();
  isOver = true;
  await working;
};

/** The hash of every file below the directory, without the key and its note: their server makes them some time after the start. */
const contentOf = (directory) =>
  new Map(
    filesIn(directory)
      .filter((file) => !file.includes('jwt-key.pem'))
      .map((file) => [file, sha256(readFileSync(file))]),
  );

/** The files that are new, gone or different. */
const changesIn = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

/** The first server has lost its directory: it refuses what writes, and its health says why. */
const requireLost = async (first) => {
  requireRefusal(await createNode(first.url, 'late'), 'a write');
  requireRefusal(await send(first.url, 'POST', '/_atoll/reset'), 'a reset');
  const health = await send(first.url, 'GET', '/_atoll/health');
  expect(health.bytes.includes('directory_lost'), `its health says ${health.status} ${health.bytes}`);
};

const swapOnce = async (number, { isRemoved, isStopped }) => {
  const data = join(place, `${number}`);
  const moved = join(place, `${number}-moved`);
  const first = await serve(data);
  const firstLedger = createLedger();
  let isLost = false;
  let second;
  await writeUntil(
    first,
    guarded(firstLedger, () => isLost),
    200 + random() * 600,
    async () => {
      if (isRemoved) remove(data);
      else renameSync(data, moved);
      isLost = true;
      second = await serve(data);
    },
  );
  const secondLedger = createLedger();
  await writeUntil(second, secondLedger, 200, () => undefined);

  const before = contentOf(data);
  await requireLost(first);
  if (isStopped) {
    const { code } = await first.stop();
    expect(code === 4, `the first server ended with ${code}`);
  } else await killed(first);
  const changed = changesIn(before, contentOf(data));
  expect(changed.length === 0, `files of the second server changed while it had nothing to do: ${changed.join(', ')}`);

  await writeUntil(second, secondLedger, 100 + random() * 200, () => killed(second));
  if (isControl) cpSync(moved, data, { recursive: true });
  await (await startAgain(data, secondLedger, { all: true }))?.kill();
  if (!isRemoved && !isControl) await (await startAgain(moved, firstLedger, { all: true }))?.kill();
  for (const directory of [data, moved]) remove(directory);
};

/** A rename and a stop, a removal and a kill, a rename and a kill, a removal and a stop. */
const oneRound = async (number) => {
  round();
  const how = { isRemoved: number % 2 === 1, isStopped: number % 4 === 0 || number % 4 === 3 };
  await swapOnce(number, how).catch((error) => loss(`round ${number} ended with ${error.stack}`));
};

const rounds = isControl ? 1 : roundsOf(140, 2);
// Two at a time: a round mostly waits.
for (let number = 0; number < rounds; number += 2) {
  await Promise.all([oneRound(number), ...(number + 1 < rounds ? [oneRound(number + 1)] : [])]);
}
process.stdout.write(`  ${kills} kills\n`);
finish();
