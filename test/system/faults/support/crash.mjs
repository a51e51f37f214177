/**
 * What follows every crash: the offline check, a start without help, and the comparison with the ledger. Where the records are in
 * a database, there is nothing to check offline.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { atoll, isTeam, serve } from './program.mjs';
import { expect, loss } from './report.mjs';

/**
 * Returns the running server, or undefined when it did not start; that is a loss then. So is a start of more than 2 seconds
 * (D01), unless the machine has more to do than it can.
 */
export const startAgain = async (data, ledger, options = {}) => {
  if (!isTeam) {
    const check = await atoll('check', '--data', data);
    expect(
      check.code === 0,
      `atoll check ended with ${check.code}: ${check.stdout.match(/fault:.*/)?.[0] ?? check.stderr}`,
    );
  }
  let server;
  try {
    server = await serve(data);
  } catch (error) {
    loss(error.message);
    return undefined;
  }
  await ledger.verify(server.url, options);
  // Other processes may have uploads under way, so no start removes what is temporary.
  if (isTeam) return server;
  const limit = loadavg()[0] > availableParallelism() ? 20_000 : 2000;
  expect(server.startMs < limit, `the start took ${Math.round(server.startMs)} ms`);
  const left = filesIn(join(data, 'blobs')).filter((name) => name.includes('temporary/'));
  expect(left.length === 0, `temporary files are left: ${left.join(', ')}`);
  return server;
};

export const filesIn = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
