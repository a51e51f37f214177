/** What the pages of collections make of records: columns, cells, what somebody has written, and what differs. */
import { describe, expect, it } from '@jest/globals';
import { destinationsOf, helpOf, placeOf } from '../../console/src/app/navigation.ts';
import { cellText, columnsOf, jsonText, readJson } from '../../console/src/collections/record-values.ts';
import { memberDifferences } from '../../console/src/worlds/member-differences.ts';

describe('The columns', () => {
  it.each([
    [
      'the first four members of all records, in the order in which they come',
      [
        { a: 1, b: 2 },
        { c: 3, d: 4, e: 5 },
      ],
      null,
      ['a', 'b', 'c', 'd'],
    ],
    ['not that of the id', [{ id: 7, title: 'Emma' }], 'id', ['title']],
    ['none where no record is an object', ['text', 7, null, [1]], null, []],
  ] as const)('are %s', (_name, values, idMember, columns) => {
    expect(columnsOf(values, idMember)).toEqual(columns);
  });
});

describe('A cell', () => {
  it.each([
    [{ title: 'Emma' }, 'title', 'Emma'],
    [{ title: { en: 'Emma' } }, 'title', '{"en":"Emma"}'],
    [{ title: false }, 'title', 'false'],
    [{ title: null }, 'title', 'null'],
    [{}, 'title', ''],
    [{}, 'constructor', ''],
    ['a text', 'title', ''],
    ['a text', undefined, 'a text'],
    [[1, 2], undefined, '[1,2]'],
    [{ title: 'x'.repeat(81) }, 'title', `${'x'.repeat(80)} …`],
  ])('of %j, column %s, is %j', (value, column, text) => {
    expect(cellText(value, column)).toBe(text);
  });
});

describe('What somebody has written', () => {
  it.each([{ id: 1, tags: ['a'] }, 'text', 0, null, [], { __proto__: 1 }])('is read as it was shown: %j', (value) => {
    expect(readJson(jsonText(value))).toEqual({ value });
  });

  it.each(['{"id": 1', 'nothing', '{id: 1}'])('is refused where it is no JSON: %s', (text) => {
    expect(readJson(text).fault).toMatch(/^This is not JSON: ./);
  });

  it('is refused where it is empty', () => {
    expect(readJson(' \n').fault).toBe('Write a JSON value, such as {}.');
  });
});

describe('What differs in a record', () => {
  const difference = (before: unknown, after: unknown) =>
    memberDifferences({ name: 'value', before: [{ value: before }], after: [{ value: after }] });

  it('is a row for each member that differs', () => {
    expect(difference({ id: 1, title: 'A', old: true }, { id: 1, title: 'B', created: 7 })).toEqual([
      { name: '/title', label: 'title', before: [{ value: 'A' }], after: [{ value: 'B' }] },
      { name: '/created', label: 'created', before: [], after: [{ value: 7 }] },
      { name: '/old', label: 'old', before: [{ value: true }], after: [] },
    ]);
  });

  it.each([
    ['a', 'b'],
    [[1], [2]],
    [{ id: 1 }, 'text'],
  ])('is the whole value where one is no object: %j, %j', (before, after) => {
    expect(difference(before, after)).toEqual([
      { name: 'value', before: [{ value: before }], after: [{ value: after }] },
    ]);
  });
});

describe('The navigation', () => {
  const labels = (hasRepository: boolean, collections: number): string[] =>
    destinationsOf({ hasRepository, collections }).map(({ label }) => label);

  it('has collections where there are some, in the place of the repository where there is none', () => {
    expect(labels(true, 0).slice(0, 3)).toEqual(['Overview', 'Repository', 'Traffic']);
    expect(labels(true, 2).slice(0, 4)).toEqual(['Overview', 'Repository', 'Collections', 'Traffic']);
    expect(labels(false, 2).slice(0, 3)).toEqual(['Overview', 'Collections', 'Traffic']);
    expect(labels(false, 0).slice(0, 2)).toEqual(['Overview', 'Traffic']);
    expect(new Set(destinationsOf({ hasRepository: true, collections: 1 }).map(({ key }) => key)).size).toBe(8);
  });

  it('marks them on the pages of their records', () => {
    expect(placeOf('/collections/record')).toBe('/collections');
    expect(placeOf('/collections')).toBeUndefined();
    expect(helpOf('/collections/record')).toBe('console.html#collections');
  });
});
