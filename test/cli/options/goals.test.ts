/** Goals of coverage, as words of a command line. */
import { describe, expect, it } from '@jest/globals';
import { readGoals } from '../../../src/cli/options/coverage-options.ts';

describe('Goals on a command line', () => {
  it('are read, several at a time and one after the other', () => {
    expect(readGoals('operations=100, statuses=80.5')).toEqual({ operations: 100, statuses: 80.5 });
    expect(readGoals('media-types=1', { operations: 100 })).toEqual({ operations: 100, 'media-types': 1 });
  });

  it.each(['operation=1', 'operations', 'operations=101', 'operations=-1', 'operations=x', ''])(
    '"%s" is refused',
    (text) => {
      expect(() => readGoals(text)).toThrow();
    },
  );
});
