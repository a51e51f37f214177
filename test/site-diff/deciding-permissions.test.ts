/** A comparison of sites says of a permission that it decides something here, just when the table of the contract says so. */
import { expect, it } from '@jest/globals';
import { decidesHere } from '../../src/sites/site-diff/deciding-permissions.ts';
import { allowingTable, heldElsewhere, idleTable, linesOf } from '../contract/permissions/permission-table.ts';

const namesIn = (table: string): readonly string[] => linesOf(table).map(([permission = '']) => permission);

it.each([
  ['those that allow something decide', allowingTable, true],
  ['those that are held elsewhere decide', heldElsewhere, true],
  ['those that allow nothing do not', idleTable, false],
])('%s', (_words, table, decides) => {
  const names = namesIn(table);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => decidesHere(name) !== decides)).toEqual([]);
});
