/** The store in memory. */
import { describe, expect, it } from '@jest/globals';
import { createMemoryEntityStore } from '../../src/storage/storage.ts';
import { describeEntityStore } from './entity-store.suite.ts';
import { article, testModel } from './records.ts';
import { hangMs } from '../support/hang.ts';

describeEntityStore('memory', ({ model }) => Promise.resolve(createMemoryEntityStore({ model })));

describe('a seeded memory store', () => {
  it('starts with the records and behind the counters', async () => {
    const store = createMemoryEntityStore({
      model: testModel,
      initialRecords: { entities: [article(2, 'two'), article(1, 'one')], counters: { node: 9 } },
    });
    expect((await store.list('node', { offset: 0, limit: 5 })).entities.map((entity) => entity.id)).toEqual([1, 2]);
    expect(await store.transact([], (view) => ({ changes: [], result: view.nextId('node') }))).toBe(10);
  });

  it('changes an index of 50,000 records 5,000 times without copying it for each change', async () => {
    const entities = Array.from({ length: 50_000 }, (_, at) => article(at + 1, 'x', { parent: 1 }));
    const store = createMemoryEntityStore({ model: testModel, initialRecords: { entities, counters: {} } });
    const started = performance.now();
    for (let at = 0; at < 5_000; at++) {
      await store.transact([], (view) => ({
        changes: [{ put: article(view.nextId('node'), 'y', { parent: 1 }) }],
        result: 0,
      }));
    }
    expect((await store.lookupMany(['members-of:1']))[0]?.length).toBe(55_000);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});
