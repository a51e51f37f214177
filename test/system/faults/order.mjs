/**
 * Watches the server's system calls (D03): between the write of a change and the answer lies the sync of the journal; an
 * upload's bytes and the folder with their name are synced before all that. A large upload gets its name by a renaming, after the
 * sync of its bytes; a small one is written under its name. Control: `--durability os`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createNode, idIn, patchNode, putMedia, send } from './support/client.mjs';
import { pause, serve, workDirectory } from './support/program.mjs';
import { acknowledged, expect, finish, impossible, isControl, loss, round, roundsOf } from './support/report.mjs';

const place = workDirectory();
const log = join(place, 'strace.log');
const data = join(realpathSync(place), 'data');
const server = await serve(join(place, 'data'), { args: isControl ? ['--durability', 'os'] : [] });
const calls = 'trace=openat,pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2';
const strace = spawn('strace', ['-f', '-y', '-s', '32', '-e', calls, '-o', log, '-p', String(server.pid)], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
strace.on('error', () => impossible('strace is missing; run test/system/faults/install.sh.'));
const [said] = await once(strace.stderr, 'data');
if (!String(said).includes('attached')) impossible(`strace cannot attach here: ${said}`);

for (let number = 0; number < roundsOf(34, 10); number++) {
  round();
  const node = idIn(await createNode(server.url, `order ${number}`));
  const answers = [
    await patchNode(server.url, node, { title: `changed ${number}` }),
    await putMedia(server.url, node, Buffer.alloc(number % 2 === 0 ? 10 : 600_000, `${number}`), `order-${number}`),
    await send(server.url, 'DELETE', `/node/${node}?_format=json`),
  ];
  expect(
    answers.map(({ status }) => status).join() === '200,201,204',
    `answers ${answers.map(({ status }) => status).join()}`,
  );
  acknowledged(1 + answers.length);
}
strace.kill('SIGINT');
await once(strace, 'exit');
await server.stop();
await pause(50);

/** The store names its files by the descriptor of its directory. `strace` shows the path behind a descriptor everywhere else. */
const pathOf = (name) => name?.replace(/^\/proc\/self\/fd\/\d+(?=\/)/, data);

/** One pass over the calls: syncs and renames count when they end, answers when they begin. */
const begun = new Map();
const unsynced = new Set();
const unnamed = new Set();
let answers = 0;
for (const line of readFileSync(log, 'utf8').split('\n')) {
  const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
  if (rest.endsWith('<unfinished ...>')) {
    begun.set(thread, rest.replace('<unfinished ...>', ''));
    // An answer goes out when its call begins, a sync holds when its call has ended.
    if (/^(write|writev|sendto|sendmsg)\(/.test(rest)) see(rest);
    continue;
  }
  const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
  const call = resumed === undefined ? rest : `${begun.get(thread) ?? ''}${resumed}`;
  if (resumed !== undefined && /^(write|writev|sendto|sendmsg)\(/.test(call)) continue;
  see(call);
}

function see(call) {
  const path = /^\w+\(\d+<([^>]*)>/.exec(call)?.[1] ?? '';
  const isWrite = /^pwrite(64|v)\(/.test(call);
  if (isWrite && /journal-|\/blobs\//.test(path)) unsynced.add(path);
  const made = /^openat\(.*O_CREAT.* = \d+<([^>]*)>/.exec(call)?.[1] ?? '';
  if (/\/blobs\/[^/]+\/[^/]+$/.test(made)) unnamed.add(dirname(made));
  if (/^f(data)?sync\(/.test(call)) {
    unsynced.delete(path);
    unnamed.delete(path);
  }
  const names = /^rename\w*\((?:[^"]*)"([^"]*)"(?:\.\.\.)?, (?:[^"]*)"([^"]*)"/.exec(call) ?? [];
  const [from, to] = names.slice(1).map(pathOf);
  if (from !== undefined && to !== undefined) {
    expect(!unsynced.has(from), `bytes were named before they were synced: ${call}`);
    if (to.includes('/blobs/')) unnamed.add(dirname(to));
  }
  const early = [...unnamed, ...unsynced].filter((each) => each.includes('/blobs/'));
  if (isWrite && path.includes('journal-') && early.length > 0) {
    loss(`a record was written before its bytes and their folder were synced: ${early.join(', ')}`);
    early.forEach((each) => unnamed.delete(each) || unsynced.delete(each));
  }
  if (/^(write|writev|sendto|sendmsg)\(/.test(call) && /HTTP\/1\.1 2/.test(call)) {
    answers += 1;
    if (unsynced.size > 0) loss(`an answer went out before the sync of ${[...unsynced].join(', ')}`);
    unsynced.clear();
    unnamed.clear();
  }
}
expect(answers >= 4, `only ${answers} answers were seen`);
finish();
