/** The port for what processes observe: what every implementation of it does. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { NewObservations, ObservationStore } from '../../../src/team/observations/observation-store.ts';
import type { SharedObservations } from './observation-store.ts';

/** `open` is called once. */
export const describeObservationStore = (name: string, open: () => Promise<SharedObservations>): void => {
  describe(`What processes observe, ${name}`, () => {
    let shared: SharedObservations;
    let one: ObservationStore;
    let other: ObservationStore;
    beforeAll(async () => {
      shared = await open();
      [one, other] = [shared.store(), shared.store()];
    });

    const observed = (world: number, entries: readonly string[], more: Partial<NewObservations> = {}) => ({
      ...{ world, entries, skipped: 0, lost: 0, coverage: undefined, ...more },
    });
    const idsAndTexts = async (store: ObservationStore, world: number, since = 0, most = 100) =>
      (await store.readTraffic(world, since, most)).entries.map(({ id, text }) => [id, text]);
    const partsOf = async (world?: number): Promise<string[]> =>
      (await one.readCoverage(world)).map(({ text }) => text).sort();
    /** Joins the parts, so that a test sees what was given to it. */
    const joined = (texts: readonly string[]): string => `(${[...texts].sort().join('+')})`;

    it('knows its processes by different names', () => {
      expect(one.process).not.toBe(other.process);
    });

    it('gives ids from 1 in each world, in the order of writing, to all processes', async () => {
      const [first, second] = [await shared.makeWorld(), await shared.makeWorld()];
      expect(await one.readTraffic(first, 0, 10)).toEqual({ last: 0, cleared: 0, lost: 0, entries: [] });
      expect(await one.write([observed(first, ['a', 'b']), observed(second, ['x'])])).toBe(true);
      expect(await other.write([observed(second, ['y']), observed(first, ['c'])])).toBe(true);
      for (const store of [one, other]) {
        expect(await idsAndTexts(store, first)).toEqual([
          [1, 'a'],
          [2, 'b'],
          [3, 'c'],
        ]);
        expect(await idsAndTexts(store, second)).toEqual([
          [1, 'x'],
          [2, 'y'],
        ]);
      }
    });

    it('reads what came after an id, and of too many the newest', async () => {
      const world = await shared.makeWorld();
      await one.write([observed(world, ['a', 'b', 'c', 'd'])]);
      expect(await idsAndTexts(other, world, 2)).toEqual([
        [3, 'c'],
        [4, 'd'],
      ]);
      expect(await idsAndTexts(other, world, 0, 1)).toEqual([[4, 'd']]);
      expect(await other.readTraffic(world, 4, 10)).toEqual({ last: 4, cleared: 0, lost: 0, entries: [] });
    });

    it('keeps any text as it is', async () => {
      const world = await shared.makeWorld();
      const texts = ['{"a":"\\u0000 \\"quoted\\" back\\\\slash, {braces} NULL ä \u{1f4da}"}', '', 'NULL', '{}'];
      await one.write([observed(world, texts, { coverage: texts[0] })]);
      expect((await other.readTraffic(world, 0, 10)).entries.map(({ text }) => text)).toEqual(texts);
      expect(await partsOf(world)).toEqual([texts[0]]);
    });

    it('counts what was skipped and what was lost', async () => {
      const world = await shared.makeWorld();
      await one.write([observed(world, ['late'], { skipped: 5, lost: 2 })]);
      await other.write([observed(world, [], { lost: 3 })]);
      expect(await one.readTraffic(world, 0, 10)).toEqual({
        ...{ last: 6, cleared: 0, lost: 5 },
        entries: [{ id: 6, text: 'late' }],
      });
    });

    it('forgets the requests of a world, whose ids go on', async () => {
      const [world, untouched] = [await shared.makeWorld(), await shared.makeWorld()];
      await one.write([observed(world, ['a', 'b'], { lost: 1 }), observed(untouched, ['x'])]);
      await other.clearTraffic(world);
      await one.write([observed(world, ['c'])]);
      expect(await one.readTraffic(world, 0, 10)).toEqual({
        ...{ last: 3, cleared: 2, lost: 0 },
        entries: [{ id: 3, text: 'c' }],
      });
      expect(await idsAndTexts(one, untouched)).toEqual([[1, 'x']]);
    });

    it('keeps the newest requests of some worlds', async () => {
      const [world, untouched] = [await shared.makeWorld(), await shared.makeWorld()];
      await one.write([observed(world, ['a']), observed(untouched, ['x', 'y', 'z'])]);
      for (const text of ['b', 'c']) await one.write([observed(world, [text])]);
      await other.keepNewest([world], 2);
      expect((await idsAndTexts(one, world)).map(([, text]) => text)).toEqual(['b', 'c']);
      expect((await idsAndTexts(one, untouched)).map(([, text]) => text)).toEqual(['x', 'y', 'z']);
    });

    it('loses no id and no entry when all write at once', async () => {
      const worlds = [await shared.makeWorld(), await shared.makeWorld()];
      const stores = [one, other, shared.store()];
      await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          (stores[at % 3] ?? one).write(
            worlds.toSorted(() => (at % 2) - 0.5).map((world) => observed(world, [`${at}a`, `${at}b`])),
          ),
        ),
      );
      for (const world of worlds) {
        const entries = await idsAndTexts(one, world);
        expect(entries.map(([id]) => id)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
        // What was written together stands together.
        for (let at = 0; at < 60; at += 2)
          expect(entries[at + 1]?.[1]).toBe(String(entries[at]?.[1]).replace('a', 'b'));
      }
    });

    it('keeps parts of the coverage, and says how often it was cleared', async () => {
      const [world, untouched] = [await shared.makeWorld(), await shared.makeWorld()];
      await one.write([observed(world, [], { coverage: 'a' }), observed(untouched, [], { coverage: 'x' })]);
      await other.write([observed(world, [], { coverage: 'b' })]);
      expect([await partsOf(world), await partsOf(untouched)]).toEqual([['a', 'b'], ['x']]);
      const before = (await one.readClears([world])).get(world) ?? 0;
      await other.clearCoverage(world);
      expect([await partsOf(world), await partsOf(untouched)]).toEqual([[], ['x']]);
      expect((await one.readClears([world])).get(world)).toBe(before + 1);
      expect((await one.readClears([untouched])).get(untouched)).toBe(0);
    });

    it('replaces the parts of a world by their sum', async () => {
      const [world, untouched] = [await shared.makeWorld(), await shared.makeWorld()];
      await one.write([observed(world, [], { coverage: 'a' }), observed(untouched, [], { coverage: 'x' })]);
      await other.write([observed(world, [], { coverage: 'b' })]);
      await one.sumCoverage(world, joined);
      expect(await partsOf(world)).toEqual([expect.stringMatching(/^\(+a\+b\)+$/)]);
      expect(await partsOf(untouched)).toEqual(['x']);
    });

    it('drops the requests of a world that is gone, and keeps its coverage in one sum', async () => {
      await one.clearCoverage();
      const [world, staying] = [await shared.makeWorld(), await shared.makeWorld()];
      await one.write([observed(world, ['a'], { coverage: 'gone' }), observed(staying, ['b'], { coverage: 'stays' })]);
      await shared.dropWorld(world);
      // Another process does not know yet.
      await other.write([observed(world, ['late'], { coverage: 'late' }), observed(staying, ['c'])]);
      expect(await idsAndTexts(one, world)).toEqual([]);
      expect((await idsAndTexts(one, staying)).map(([, text]) => text)).toEqual(['b', 'c']);
      expect((await one.readCoverage(world)).map(({ isGone }) => isGone)).toEqual([true, true]);
      expect((await one.readCoverage(staying)).map(({ isGone }) => isGone)).toEqual([false]);
      await one.sumGoneWorlds(joined);
      expect(await partsOf()).toEqual([expect.stringMatching(/^\(+gone\+late\)+$/), 'stays']);
      const second = await shared.makeWorld();
      await one.write([observed(second, [], { coverage: 'second' })]);
      await shared.dropWorld(second);
      await other.sumGoneWorlds(joined);
      expect(await partsOf()).toEqual([expect.stringMatching(/gone\+late\)+\+\(second\)\)$/), 'stays']);
    });
  });
};
