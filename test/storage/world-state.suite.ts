/** What every state of a world does, wherever it is kept. */
import { describe, expect, it } from '@jest/globals';
import type { WorldState } from '../../src/openapi/openapi-host.ts';

export const describeWorldState = (name: string, open: () => WorldState): void => {
  describe(`a state of a world ${name}`, () => {
    it('has one map for each topic, which drops what was used longest ago when it is full', () => {
      const state = open();
      const map = state.map<number>('topic', 2);
      map.set('a', 1);
      map.set('b', 2);
      state.map<number>('other topic', 2).set('a', 3);
      map.get('a');
      state.map<number>('topic', 2).set('c', 4);
      expect([...map.entries()].sort()).toEqual([
        ['a', 1],
        ['c', 4],
      ]);
      map.delete('a');
      expect([map.get('a'), map.size, state.map<number>('other topic', 2).get('a')]).toEqual([undefined, 1, 3]);
    });

    it('adds up by key, and forgets keys one by one, by their beginning and all', () => {
      const tally = open().tally<number>('topic', 100);
      const count = (key: string): void => tally.change(key, (part = 0) => part + 1);
      for (const key of ['', 'a', 'a', 'b 1', 'b 2', 'c']) count(key);
      expect(['', 'a', 'b 1', 'none'].map((key) => tally.all(key))).toEqual([[1], [2], [1], []]);
      expect([[...tally.values()].sort(), tally.size]).toEqual([[1, 1, 1, 1, 2], 5]);
      tally.deleteBelow('b ');
      tally.delete('c');
      tally.change('a', () => undefined);
      expect([[...tally.values()], tally.all(''), tally.all('b 2')]).toEqual([[1], [1], []]);
      tally.clear();
      expect([tally.size, tally.all('')]).toEqual([0, []]);
    });

    it('gives each name an ending that is always the same', () => {
      const state = open();
      expect(state.uniqueName('f1')).toMatch(/^f1/);
      expect(state.uniqueName('f1')).toBe(state.uniqueName('f1'));
      expect(state.uniqueName('f1')).not.toBe(state.uniqueName('f2'));
    });
  });
};
