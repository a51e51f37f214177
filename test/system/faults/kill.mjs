/**
 * Kills the server with SIGKILL while it writes (D01), in the middle of an upload (D33), and after the highest ids were
 * deleted (D34). Control: lines that were acknowledged are cut off the journal before the restart, or rows are taken out of the
 * database.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './support/chance.mjs';
import { createLedger, createNode, idIn, putMedia, send, sha256, work } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { damageDatabase, isTeam, pause, serve, until, workDirectory } from './support/program.mjs';
import { expect, finish, isControl, loss, round, roundsOf } from './support/report.mjs';

const data = join(workDirectory(), 'data');
const ledger = createLedger();
const loseWrites = () => (isTeam ? damageDatabase(data, "DELETE FROM atoll_records WHERE type = 'node'") : loseLines());
const loseLines = () => {
  const newest = readdirSync(data)
    .filter((name) => name.startsWith('journal-'))
    .sort((a, b) => parseInt(b.slice(8), 10) - parseInt(a.slice(8), 10))[0];
  const lines = readFileSync(join(data, newest), 'utf8').split('\n');
  writeFileSync(join(data, newest), `${lines.slice(0, Math.max(1, lines.length - 40)).join('\n')}\n`);
};

let server = await serve(data);
for (let number = 0; number < roundsOf(50, 4) && server !== undefined; number++) {
  round();
  let isOver = false;
  const working = work(server.url, ledger, () => isOver);
  const before = ledger.size();
  await pause(200 + random() * 1800);
  await until(() => ledger.size() > before);
  await server.kill();
  isOver = true;
  await working;
  if (isControl) await loseWrites();
  server = await startAgain(data, ledger);
}

if (server !== undefined) {
  round();
  const before = Buffer.from('the old content');
  const node = idIn(await createNode(server.url, 'for uploads'));
  const media = await ledger.create('media', sha256(before), () => putMedia(server.url, node, before, 'upload'));
  const slow = new ReadableStream({
    pull: async (controller) => {
      controller.enqueue(new Uint8Array(64 * 1024));
      await pause(20);
    },
  });
  const uploading = putMedia(server.url, node, slow, 'upload');
  const hasBegun = () => filesIn(join(data, 'blobs')).some((name) => name.includes('temporary'));
  await until(hasBegun);
  expect(hasBegun(), 'the upload never began (D33)');
  await server.kill();
  expect((await uploading).status === 0, 'an upload that was killed was answered');
  expect(media !== undefined, 'no media for the upload');
  server = await startAgain(data, ledger, { all: true });
}

if (server !== undefined) {
  round();
  const highest = idIn(await createNode(server.url, 'highest'));
  expect((await send(server.url, 'DELETE', `/node/${highest}?_format=json`)).status === 204, 'no delete');
  await server.kill();
  server = await serve(data);
  const next = await createNode(server.url, 'next');
  if (!(idIn(next) > highest)) loss(`node ${highest} was deleted and its id given again: ${idIn(next)}`);
  await server.kill();
}
finish();
