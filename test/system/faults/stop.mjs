/**
 * Ends the server with SIGTERM while 5 uploads and 20 writers are under way (D31): what was begun ends or is dropped whole,
 * exit code 0. A second signal ends it at once, with a store that is whole (D32). Control: SIGKILL instead of SIGTERM.
 */
import { join } from 'node:path';
import { createLedger, createNode, idIn, putMedia, send, sha256, work } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { pause, serve, until, workDirectory } from './support/program.mjs';
import { acknowledged, expect, finish, isControl, round, roundNumbers } from './support/report.mjs';

const place = workDirectory();
/** Large enough that a body has a file of its own while it arrives. */
const pieceBytes = 100_000;

const slowBytes = (pieces, everyMs) => {
  let left = pieces;
  return new ReadableStream({
    pull: async (controller) => {
      await pause(everyMs);
      if (left-- > 0) controller.enqueue(Buffer.alloc(pieceBytes, 'u'));
      else controller.close();
    },
  });
};

const stopOnce = async (number, { second }) => {
  const data = join(place, `${number}-${second}`);
  const server = await serve(data);
  const ledger = createLedger();
  let isOver = false;
  const working = work(server.url, ledger, () => isOver, { workers: 20 });
  const targets = await Promise.all([1, 2, 3, 4, 5].map((each) => createNode(server.url, `upload ${each}`)));
  const pieces = second ? 1000 : 20;
  const uploads = targets.map((answer, index) =>
    putMedia(server.url, idIn(answer), slowBytes(pieces, 100), `slow-${number}-${index}`),
  );
  await pause(1000);
  // A busy server has not met all of them by then.
  await until(() => filesIn(join(data, 'blobs')).filter((name) => name.includes('temporary')).length >= targets.length);
  const asked = performance.now();
  server.signal(isControl ? 'SIGKILL' : 'SIGTERM');
  if (second) {
    // The system makes one signal of two that its process has not heard of.
    await until(async () => (await send(server.url, 'GET', '/_atoll/ready')).status !== 200);
    server.signal('SIGTERM');
  }
  const { code } = await server.ended;
  const took = performance.now() - asked;
  isOver = true;
  await working;
  const answers = await Promise.all(uploads);
  expect(code === 0, `the process ended with ${code}`);
  expect(took < (second ? 5000 : 35_000), `the end took ${Math.round(took)} ms`);
  for (const answer of answers) {
    // An upload that began before the signal has up to 30 seconds; all of these need two.
    if (!second) expect(answer.status === 201, `an upload that had begun was answered ${answer.status}`);
    if (answer.status === 201) {
      ledger.settle(`media:${idIn(answer)}`, sha256(Buffer.alloc(pieceBytes * pieces, 'u')));
      acknowledged(1);
    }
  }
  const again = await startAgain(data, ledger, { all: true });
  await again?.kill();
};

for (const number of roundNumbers(5, 1)) {
  for (const second of isControl ? [false] : [false, true]) {
    round();
    await stopOnce(number, { second });
  }
}
finish();
