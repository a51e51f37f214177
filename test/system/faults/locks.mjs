/**
 * Starts a second process on a directory that one holds: by its name, a symlink, a bind mount, and after the note was
 * deleted (D15, D17); and starts after a kill with notes that lie (D16). Control: the holder is gone, nobody refuses.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, createNode } from './support/client.mjs';
import { startAgain } from './support/crash.mjs';
import { atoll, serve, system, workDirectory } from './support/program.mjs';
import { endDecided, expect, finish, isControl, loss, round } from './support/report.mjs';

const place = workDirectory();
const data = join(place, 'data');
const ledger = createLedger();
const server = await serve(data);
await ledger.create('node', 'first', () => createNode(server.url, 'first'));
if (isControl) await server.kill();

const link = join(place, 'link');
const bound = join(place, 'bound');
symlinkSync(data, link);
mkdirSync(bound);
const names = [data, link];
if (process.getuid?.() === 0) {
  system('mount', '--bind', data, bound);
  names.push(bound);
} else process.stdout.write('  without root: no bind mount\n');

const refused = async (directory, holder = String(server.pid)) => {
  round();
  try {
    const second = await serve(directory);
    await second.kill();
    loss(`a second process started on ${directory}`);
  } catch (error) {
    expect(error.code === 3 && error.log.includes(holder), `refused without naming the holder: ${error.message}`);
  }
};
for (const name of names) await refused(name);
rmSync(join(data, 'lock'), { force: true });
// Nobody is left to say who it is, but the directory is held.
await refused(data, 'left no note');
const check = await atoll('check', '--data', data);
expect(check.code === 3, `atoll check beside a server ended with ${check.code}`);
if (!isControl) await ledger.create('node', 'unaffected', () => createNode(server.url, 'unaffected'));
await server.kill();
if (names.includes(bound)) system('umount', '-l', bound);
endDecided();

// The pid of a living stranger, and another machine's note: neither holds anything.
for (const note of [
  { pid: process.pid, host: 'here' },
  { pid: 1, host: 'elsewhere' },
]) {
  round();
  writeFileSync(join(data, 'lock'), `${JSON.stringify({ ...note, started: '' })}\n`);
  const check = await atoll('check', '--data', data);
  expect(check.code === 0, `a stale note stops atoll check: ${check.stderr}`);
  writeFileSync(join(data, 'lock'), `${JSON.stringify({ ...note, started: '' })}\n`);
  const again = await startAgain(data, ledger, { all: true });
  await again?.kill();
}
finish();
