/** What every collection store promises; called by the test of each implementation. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  collectionBounds,
  collectionOf,
  type CollectionStore,
  type CollectionsView,
} from '../../src/openapi/openapi-terms.ts';

/** A record that was put, as an id with its value. */
const idsOf = async (store: CollectionStore, name: string): Promise<string[]> =>
  (await store.list(name)).map(({ id }) => id);

const putAll = (store: CollectionStore, name: string, ids: readonly string[]): Promise<void> =>
  store.transact((view) => ids.forEach((id) => view.put(name, id, { id })));

export const describeCollectionStore = (
  name: string,
  open: () => Promise<{ readonly store: CollectionStore; readonly close: () => Promise<void> }>,
): void => {
  describe(`${name} as a collection store`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let store: CollectionStore;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    it('has no record of a collection that nobody has put into', async () => {
      expect(await store.get('books', '1')).toBeUndefined();
      expect(await store.list('books')).toEqual([]);
      expect(store.names()).toEqual([]);
      expect(store.hasBegun('books')).toBe(false);
    });

    it('lists records in the order in which their ids were put first, and a replaced one keeps its place', async () => {
      for (const id of ['c', 'a', 'b']) await putAll(store, 'books', [id]);
      await store.transact((view) => view.put('books', 'a', { title: 'new' }));
      expect(await idsOf(store, 'books')).toEqual(['c', 'a', 'b']);
      expect((await store.get('books', 'a'))?.value).toEqual({ title: 'new' });
    });

    it('puts a record that was deleted and comes again at the end, also in one transaction', async () => {
      await putAll(store, 'books', ['a', 'b', 'c']);
      await store.transact((view) => view.delete('books', 'a'));
      await putAll(store, 'books', ['a']);
      expect(await idsOf(store, 'books')).toEqual(['b', 'c', 'a']);
      await store.transact((view) => {
        view.delete('books', 'b');
        view.put('books', 'b', 'again');
      });
      expect(await idsOf(store, 'books')).toEqual(['c', 'a', 'b']);
      expect((await store.get('books', 'b'))?.value).toBe('again');
    });

    it('keeps collections apart, whatever their names and ids are', async () => {
      const names = ['a', 'a/b', 'a%2Fb', '', '__proto__', 'ü 書', 'line\nbreak', 'constructor', '\ud800'];
      const ids = ['b/c', 'c', '', '__proto__', 'toString', '0', '00', ' ', 'ü/書', 'b\nc', '\udfff', '%2F'];
      for (const each of names) await store.transact((view) => ids.forEach((id) => view.put(each, id, [each, id])));
      for (const each of names) {
        expect(await idsOf(store, each)).toEqual(ids);
        for (const id of ids) expect((await store.get(each, id))?.value).toEqual([each, id]);
      }
      expect(store.names()).toEqual([...names].sort());
      await store.transact((view) => view.delete('a/b', 'c'));
      expect(await store.get('a', 'b/c')).toBeDefined();
    });

    it('keeps any JSON as it was, also members that objects have by themselves', async () => {
      const text = '{"__proto__":{"a":1},"constructor":null,"n":[1.5,-2e-7,true,"",[],{}],"é":"\\ud800 \\u2028"}';
      const values: unknown[] = [JSON.parse(text), null, 0, false, '', 'text', [], [[null]], {}];
      for (const [at, value] of values.entries()) {
        await store.transact((view) => view.put('any', String(at), value));
        expect((await store.get('any', String(at)))?.value).toEqual(value);
      }
      expect(JSON.stringify((await store.get('any', '0'))?.value)).toBe(JSON.stringify(JSON.parse(text)));
    });

    it('leaves members out that are undefined', async () => {
      await store.transact((view) => view.put('any', 'a', { here: 1, there: undefined }));
      expect(Object.keys((await store.get('any', 'a'))?.value as object)).toEqual(['here']);
    });

    const circle: Record<string, unknown> = { list: [] };
    circle['list'] = [circle];
    it.each([
      ['undefined', undefined, 'this one is undefined'],
      ['a function', { run: () => 1 }, 'its /run is a function'],
      ['not a number', { sizes: [1, NaN] }, 'its /sizes/1 is NaN'],
      ['infinity', -Infinity, 'this one is -Infinity'],
      ['a date', { at: new Date(0) }, 'its /at is a Date'],
      ['a map', new Map(), 'this one is a Map'],
      ['a big number', { n: 1n }, 'its /n is a bigint'],
      ['a symbol', [Symbol('s')], 'its /0 is a symbol'],
      ['a hole', [undefined], 'its /0 is undefined'],
      ['a circle', circle, 'its /list/0 is an object that it is part of'],
    ])('refuses %s with a TypeError that names the place, and changes nothing', async (_what, value, message) => {
      const refused = store.transact((view) => {
        view.put('books', 'first', 1);
        view.put('books', 'a', value);
      });
      await expect(refused).rejects.toThrow(TypeError);
      await expect(refused).rejects.toThrow(message);
      expect(await store.list('books')).toEqual([]);
      expect(store.hasBegun('books')).toBe(false);
    });

    it('refuses ids and names that are no texts with a TypeError', async () => {
      const wrong = 7 as unknown as string; // as JavaScript may have it
      await expect(store.transact((view) => view.put('books', wrong, 1))).rejects.toThrow(TypeError);
      await expect(store.transact((view) => view.put(wrong, 'a', 1))).rejects.toThrow(TypeError);
    });

    it('refuses a record above the bound of bytes with 413, and takes one at it', async () => {
      const room = collectionBounds.recordBytes - JSON.stringify('id').length - JSON.stringify('').length;
      await store.transact((view) => view.put('books', 'id', 'x'.repeat(room)));
      await expect(store.transact((view) => view.put('books', 'id', 'x'.repeat(room + 1)))).rejects.toMatchObject({
        status: 413,
      });
      await expect(store.transact((view) => view.put('books', 'é'.repeat(room), ''))).rejects.toMatchObject({
        status: 413,
      });
      const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
      await store.transact((view) => view.put('books', 'deep', nested(collectionBounds.levels)));
      await expect(
        store.transact((view) => view.put('books', 'deep', nested(collectionBounds.levels + 1))),
      ).rejects.toMatchObject({ status: 413 });
      expect(await idsOf(store, 'books')).toEqual(['id', 'deep']);
    });

    it('refuses a value that is small and repeats one object more often than there is room', async () => {
      let value: unknown = 1;
      for (let level = 0; level < 40; level += 1) value = [value, value];
      await expect(store.transact((view) => view.put('books', 'a', value))).rejects.toMatchObject({ status: 413 });
    });

    it('has 200 collections and refuses the next with 507', async () => {
      await store.transact((view) => {
        for (let at = 0; at < collectionBounds.collections; at += 1) view.put(`c${at}`, 'a', at);
      });
      await expect(store.transact((view) => view.put('more', 'a', 1))).rejects.toMatchObject({ status: 507 });
      await expect(store.transact((view) => view.begin('more'))).rejects.toMatchObject({ status: 507 });
      await putAll(store, 'c7', ['b']);
      expect(await idsOf(store, 'c7')).toEqual(['a', 'b']);
    });

    it('hands out values that nothing changes', async () => {
      const value = { list: [{ a: 1 }] };
      await store.transact((view) => view.put('books', 'a', value));
      value.list.push({ a: 2 });
      const stored = (await store.get('books', 'a'))?.value as typeof value;
      expect(stored).toEqual({ list: [{ a: 1 }] });
      expect(() => stored.list.push({ a: 3 })).toThrow(TypeError);
      expect(() => Object.assign(stored.list[0] ?? {}, { a: 4 })).toThrow(TypeError);
      expect((await store.get('books', 'a'))?.value).toEqual({ list: [{ a: 1 }] });
    });

    it('gives the same array and records as long as the collection does not change, and never changes one', async () => {
      await putAll(store, 'books', ['a', 'b']);
      const before = await store.list('books');
      await putAll(store, 'films', ['x']);
      expect(await store.list('books')).toBe(before);
      expect(await store.get('books', 'a')).toBe(before[0]);
      await putAll(store, 'books', ['c', 'a']);
      const after = await store.list('books');
      expect(after).not.toBe(before);
      expect(before.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(after[1]).toBe(before[1]);
      await store.transact((view) => view.delete('books', 'b'));
      expect(await idsOf(store, 'books')).toEqual(['a', 'c']);
      expect(after.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });

    it('shows a transaction its own changes, and the others nothing before it is stored', async () => {
      await putAll(store, 'books', ['a', 'b']);
      const changed = store.transact((view) => {
        view.put('books', 'c', 3);
        view.put('books', 'a', 1);
        expect(view.delete('books', 'b')).toBe(true);
        expect(view.delete('books', 'b')).toBe(false);
        view.put('films', 'x', 1);
        return [
          view.list('books').map(({ id, value }) => [id, value]),
          view.get('books', 'b'),
          view.get('books', 'a')?.value,
        ];
      });
      expect(await idsOf(store, 'books')).toEqual(['a', 'b']);
      const next = store.transact((view) => view.list('books').map(({ id }) => id));
      expect(await changed).toEqual([
        [
          ['a', 1],
          ['c', 3],
        ],
        undefined,
        1,
      ]);
      expect(await next).toEqual(['a', 'c']);
      expect(await idsOf(store, 'books')).toEqual(['a', 'c']);
    });

    it('loses no change of 300 transactions at once that each read what they change', async () => {
      await store.transact((view) => view.put('counts', 'n', 0));
      const count = (view: CollectionsView): void => {
        view.put('counts', 'n', Number(view.get('counts', 'n')?.value) + 1);
        view.put('log', String(view.list('log').length), view.list('log').length);
      };
      await Promise.all(Array.from({ length: 300 }, () => store.transact(count)));
      expect((await store.get('counts', 'n'))?.value).toBe(300);
      expect(await idsOf(store, 'log')).toEqual(Array.from({ length: 300 }, (_, at) => String(at)));
    });

    it('stores nothing of a transaction that throws', async () => {
      const failure = new Error('refused');
      const refused = store.transact((view) => {
        view.put('books', 'a', 1);
        view.begin('films');
        throw failure;
      });
      await expect(refused).rejects.toBe(failure);
      expect(await store.list('books')).toEqual([]);
      expect(store.names()).toEqual([]);
      expect(await store.transact((view) => view.begin('films'))).toBe(true);
    });

    it('refuses an async transaction with a TypeError, and writes after the end of one', async () => {
      const late = store.transact(async (view) => {
        await Promise.resolve();
        view.put('books', 'a', 1);
      });
      await expect(late).rejects.toThrow(TypeError);
      let kept: CollectionsView | undefined;
      await store.transact((view) => {
        kept = view;
      });
      expect(() => kept?.put('books', 'a', 1)).toThrow(TypeError);
      expect(() => kept?.get('books', 'a')).toThrow(TypeError);
      expect(await store.list('books')).toEqual([]);
    });

    it('draws numbers above all that the collection ever had, and none twice', async () => {
      const draw = (): Promise<number> => store.transact((view) => view.nextNumber('books'));
      expect([await draw(), await draw()]).toEqual([1, 2]);
      await putAll(store, 'books', ['40', 'x', '007', '-9', '1e3', '3.5']);
      await store.transact((view) => view.delete('books', '40'));
      expect(await draw()).toBe(41);
      expect(await Promise.all(Array.from({ length: 5 }, draw))).toEqual([42, 43, 44, 45, 46]);
      const inOne = store.transact((view) => {
        view.put('books', '900', 1);
        return [view.nextNumber('books'), view.nextNumber('films')];
      });
      expect(await inOne).toEqual([901, 1]);
      // A longer number is a text: the next one would not be exact.
      await putAll(store, 'books', ['9007199254740993']);
      expect(await draw()).toBe(902);
    });

    it('begins each collection once, also with no record, and when two transactions ask at once', async () => {
      const begin = (): Promise<boolean> => store.transact((view) => view.begin('books'));
      const [first, second] = [begin(), begin()];
      expect(await Promise.all([first, second])).toEqual([true, false]);
      expect(await begin()).toBe(false);
      expect([store.hasBegun('books'), store.hasBegun('films')]).toEqual([true, false]);
      await putAll(store, 'films', ['a']);
      expect(store.hasBegun('films')).toBe(true);
      expect(await store.transact((view) => view.begin('films'))).toBe(false);
      const again = store.transact((view) => [view.begin('both'), view.begin('both')]);
      expect(await again).toEqual([true, false]);
    });

    it('is as a map for each collection, whatever is put, deleted and read in whichever transactions', async () => {
      const id = fc.constantFrom('a', 'b', '3', '40', '', '__proto__');
      const step = fc.oneof(
        fc.record({ kind: fc.constant('put' as const), name: fc.constantFrom('one', 'two'), id, value: fc.integer() }),
        fc.record({ kind: fc.constant('delete' as const), name: fc.constantFrom('one', 'two'), id }),
        fc.record({ kind: fc.constant('list' as const), name: fc.constantFrom('one', 'two') }),
      );
      type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
      let run = 0;
      const check = async (transactions: readonly (readonly Step[])[]): Promise<void> => {
        run += 1;
        const model = new Map<string, Map<string, unknown>>();
        const mapOf = (name: string): Map<string, unknown> => {
          const map = model.get(name) ?? new Map<string, unknown>();
          model.set(name, map);
          return map;
        };
        const own = (name: string): string => `${name} ${run}`;
        const entries = (records: readonly { readonly id: string; readonly value: unknown }[]) =>
          records.map((record) => [record.id, record.value]);
        for (const steps of transactions) {
          await store.transact((view) => {
            for (const each of steps) {
              const map = mapOf(each.name);
              if (each.kind === 'put') {
                view.put(own(each.name), each.id, each.value);
                map.set(each.id, each.value);
              } else if (each.kind === 'delete') {
                expect(view.delete(own(each.name), each.id)).toBe(map.delete(each.id));
              } else expect(entries(view.list(own(each.name)))).toEqual([...map]);
            }
          });
          for (const [name, map] of model) {
            const all = await store.list(own(name));
            expect(entries(all)).toEqual([...map]);
            expect(await store.list(own(name))).toBe(all);
          }
        }
      };
      await fc.assert(fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 }), check), {
        numRuns: 40,
      });
    });

    it('gives handlers a collection by its name', async () => {
      const books = collectionOf<{ readonly title: string }>(store, 'books');
      await books.put('a', { title: 'A' });
      await books.put('b', { title: 'B' });
      await books.put('c', { title: 'C' });
      expect(await books.get('a')).toEqual({ title: 'A' });
      expect(await books.get('none')).toBeUndefined();
      const record = (id: string) => ({ id, value: { title: id.toUpperCase() } });
      expect(await books.list()).toEqual({ total: 3, records: ['a', 'b', 'c'].map(record) });
      expect(await books.list({ offset: 1, limit: 1 })).toEqual({ total: 3, records: [record('b')] });
      expect([await books.delete('a'), await books.delete('a')]).toEqual([true, false]);
      const moved = await books.transact((records) => {
        const gone = records.get('b');
        records.delete('b');
        records.collection('read').put('b', gone);
        return records.list().map(({ id }) => id);
      });
      expect(moved).toEqual(['c']);
      expect(await collectionOf(store, 'read').get('b')).toEqual({ title: 'B' });
    });
  });
};
