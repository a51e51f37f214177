/** The checker of histories: what it accepts, the violations that it finds, and that it agrees with trying every order. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findViolation, type Action, type Operation, type RecordState } from './linearizability.ts';

const create = (title: string): Action => ({ kind: 'create', fields: { title } });
const change = (title: string): Action => ({ kind: 'change', fields: { title } });
const see = (title?: string): Action => ({ kind: 'read', seen: title === undefined ? undefined : { title } });
const put = (title: string): Action => ({ kind: 'put', fields: { title } });
const remove: Action = { kind: 'delete' };

/** From `called` to `answered`; an operation with one number only has no answer. */
const op = (action: Action, called: number, answered?: number): Operation => ({
  ...{ action, called, client: `client ${called}` },
  ...(answered === undefined ? {} : { answered }),
});

describe('A history of one record', () => {
  const accepted: Record<string, Operation[]> = {
    'one after another': [
      op(create('a'), 1, 2),
      op(change('b'), 3, 4),
      op(see('b'), 5, 6),
      op(remove, 7, 8),
      op(see(), 9, 10),
    ],
    'a read beside a write sees the old': [op(create('a'), 1, 2), op(change('b'), 3, 6), op(see('a'), 4, 5)],
    'a read beside a write sees the new': [op(create('a'), 1, 2), op(change('b'), 3, 6), op(see('b'), 4, 5)],
    'two writes at once in the order that a read shows': [
      ...[op(create('a'), 1, 2), op(change('b'), 3, 6), op(change('c'), 4, 5), op(see('b'), 7, 8)],
    ],
    'a write without an answer that happened late': [
      ...[op(create('a'), 1, 2), op(change('b'), 3), op(see('a'), 4, 5), op(see('b'), 6, 7)],
    ],
    'a write without an answer that never happened': [op(create('a'), 1, 2), op(change('b'), 3), op(see('a'), 4, 5)],
  };
  it.each(Object.entries(accepted))('is accepted: %s', (_, history) => {
    expect(findViolation(history)).toBeUndefined();
  });

  const refused: Record<string, readonly [Operation[], number]> = {
    'a stale read': [[op(create('a'), 1, 2), op(change('b'), 3, 4), op(see('a'), 5, 6)], 2],
    'a lost acknowledged record': [[op(create('a'), 1, 2), op(see(), 3, 4)], 1],
    'a record that came back': [[op(create('a'), 1, 2), op(remove, 3, 4), op(see('a'), 5, 6)], 2],
    'an id that was given twice': [[op(create('a'), 1, 2), op(create('b'), 3, 4)], 1],
    'a change of a removed record': [[op(create('a'), 1, 2), op(remove, 3, 4), op(change('b'), 5, 6)], 2],
    'a value that nobody wrote': [[op(create('a'), 1, 2), op(see('z'), 3, 4)], 1],
    'reads that go back in time': [
      [op(create('a'), 1, 2), op(change('b'), 3, 10), op(see('b'), 4, 5), op(see('a'), 6, 7)],
      3,
    ],
    'an open write that happened, and was undone': [
      [op(create('a'), 1, 2), op(change('b'), 3), op(see('b'), 4, 5), op(see('a'), 6, 7)],
      3,
    ],
    'a lost update of another field': [
      [
        op({ kind: 'create', fields: { title: 'a', text: 'a' } }, 1, 2),
        op({ kind: 'change', fields: { title: 'b' } }, 3, 5),
        op({ kind: 'change', fields: { text: 'b' } }, 4, 6),
        op({ kind: 'read', seen: { title: 'a', text: 'b' } }, 7, 8),
      ],
      3,
    ],
  };
  it.each(Object.entries(refused))('is refused: %s', (_, [history, at]) => {
    expect(findViolation(history)?.operation).toBe(history[at]);
    expect(findViolation(history.slice(0, -1))).toBeUndefined();
  });

  it('is judged as by trying every order of its operations', () => {
    const action = fc.constantFrom(create('a'), change('a'), change('b'), put('b'), remove, see('a'), see('b'), see());
    const drawn = fc.array(fc.tuple(action, fc.nat(7), fc.integer({ min: 1, max: 6 }), fc.nat(5)), { maxLength: 5 });
    let [good, bad] = [0, 0];
    fc.assert(
      fc.property(drawn, (rows) => {
        const history = rows.map(([each, from, length, open], index) =>
          op(each, from + index / 100, open === 0 ? undefined : from + length + index / 100 + 0.005),
        );
        const isGood = hasOrder(history, undefined);
        if (isGood) good += 1;
        else bad += 1;
        expect(findViolation(history) === undefined).toBe(isGood);
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(good, bad)).toBeGreaterThan(100);
  });
});

/** By trying everything: an operation may be next when no other one that is left was answered before its call. */
const hasOrder = (left: readonly Operation[], state: RecordState): boolean => {
  if (left.every(({ answered }) => answered === undefined)) return true;
  return left.some((next) => {
    const others = left.filter((each) => each !== next);
    if (others.some(({ answered }) => answered !== undefined && answered < next.called)) return false;
    const after = outcome(state, next.action);
    return after !== 'impossible' && hasOrder(others, after);
  });
};

const outcome = (state: RecordState, action: Action): RecordState | 'impossible' => {
  switch (action.kind) {
    case 'create':
      return state === undefined ? action.fields : 'impossible';
    case 'change':
      return state === undefined ? 'impossible' : { ...state, ...action.fields };
    case 'put':
      return action.fields;
    case 'delete':
      return state === undefined ? 'impossible' : undefined;
    case 'read':
      return state?.['title'] === action.seen?.['title'] ? state : 'impossible';
  }
};
