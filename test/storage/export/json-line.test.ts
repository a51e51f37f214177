/** Where a member of a JSON text stands, and where a text that is none first breaks. */
import { describe, expect, it } from '@jest/globals';
import { jsonLine } from '../../../src/storage/export/json-line.ts';

describe('jsonLine', () => {
  const text = '{\n  "a": 1,\n  "b": [\n    { "c": null },\n    { "d":\n      "x" }\n  ]\n}\n';
  it.each<[(string | number)[], number]>([
    [[], 1],
    [['a'], 2],
    [['b'], 3],
    [['b', 0], 4],
    [['b', 1, 'd'], 5],
    [['b', 7], 3],
    [['unknown'], 1],
  ])('finds the line of %j', (steps, line) => {
    expect(jsonLine(text, steps)).toBe(line);
  });
  it.each<[string, number]>([
    ['{\n"a" 1}', 2],
    ['{\n"a": 1,\n}', 3],
    ['[1,\n2\n', 3],
    ['{"a": "no\nend"}', 1],
    ['{}\n\n{}', 3],
    [`${'['.repeat(5000)}\n`, 1],
    ['', 1],
  ])('finds the first fault of %j', (faulty, line) => {
    expect(jsonLine(faulty, [])).toBe(line);
  });
});
