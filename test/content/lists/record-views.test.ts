/** Kept lists of records: each is what a search through everything would find, also after changes, and is made only once. */
import { recordModel, labelOf, targetIds } from '../../../src/repository/repository.ts';
import { type ContentFilter, folded } from '../../../src/repository/repository-content.ts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recordView } from '../../../src/repository/content/lists/record-views.ts';
import { sortInSlices } from '../../../src/repository/content/lists/sliced-arrays.ts';
import { createMemoryEntityStore } from '../../../src/storage/storage.ts';
import { recordOrders, type Entity, type Change, type EntityStore } from '../../../src/openapi/openapi-records.ts';

type NodeParts = { changed?: number; of?: number | undefined; model?: number | undefined };
const refer = (id: number | undefined) => (id === undefined ? [] : [{ target_id: id }]);

const node = (id: number, title: string, more: NodeParts = {}): Entity => ({
  ...{ type: 'node', id, uuid: `uuid-${id}`, bundle: id % 3 === 0 ? 'page' : 'work' },
  fields: {
    title: [{ value: title }],
    status: [{ value: id % 2 === 0 }],
    changed: [{ value: more.changed ?? 1000 - id }],
    field_member_of: refer(more.of),
    field_model: refer(more.model),
  },
});

let store: EntityStore;
let stored: Map<number, Entity>;
const apply = (changes: readonly Change[]): Promise<void> => {
  for (const change of changes) {
    if ('put' in change) stored.set(change.put.id, change.put);
    else stored.delete(Number(change.remove.split(':')[1]));
  }
  return store.transact([], () => ({ changes, result: undefined }));
};
const put = (...entities: Entity[]): Promise<void> => apply(entities.map((each) => ({ put: each })));

beforeEach(() => {
  store = createMemoryEntityStore({ model: recordModel });
  stored = new Map();
});

const idsIn = async (order: (typeof recordOrders)[number], filter: ContentFilter = {}): Promise<number[]> =>
  (await recordView(store, 'node', order, filter)).map(({ id }) => id);

/** What the list must have, found without an index or a list that was kept. */
const expected = (order: (typeof recordOrders)[number], filter: ContentFilter): number[] => {
  const keyed = [...stored.values()].map((entity) => ({
    entity,
    id: entity.id,
    title: folded(labelOf(entity)),
    changed: Number(entity.fields['changed']?.[0]?.['value']),
  }));
  const { bundles, model, memberOf, text = '', isPublished } = filter;
  return keyed
    .filter(
      ({ entity, title }) =>
        (bundles === undefined || bundles.includes(entity.bundle)) &&
        (model === undefined || targetIds(entity, 'field_model').includes(model)) &&
        (memberOf === undefined || targetIds(entity, 'field_member_of').includes(memberOf)) &&
        (isPublished === undefined || (entity.id % 2 === 0) === isPublished) &&
        title.includes(text),
    )
    .sort((a, b) => (a[order] === b[order] ? a.id - b.id : a[order] < b[order] ? -1 : 1))
    .map(({ id }) => id);
};

const filters: readonly ContentFilter[] = [
  {},
  { text: 'an' },
  { isPublished: false },
  { memberOf: 1 },
  { model: 24, text: 'a' },
  { bundles: ['page'], isPublished: true },
];

const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      id: fc.nat(40),
      title: fc.constantFrom('Ann', 'anna', 'Änne', 'Bo', 'b', 'Öl'),
      changed: fc.nat(9),
      of: fc.constantFrom(undefined, 1, 2),
      model: fc.constantFrom(undefined, 24),
    }),
  },
  { weight: 1, arbitrary: fc.nat(40) },
);

describe('recordView', () => {
  it('has after any changes what a search through everything finds, in each order', async () => {
    const batches = fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, async (made) => {
        store = createMemoryEntityStore({ model: recordModel });
        stored = new Map();
        for (const batch of made) {
          const changes = batch.map((each): Change => {
            if (typeof each === 'number') return { remove: `node:${each + 1}` };
            return { put: node(each.id + 1, each.title, each) };
          });
          // Lists that are asked for while the batch is written, too.
          const during = Promise.all(filters.map((filter) => idsIn('title', filter)));
          await Promise.all([apply(changes), during]);
          for (const order of recordOrders) {
            for (const filter of filters) expect(await idsIn(order, filter)).toEqual(expected(order, filter));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same array until a record of its type changes', async () => {
    await put(node(1, 'One'), node(2, 'Two'));
    const first = await recordView(store, 'node', 'title', {});
    const term: Entity = { type: 'taxonomy_term', id: 1, uuid: 'term', bundle: 'subject', fields: {} };
    await put(term);
    expect(await recordView(store, 'node', 'title', {})).toBe(first);
    await put(node(2, 'Another'));
    expect((await recordView(store, 'node', 'title', {})).map(({ title }) => title)).toEqual(['another', 'one']);
    expect(first.map(({ title }) => title)).toEqual(['one', 'two']);
  });

  it('keeps up with more changes than it remembers, and with more lists than it keeps', async () => {
    await put(...Array.from({ length: 500 }, (_, at) => node(at + 1, `Node ${at}`)));
    expect(await idsIn('title', { text: 'node 49' })).toHaveLength(11);
    for (let round = 0; round < 42; round += 1) {
      await put(...Array.from({ length: 500 }, (_, at) => node(at + 1, `Round ${round}`)));
    }
    expect(await idsIn('title', { text: 'node 49' })).toEqual([]);
    for (let digit = 0; digit < 30; digit += 1) {
      expect(await idsIn('title', { text: `${digit}` })).toHaveLength('41'.includes(`${digit}`) ? 500 : 0);
    }
    expect(await idsIn('changed')).toEqual(expected('changed', {}));
  });

  it('has everything after a failure, also what changed before it', async () => {
    await put(node(1, 'One'));
    let isBroken = true;
    const failing: EntityStore = {
      ...store,
      list: (...given) => (isBroken ? Promise.reject(new Error('away')) : store.list(...given)),
      getMany: (...given) => (isBroken ? Promise.reject(new Error('away')) : store.getMany(...given)),
    };
    const titles = async (): Promise<string[]> =>
      (await recordView(failing, 'node', 'title', {})).map(({ title }) => title);
    await expect(titles()).rejects.toThrow('away');
    isBroken = false;
    expect(await titles()).toEqual(['one']);
    await put(node(1, 'Uno'), node(2, 'Due'));
    isBroken = true;
    await expect(titles()).rejects.toThrow('away');
    isBroken = false;
    expect(await titles()).toEqual(['due', 'uno']);
  });
});

describe('folded', () => {
  it.each([
    ['Été à Paris', 'ete a paris'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['plain TEXT 12', 'plain text 12'],
    ['海边的船', '海边的船'],
    ['हिन्दी', 'हिन्दी'],
  ])('%s is %s', (text, without) => {
    expect(folded(text)).toBe(without);
  });
});

describe('sortInSlices', () => {
  it.each([0, 1, 199, 200, 511, 512, 513, 5000])(
    'sorts %d items, and equal ones stay in their order',
    async (count) => {
      const items = Array.from({ length: count }, (_, at) => ({ key: (at * 7919) % 50, at }));
      const sorted = await sortInSlices(items, (a, b) => a.key - b.key);
      expect(sorted).toEqual([...items].sort((a, b) => a.key - b.key));
      expect(sorted).not.toBe(items);
    },
  );
});
