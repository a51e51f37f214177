/** Before a run of tests: builds the program once, for all the files that start it. */
import { mkdir, rename } from 'node:fs/promises';
import { stop } from 'esbuild';
import { bundle } from '../../scripts/bundle.mjs';

export default async () => {
  await mkdir('coverage', { recursive: true });
  // Another run may be using the one that is there.
  const mine = `coverage/atoll-${process.pid}.mjs`;
  await bundle(mine);
  await rename(mine, 'coverage/atoll.mjs');
  await stop();
};
