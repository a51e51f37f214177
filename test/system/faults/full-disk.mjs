/**
 * Fills a small disk (D08), deletes and shortens on it (D09), and frees space again (D10); uploads too. Control: a node is
 * believed to be stored although it was refused.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, createNode, getNode, patchNode, putMedia, send } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { serve, system, workDirectory } from './support/program.mjs';
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

requireRoot('mounting a small disk');
const place = workDirectory();
const disk = join(place, 'disk');
mkdirSync(disk);

const fillOnce = async () => {
  try {
    system('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk);
  } catch (error) {
    impossible(`a tmpfs cannot be mounted here: ${error.message}`);
  }
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(600 * 1024));
  const data = join(disk, 'data');
  const server = await serve(data);
  const ledger = createLedger();
  const title = (number) => `${number} ${'long title '.repeat(20)}`.slice(0, 250);
  const description = 'what fills the disk '.repeat(400);
  let refused;
  const ids = [];
  for (let number = 1; refused === undefined && number < 2000; number++) {
    const answer = await createNode(server.url, title(number), { field_description: description });
    if (answer.status !== 201) refused = answer;
    else {
      ids.push(Number(/(\d+)$/.exec(answer.headers.get('location'))[1]));
      ledger.settle(`node:${ids.at(-1)}`, title(number));
      acknowledged(1);
    }
  }
  expect(
    refused?.status === 507 && typeof refused.json?.message === 'string',
    `a full disk is answered ${refused?.status}`,
  );
  const next = (ids.at(-1) ?? 0) + 1;
  expect((await getNode(server.url, next)).status === 404, 'the refused node is there');
  if (isControl) ledger.settle(`node:${next}`, 'refused');
  const upload = await putMedia(server.url, ids[0], Buffer.alloc(900 * 1024), 'large');
  expect(upload.status === 507, `an upload to a full disk is answered ${upload.status}`);
  expect(!filesIn(data).some((name) => /temporary\/|\.tmp$/.test(name)), 'a temporary file is left');
  expect((await send(server.url, 'HEAD', `/node/${ids[0]}?_format=json`)).status === 200, 'HEAD fails on a full disk');
  for (const id of ids.slice(0, 5)) {
    const gone = await ledger.write(`node:${id}`, 'absent', () =>
      send(server.url, 'DELETE', `/node/${id}?_format=json`),
    );
    expect(gone.status === 204, `DELETE on a full disk is ${gone.status}`);
  }
  const shorter = await ledger.write(`node:${ids[5]}`, 'short', () =>
    patchNode(server.url, ids[5], { title: 'short' }),
  );
  expect(shorter.status === 200, `a PATCH that shortens is ${shorter.status}`);
  rmSync(ballast);
  const again = await ledger.create('node', 'room again', () => createNode(server.url, 'room again'));
  if (again === undefined) loss('POST fails after space came back');
  await server.kill();
  const restarted = await startAgain(data, ledger, { all: true });
  await restarted?.kill();
};

for (const _number of roundNumbers(5, 1)) {
  round();
  await fillOnce().catch((error) => loss(error.message));
  system('umount', '-l', disk);
}
finish();
