/** The local copy of a world's shared state, and which of its changes are written. */
import { describe, expect, it } from '@jest/globals';
import type { StateTally } from '../../../src/openapi/openapi-host.ts';
import { createStoredState } from '../../../src/team/postgres/stored-state.ts';
import { createFollowingState } from '../state/following.ts';
import { createSharingProcesses } from './sharing-processes.ts';
import { describeWorldState } from '../../storage/world-state.suite.ts';

describe('the changes that a process has to write', () => {
  it('are the last ones of each key, once', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 10);
    map.set('a', 1);
    map.set('b', 1);
    map.set('a', 2);
    expect([state.hasChanges(), state.take()]).toEqual([
      true,
      [
        ['topic', 'b', '1'],
        ['topic', 'a', '2'],
      ],
    ]);
    // They may come back until they are written, so nobody may take them for shared.
    expect(state.hasChanges()).toBe(true);
    state.written();
    expect([state.hasChanges(), state.take()]).toEqual([false, []]);
  });

  it('leave out a key that was set and deleted, and no key that the database may have', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 10);
    map.set('a', 1);
    map.delete('a');
    expect(state.take()).toEqual([]);
    map.set('a', 1);
    state.take();
    map.set('a', 2);
    map.delete('a');
    expect(state.take()).toEqual([['topic', 'a', null]]);
    map.set('a', 3);
    // Another process has written the same key.
    state.apply([['topic', 'a', '4']]);
    expect(map.get('a')).toBe(3);
    map.delete('a');
    expect(state.take()).toEqual([['topic', 'a', null]]);
    map.set('a', 5);
    const taken = state.take();
    state.restore(taken);
    map.delete('a');
    expect(state.take()).toEqual([['topic', 'a', null]]);
  });

  it('that could not be written come back, but for those with a newer value', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 10);
    map.set('a', 1);
    map.set('b', 1);
    const taken = state.take();
    map.set('b', 2);
    state.restore(taken);
    expect(new Map(state.take().map(([, key, text]) => [key, text]))).toEqual(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
  });

  it('name what a full map has dropped', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 2);
    for (const key of ['a', 'b']) map.set(key, 1);
    state.take();
    map.get('a');
    map.set('c', 1);
    expect(state.take()).toEqual([
      ['topic', 'b', null],
      ['topic', 'c', '1'],
    ]);
  });
});

describe('the state of a world', () => {
  it('that is loaded anew keeps what was not written, and nothing else', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 10);
    state.apply([['topic', 'gone', '1']]);
    map.set('own', 2);
    state.load([
      ['topic', 'other', '3'],
      ['topic', 'own', '4'],
      ['later', 'key', '5'],
    ]);
    expect([...map.entries()].sort()).toEqual([
      ['other', 3],
      ['own', 2],
    ]);
    expect(state.shared.map('later', 10).get('key')).toBe(5);
  });

  it('takes keys of any length and with any character', () => {
    const state = createStoredState('p1');
    const map = state.shared.map<number>('topic', 10);
    for (const key of ['x'.repeat(10_000), 'a\0b']) {
      map.set(key, 1);
      expect(map.get(key)).toBe(1);
      const written = state.take()[0]?.[1] ?? '';
      expect([written.length > 0, written.length < 600, written.includes('\0')]).toEqual([true, true, false]);
      map.delete(key);
      expect(map.get(key)).toBeUndefined();
      state.take();
    }
  });
});

describeWorldState('in a database', () => createStoredState('p1').shared);
describeWorldState('that is followed', () => {
  const { shared } = createStoredState('p1');
  return createFollowingState(() => shared);
});

/** The part that this process would change. */
const partOf = (tally: StateTally<number>, key: string): number | undefined => {
  let own: number | undefined;
  tally.change(key, (part) => (own = part));
  return own;
};

describe('values that several processes add to', () => {
  it('are read together, and each process writes and takes back its own', () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const [first, second] = [states[0].tally<number>('topic', 100), states[1].tally<number>('topic', 100)];
    first.change('key', () => 1);
    second.change('key', () => 2);
    first.change('other key', () => 3);
    exchange();
    expect([first.all('key').toSorted(), second.all('key').toSorted(), second.all('other key')]).toEqual([
      [1, 2],
      [1, 2],
      [3],
    ]);
    expect([partOf(first, 'key'), partOf(second, 'key'), partOf(second, 'other key')]).toEqual([1, 2, undefined]);
    expect([[...second.values()].sort(), second.size]).toEqual([[1, 2, 3], 3]);
    second.change('key', () => undefined);
    second.deleteBelow('other');
    exchange();
    expect([first.all('key'), first.all('other key')]).toEqual([[1], []]);
    second.delete('key');
    exchange();
    expect([first.all('key'), first.size]).toEqual([[], 0]);
    first.change('key', () => 4);
    // Cleared at the moment at which the other one counts: what it counts is not lost.
    second.clear();
    exchange();
    expect(second.all('key')).toEqual([4]);
    second.clear();
    exchange();
    expect([first.all('key'), first.size]).toEqual([[], 0]);
  });

  it('stand in the database under the names of the processes, as every version has written them', () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const [first, second] = [states[0].tally<number>('topic', 100), states[1].tally<number>('topic', 100)];
    first.change('key', () => 1);
    second.change('', () => 2);
    expect(exchange()).toEqual([
      ['topic-processes', 'p1', 'true'],
      ['topic', 'p1 key', '1'],
      ['topic', 'p2', '2'],
    ]);
    expect([first.all(''), second.all('key')]).toEqual([[2], [1]]);
  });
});
