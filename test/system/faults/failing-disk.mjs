/**
 * Lets a sync fail once (D05) and looks at once at what nobody was promised (D37); lets the disk become read-only while the
 * server runs (D14), and starts on one that an ordinary user may not write (D13). Control: the rejected title is expected.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, createNode, getNode, idIn, patchNode, putMedia, send } from './support/client.mjs';
import { startAgain } from './support/crash.mjs';
import { programFile, serve, until, workDirectory } from './support/program.mjs';
import {
  acknowledged,
  expect,
  finish,
  impossible,
  isControl,
  loss,
  requireRoot,
  round,
  roundNumbers,
} from './support/report.mjs';

requireRoot('becoming an ordinary user');
const place = workDirectory();

/** Lets a system call of the server fail; the result ends it. */
const inject = async (pid, call, fault) => {
  const options = ['-f', '-e', `trace=${call}`, '-e', `inject=${call}:${fault}`, '-o', '/dev/null', '-p', String(pid)];
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  strace.on('error', () => impossible('strace is missing; run test/system/faults/install.sh.'));
  const [said] = await once(strace.stderr, 'data');
  if (!String(said).includes('attached')) impossible(`strace cannot attach here: ${said}`);
  return async () => {
    strace.kill('SIGINT');
    await once(strace, 'exit');
  };
};

/** A server makes its key some time after the start, and its note last. The fault is for what is written after them. */
const madeKey = (data) => until(() => existsSync(join(data, 'jwt-key.pem.made')));

const failSync = async (number) => {
  const data = join(place, `sync-${number}`);
  const server = await serve(data, { env: { UV_THREADPOOL_SIZE: '1' } });
  const ledger = createLedger();
  const id = idIn(await createNode(server.url, 'before'));
  acknowledged(1);
  ledger.settle(`node:${id}`, 'before');
  await madeKey(data);
  const before = await getNode(server.url, id);
  const release = await inject(server.pid, 'fdatasync', 'error=EIO:when=1');
  const failed = await patchNode(server.url, id, { title: 'failed' });
  expect(failed.status === 503, `a write whose sync failed is ${failed.status}`);
  const after = await getNode(server.url, id);
  expect(after.bytes.equals(before.bytes), 'a reader sees what was not committed');
  expect(after.headers.get('link') === before.headers.get('link'), 'a Link header shows what was not committed');
  await release();
  expect((await createNode(server.url, 'later')).status === 503, 'writes went on after a failed sync');
  expect((await getNode(server.url, id)).status === 200, 'reads stopped');
  if (isControl) ledger.settle(`node:${id}`, 'failed');
  await server.kill();
  const again = await startAgain(data, ledger, { all: true });
  if (again === undefined) return;
  expect((await createNode(again.url, 'works again')).status === 201, 'writing does not come back with a restart');
  await again.kill();
};

/** No disk lets itself be mounted read-only under an open file; a failing one does it all the same. */
const readOnly = async () => {
  const server = await serve(join(place, 'read-only'));
  const id = idIn(await createNode(server.url, 'before'));
  acknowledged(1);
  await madeKey(join(place, 'read-only'));
  const release = await inject(server.pid, 'pwrite64', 'error=EROFS');
  const answers = [
    await createNode(server.url, 'refused'),
    await putMedia(server.url, id, Buffer.from('refused'), 'refused'),
    await send(server.url, 'DELETE', `/node/${id}?_format=json`),
  ].map(({ status }) => status);
  expect(answers.join() === '503,503,503', `read-only: ${answers.join()}`);
  expect((await getNode(server.url, id)).status === 200, 'reads stopped on a read-only disk');
  await release();
  expect((await createNode(server.url, 'again')).status === 201, 'writing does not come back with the disk');
  await server.kill();
};

const ordinaryUser = async () => {
  const directory = join(place, 'not-ours');
  mkdirSync(directory);
  chmodSync(directory, 0o555);
  chmodSync(place, 0o755);
  chmodSync(await programFile(), 0o755);
  const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  try {
    const server = await serve(join(directory, 'data'), { prefix });
    await server.kill();
    loss('a server started on a directory that it may not write');
  } catch (error) {
    expect(error.code === 5 && error.log.includes(directory), `no permission: ${error.message}`);
  }
};

for (const number of roundNumbers(5, 1)) {
  round();
  await failSync(number).catch((error) => loss(error.message));
}
for (const task of [readOnly, ordinaryUser]) {
  round();
  await task().catch((error) => loss(error.message));
}
finish();
