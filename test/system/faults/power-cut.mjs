/**
 * Cuts the power (D02): the data directory lies on a loop-mounted ext4 image; the server is stopped in its tracks, the
 * image is copied, and a server is started on the copy. Everything that was acknowledged has to be there. Control:
 * libeatmydata turns every sync off, so that acknowledged writes are lost.
 */
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './support/chance.mjs';
import { createLedger, work } from './support/client.mjs';
import { startAgain } from './support/crash.mjs';
import { pause, serve, system, until, workDirectory } from './support/program.mjs';
import { finish, impossible, isControl, loss, requireRoot, round, roundNumbers } from './support/report.mjs';

requireRoot('mounting an image');
const place = workDirectory();
const mountPoint = join(place, 'mounted');
mkdirSync(mountPoint);
const unmount = () => system('umount', '-l', mountPoint);

const library = ['/usr/lib/x86_64-linux-gnu/libeatmydata.so', '/usr/lib/aarch64-linux-gnu/libeatmydata.so'].find(
  existsSync,
);
if (isControl && library === undefined) impossible('libeatmydata is missing; run test/system/faults/install.sh.');

const mount = (image, options) => {
  try {
    system('mount', '-o', `loop${options}`, image, mountPoint);
  } catch (error) {
    impossible(`an image cannot be loop-mounted here: ${error.message}`);
  }
};

const cutOnce = async (number, options) => {
  const image = join(place, 'disk.img');
  const copy = join(place, 'copy.img');
  writeFileSync(image, '');
  truncateSync(image, 128 * 1024 * 1024);
  system('mkfs.ext4', '-q', '-F', image);
  mount(image, options);
  const data = join(mountPoint, 'data');
  const server = await serve(data, isControl ? { env: { LD_PRELOAD: library } } : {});
  const ledger = createLedger();
  let isOver = false;
  const working = work(server.url, ledger, () => isOver);
  await pause(1500 + random() * 1500);
  await until(() => ledger.size() > 0);
  server.signal('SIGSTOP');
  isOver = true;
  // Answers that were sent before the stop are still on their way; they count.
  await pause(100);
  system('cp', '--sparse=always', image, copy);
  await server.kill();
  await working;
  unmount();
  mount(copy, options);
  const again = await startAgain(data, ledger, { all: true });
  await again?.kill();
  unmount();
  rmSync(image);
  rmSync(copy);
  process.stdout.write(`  power cut ${number}${options}: ${ledger.size()} records in the ledger\n`);
};

for (const options of ['', ',noauto_da_alloc,data=writeback']) {
  for (const number of roundNumbers(20, 2)) {
    round();
    try {
      await cutOnce(number + 1, options);
    } catch (error) {
      loss(error.message);
    }
  }
}
finish();
