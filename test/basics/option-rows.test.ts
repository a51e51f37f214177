/** Rows of options: what a program may give, what follows when something is left out, and which options do not go together. */
import { describe, expect, it } from '@jest/globals';
import {
  choice,
  flag,
  list,
  path,
  repeated,
  seconds,
  text,
  wholeNumber,
} from '../../src/basics/options/option-kinds.ts';
import { checkedOptions, option, settledOptions } from '../../src/basics/options/option-rows.ts';

const rows = {
  level: option(choice('<level>', ['low', 'high']), { holds: ['both', 'page'], default: 'low', sentence: 'a level' }),
  count: option(wholeNumber('A count', { least: 1, most: 9 }), {
    holds: ['both'],
    defaults: { both: 3 },
    sentence: 'a count',
  }),
  names: option(list('<names>'), { holds: ['both'], sentence: 'names', excludes: { folder: 'names all' } }),
  folder: option(path('<dir>'), { holds: ['both'], sentence: 'a folder' }),
  depth: option(text('<text>'), { holds: ['both'], sentence: 'how deep', needs: { option: 'folder' } }),
  width: option(text('<text>'), {
    holds: ['both', 'page'],
    sentence: 'how wide',
    needs: { option: 'folder', because: 'nothing else is wide' },
  }),
};

describe('The values of a program', () => {
  it('are taken as they are, and those that are left out are the defaults of the host', () => {
    expect(checkedOptions(rows, 'both', { names: ['a'] })).toEqual({ level: 'low', count: 3, names: ['a'] });
    expect(checkedOptions(rows, 'page', { level: 'high' })).toEqual({ level: 'high' });
    expect(settledOptions(rows, 'both', { count: 0 }).count).toBe(0);
  });

  it.each([
    [{ level: 'middle' }, 'level is one of low, high.'],
    [{ count: 10 }, 'count 10: A count is from 1 to 9.'],
    [{ count: '3' }, 'count "3": A count is from 1 to 9.'],
    [{ names: 'a,b' }, 'names "a,b": It is a list of texts.'],
    [{ folder: '' }, 'folder "": It is a path.'],
    [{ names: ['a'], folder: 'x' }, 'names names all, so folder has no use. Leave out one of them.'],
    [{ depth: '2' }, 'depth goes with folder. Add it.'],
    [{ width: '2' }, 'width goes with folder: nothing else is wide.'],
  ])('%j is refused', (values: object, message) => {
    expect(() => checkedOptions(rows, 'both', values)).toThrow(new Error(message));
  });

  it('need no other option where the host does not have it', () => {
    expect(checkedOptions(rows, 'page', { width: '2' }).width).toBe('2');
  });
});

describe('A text', () => {
  it.each([
    [flag, 'true', true],
    [wholeNumber('A count', { least: 1, most: 9 }), '9', 9],
    [seconds(), '2.5', 2.5],
    [list('<names>'), 'a, b', ['a', 'b']],
    [repeated('<name>'), 'a,b', ['a,b']],
  ])('is read as its kind has it', (kind, written, value) => {
    const read = kind.parse(written);
    expect([read, kind.accepts(read)]).toEqual([value, true]);
  });

  it.each([
    [flag, 'yes'],
    [wholeNumber('A count', { least: 1, most: 9 }), '1e0'],
    [wholeNumber('A count', { least: 1, most: 9 }), ''],
    [seconds(), '0'],
    [seconds(), ' '],
    [seconds(), 'Infinity'],
    [choice('<level>', ['low']), 'LOW'],
  ])('does not accept another value', (kind, written) => {
    expect(kind.accepts(kind.parse(written))).toBe(false);
  });
});
