/** What every store of control tokens promises. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ControlTokenStore, StoredControlToken } from '../../../src/openapi/openapi-host.ts';

export const token = (name: string, more: Partial<StoredControlToken> = {}): StoredControlToken => ({
  ...{ name, right: 'read', prefix: null, secretHash: '0f'.repeat(32), created: 1000, expires: null, lastUsed: null },
  ...more,
});

const limits = { now: 5000, most: 3 };

/** `open` is called for each test, over nothing; `again` opens the same tokens once more, as another process or a later start does. */
export const controlTokenStoreSuite = (
  name: string,
  open: () => Promise<{ readonly store: ControlTokenStore; readonly again?: () => Promise<ControlTokenStore> }>,
): void => {
  describe(name, () => {
    let store: ControlTokenStore;
    let again: (() => Promise<ControlTokenStore>) | undefined;
    beforeEach(async () => {
      ({ store, again } = await open());
    });

    const same = async (): Promise<readonly StoredControlToken[]> => {
      const tokens = await store.load();
      if (again !== undefined) expect(await (await again()).load()).toEqual(tokens);
      return tokens;
    };

    it('is empty at first, and has what was put, by name', async () => {
      expect(await same()).toEqual([]);
      const worlds = token('b', { right: 'worlds', prefix: 'ci-', expires: 9000, lastUsed: '2026-01-02' });
      expect(await store.put(worlds, limits)).toBe('kept');
      expect(await store.put(token('a'), limits)).toBe('kept');
      expect(await same()).toEqual([token('a'), worlds]);
    });

    it('keeps a name once, until it is removed', async () => {
      await store.put(token('a'), limits);
      expect(await store.put(token('a', { right: 'everything' }), limits)).toBe('taken');
      expect(await same()).toEqual([token('a')]);
      expect([await store.remove('a'), await store.remove('a'), await store.remove('b')]).toEqual([true, false, false]);
      expect(await same()).toEqual([]);
      expect(await store.put(token('a'), limits)).toBe('kept');
    });

    it('of several that put one name at once, keeps one', async () => {
      const stores = [store, (await again?.()) ?? store];
      const rights = ['read', 'everything'] as const;
      const tokens = rights.map((right) => token('a', { right }));
      // A store of a file belongs to one process.
      const used = again === undefined || name.includes('file') ? [store, store] : stores;
      const results = await Promise.all(tokens.map((each, index) => (used[index] ?? store).put(each, limits)));
      expect(results.toSorted()).toEqual(['kept', 'taken']);
      expect((await store.load())[0]?.right).toBe(rights[results.indexOf('kept')]);
    });

    it('is full with the most, and forgets the expired', async () => {
      await store.put(token('old', { expires: 4999 }), { now: 0, most: 3 });
      for (const each of ['a', 'b', 'c']) expect(await store.put(token(each), limits)).toBe('kept');
      expect((await same()).map((each) => each.name)).toEqual(['a', 'b', 'c']);
      expect(await store.put(token('d'), limits)).toBe('full');
      expect(await store.put(token('a'), limits)).toBe('taken');
    });

    it('gives the name of an expired token free', async () => {
      await store.put(token('a', { expires: 5000 }), { now: 0, most: 3 });
      expect(await store.put(token('a'), { now: 4999, most: 3 })).toBe('taken');
      expect(await store.put(token('a'), limits)).toBe('kept');
      expect(await same()).toEqual([token('a')]);
    });

    it('notes the day of the last use, and brings no removed token back', async () => {
      await store.put(token('a'), limits);
      await store.markUsed('a', '2026-03-01');
      await store.markUsed('b', '2026-03-01');
      expect(await same()).toEqual([token('a', { lastUsed: '2026-03-01' })]);
      await Promise.all([store.remove('a'), store.markUsed('a', '2026-03-02')]);
      expect(await same()).toEqual([]);
    });
  });
};
