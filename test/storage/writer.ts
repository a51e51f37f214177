/** A process to be killed: writes records without end and prints each id once it is acknowledged. */
import { writeSync } from 'node:fs';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { article, testModel } from './records.ts';

const { store } = await openJournalEntityStore({
  directory: process.argv[2] ?? '',
  model: testModel,
  durability: 'full',
  warn: () => undefined,
  smallJournalBytes: 20_000,
});
writeSync(1, 'open\n');

const writeOn = async (): Promise<never> => {
  for (;;) {
    const id = await store.transact([], (view) => {
      const next = view.nextId('node');
      return { changes: [{ put: article(next, `title ${next}`) }], result: next };
    });
    writeSync(1, `${id}\n`);
  }
};
await Promise.all([1, 2, 3, 4].map(writeOn));
