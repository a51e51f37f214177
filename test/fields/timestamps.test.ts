/** Times on the wire and inside. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from '../../src/repository/fields/types/timestamp.ts';

describe('a time that is sent', () => {
  it.each([
    [1_551_469_374, 1_551_469_374],
    ['1551469374', 1_551_469_374],
    ['-1', -1],
    [0, 0],
    ['2019-03-01T19:42:54+00:00', 1_551_469_374],
    ['2019-03-01T19:42:54Z', 1_551_469_374],
    ['2019-03-01T20:42:54+0100', 1_551_469_374],
    ['2019-03-01T14:12:54-05:30', 1_551_469_374],
    ['+1551469374', 1_551_469_374],
    ['2019-3-1T19:42:54z', 1_551_469_374],
    ['2019-03-01T9:42:54 -10', 1_551_469_374],
    ['2019-03-01T20:42:54+1', 1_551_469_374],
    ['2019-03-01T21:12:54+130', 1_551_469_374],
    ['0001-01-01T00:00:00Z', -62_135_596_800],
    ['9999-12-31T23:59:59Z', 253_402_300_799],
  ])('%p is read as %p seconds', (sent, seconds) => {
    expect(parseTimestamp(sent)).toBe(seconds);
  });

  it.each([
    'yesterday',
    '',
    ' ',
    '2019-03-01',
    '2019-03-01T19:42:54',
    '2019-03-01 19:42:54+00:00',
    '2019-02-31T00:00:00Z',
    '2019-13-01T00:00:00Z',
    '2019-03-01T24:00:00Z',
    '2019-03-01T19:42:54.5Z',
    '2019-03-01T19:42:54+24:00',
    '2019-03-01T19:4:54Z',
    '2019-03-01T19:42:54EST',
    '19-03-01T19:42:54Z',
    '++5',
    '0000-12-31T23:59:59Z',
    '1e9',
    '1551469374 ',
    1.5,
    Number.NaN,
    253_402_300_800,
    true,
    null,
    undefined,
    [],
    {},
  ])('%p is no time', (sent) => {
    expect(parseTimestamp(sent)).toBeUndefined();
  });

  it('is shown in UTC and read back as the same second, whatever the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const shown = formatTimestamp(seconds);
        expect(shown).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
        expect(parseTimestamp(shown)).toBe(seconds);
      }),
    );
  });
});
