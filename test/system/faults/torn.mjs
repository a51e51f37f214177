/**
 * Damages the files of a store at random: cuts, flipped bits, zeroed blocks, holes (`test/storage/journal-damage.ts`). After
 * each damage the store is whole, or it is refused with file and offset. Control: the store is compared with one record more,
 * so that every whole store counts as a silent loss.
 */
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { random, randomBelow } from './support/chance.mjs';
import { workDirectory } from './support/program.mjs';
import { acknowledged, finish, isControl, loss, round, roundsOf } from './support/report.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const outfile = join(workDirectory(), 'damage.mjs');
await build({
  entryPoints: [join(root, 'test/storage/journal-damage.ts')],
  ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
});
const { makeStore, outcomeOf } = await import(pathToFileURL(outfile).href);

const kinds = ['cut', 'cutAtLine', 'flip', 'zero', 'hole'];
const rounds = isControl ? 50 : roundsOf(10_000, 500);
for (const isClosed of [true, false]) {
  const store = await makeStore(isClosed);
  acknowledged(66);
  const compared = isControl ? { ...store, acknowledged: `${store.acknowledged} ` } : store;
  for (let number = 0; number < rounds / 2; number++) {
    round();
    const damage = {
      kind: kinds[number % kinds.length],
      file: randomBelow(store.files.length),
      at: random(),
      length: random(),
    };
    const problem = await outcomeOf(compared, damage);
    if (problem !== undefined) loss(`${JSON.stringify(damage)}: ${problem}`);
  }
  await store.remove();
}
rmSync(outfile);
finish();
