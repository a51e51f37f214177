/**
 * Kills the server at the n-th call of each kind that changes the disk, n = 1, 2, … (D04; so also between a blob and its
 * record, D25, between a record and the old blob, D26, and in the middle of a delete, D27). Control: after the crash the
 * bytes of one media are exchanged for others of the same length.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, work } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { pause, serve, workDirectory } from './support/program.mjs';
import { finish, impossible, isControl, isShort, round } from './support/report.mjs';

/** The store unlinks only after a compaction, which few writes do not bring about: in the short form no round ever met it. */
const kinds = ['rename', 'pwrite64', 'fsync', 'fdatasync', 'openat', ...(isShort ? [] : ['unlink'])];
const numbers = isControl ? [4] : isShort ? [1, 4] : Array.from({ length: 30 }, (_, index) => index + 1);
const place = workDirectory();
const ledger = createLedger();
const data = join(place, 'data');

/** How often the call was reached before the time was over; the other rounds are killed then. */
const injected = new Map();

const crashAt = async (kind, number) => {
  // One thread makes the disk's calls, so that the n-th call is the n-th.
  const server = await serve(data, { env: { UV_THREADPOOL_SIZE: '1' } });
  const inject = `inject=${kind}:signal=KILL:when=${number}`;
  const options = ['-f', '-e', `trace=${kind}`, '-e', inject, '-o', '/dev/null', '-p', String(server.pid)];
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  strace.on('error', () => impossible('strace is missing; run test/system/faults/install.sh.'));
  const [said] = await once(strace.stderr, 'data');
  if (!String(said).includes('attached')) impossible(`strace cannot attach here: ${said}`);
  let isOver = false;
  const working = work(server.url, ledger, () => isOver, { workers: 2 });
  const end = await Promise.race([server.ended, pause(8000)]);
  if (end?.signal === 'SIGKILL') injected.set(kind, (injected.get(kind) ?? 0) + 1);
  isOver = true;
  await server.kill();
  await working;
  strace.kill('SIGKILL');
};

const exchangeBytes = () => {
  for (const file of filesIn(join(data, 'blobs'))) {
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.alloc(bytes.length, 'x'));
  }
};

for (const kind of isControl ? ['rename'] : kinds) {
  for (const number of numbers) {
    round();
    await crashAt(kind, number);
    if (isControl) exchangeBytes();
    const server = await startAgain(data, ledger);
    await server?.kill();
  }
}
process.stdout.write(`  killed at the call: ${[...injected].map((each) => each.join(' ')).join(', ')}\n`);
finish();
