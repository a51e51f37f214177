/** Record sets over frozen records: the same as one that holds everything itself, whatever is frozen, forked and packed meanwhile. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryEntityStore, type FrozenRecords, createRecordSet } from '../../../src/storage/storage.ts';
import { createRecordBlocks } from '../../../src/storage/journal/record-blocks.ts';
import type { PackedRecord } from '../../../src/storage/record-layer.ts';
import type { RecordSet } from '../../../src/storage/storage-driver.ts';
import { describeEntityStore } from '../entity-store.suite.ts';
import { article, testModel } from '../records.ts';
import { hangMs } from '../../support/hang.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

const frozen = (entities: readonly Entity[]): FrozenRecords => {
  const set = createRecordSet(testModel);
  for (const entity of entities) set.apply({ put: entity });
  return set.freeze();
};

describeEntityStore('memory over an empty base', ({ model }) =>
  Promise.resolve(createMemoryEntityStore({ model, base: frozen([]) })),
);

describeEntityStore('memory over layers that were frozen between its changes', ({ model }) => {
  const store = createMemoryEntityStore({ model, base: frozen([]) });
  return Promise.resolve({
    ...store,
    transact: async (reads, decide) => {
      store.freeze();
      const result = await store.transact(reads, decide);
      store.freeze();
      return result;
    },
  });
});

const put = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  title: fc.constantFrom('a', 'b'),
  parent: fc.integer({ min: 0, max: 3 }),
  bundle: fc.constantFrom('article', 'page'),
});
const step = fc.oneof(
  fc.record({ put, set: fc.nat(7) }),
  fc.record({ remove: fc.integer({ min: 1, max: 12 }), set: fc.nat(7) }),
  fc.record({ draw: fc.constant('node' as const), set: fc.nat(7) }),
  fc.record({ fork: fc.nat(7), set: fc.nat(7) }),
  fc.record({ pack: fc.integer({ min: 1, max: 12 }), set: fc.nat(7) }),
);

/** Everything that can be read of a set. */
const shown = (set: RecordSet) => ({
  all: [...set.all()],
  size: set.size(),
  counters: set.counters(),
  pages: set.list('node', { bundle: 'page', offset: 0, limit: 99 }),
  few: set.list('node', { offset: 1, limit: 3 }),
  byId: Array.from({ length: 13 }, (_, id) => set.get(`node:${id}`)),
  members: [0, 1, 2, 3].map((parent) => [...set.lookup(`members-of:${parent}`)]),
  uuids: [1, 5, 12].map((id) => [...set.lookup(`uuid:${article(id, '').uuid}`)]),
});

const blockOf = createRecordBlocks();

const packed = (entity: Entity): PackedRecord => {
  const bytes = Buffer.from(JSON.stringify(entity));
  const { type, id, bundle } = entity;
  return {
    type,
    id,
    bundle,
    indexKeys: testModel.indexKeys(entity),
    block: blockOf(bytes),
    start: 0,
    end: bytes.length,
    entity: undefined,
    isAskedAgain: false,
  };
};

const copyOf = (set: RecordSet): RecordSet => {
  const copy = createRecordSet(testModel);
  for (const entity of set.all()) copy.apply({ put: entity });
  copy.raise(set.counters());
  return copy;
};

describe('a set over frozen records', () => {
  it('shows at every step of any history of changes and forks what a set shows that was copied instead', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pairs = Array.from({ length: 8 }, () => ({
          layered: createRecordSet(testModel, frozen([])),
          plain: createRecordSet(testModel),
        }));
        for (const each of steps) {
          const pair = pairs[each.set];
          if (pair === undefined) continue;
          if ('fork' in each) {
            pairs[each.fork] = {
              layered: createRecordSet(testModel, pair.layered.freeze()),
              plain: copyOf(pair.plain),
            };
            continue;
          }
          if ('pack' in each) {
            const entity = pair.layered.get(`node:${each.pack}`);
            if (entity !== undefined) pair.layered.pack(entity, packed(entity));
            continue;
          }
          for (const set of [pair.layered, pair.plain]) {
            if ('put' in each) {
              const { id, title, parent, bundle } = each.put;
              set.apply({ put: article(id, title, { parent, bundle }) });
            } else if ('remove' in each) set.apply({ remove: `node:${each.remove}` });
            else set.nextId(each.draw);
          }
          expect(shown(pair.layered)).toEqual(shown(pair.plain));
        }
        for (const { layered, plain } of pairs) expect(shown(layered)).toEqual(shown(plain));
      }),
      { numRuns: 300 },
    );
  });

  it('has few layers however often it is frozen, and none for a freeze without a change', () => {
    const set = createRecordSet(testModel);
    let last: FrozenRecords = set.freeze();
    for (let id = 1; id <= 2000; id += 1) {
      set.apply({ put: article(id % 500 === 0 ? 1 : id, 'x', { parent: 1 }) });
      last = set.freeze();
      if (id % 3 === 0) set.nextId('node');
      expect(set.freeze()).toBe(id % 3 === 0 ? set.freeze() : last);
    }
    let depth = 0;
    for (let layer: FrozenRecords | undefined = set.freeze(); layer !== undefined; layer = layer.base) depth += 1;
    expect(depth).toBeLessThanOrEqual(12);
  });

  it('holds nothing of its base: 10,000 of them over 10,000 records share them', () => {
    const base = frozen(Array.from({ length: 10_000 }, (_, at) => article(at + 1, 'x', { parent: 1 })));
    const began = performance.now();
    const sets = Array.from({ length: 10_000 }, () => createRecordSet(testModel, base));
    expect(sets.every((set) => set.size() === 10_000)).toBe(true);
    expect(performance.now() - began).toBeLessThan(hangMs);
  });
});
