/** What `.ci/run` takes by turns comes to its turn. */
import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { rowsOfTurn, turnOf, turnOfCommit } from '../../../scripts/turn.mjs';

const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('A turn', () => {
  it('has a part of the rows, and all turns have each row once', () => {
    const parts = [0, 1, 2].map((turn) => rowsOfTurn(rows, turn, 3));
    expect(parts).toEqual([
      ['a', 'd', 'g'],
      ['b', 'e'],
      ['c', 'f'],
    ]);
  });

  it.each([
    ['00000000ffff', 3, 0],
    ['00000004ffff', 3, 1],
    ['ffffffff0000', 4, 3],
  ])('is that of the commit %s among %i: %i', (hash, count, turn) => {
    expect(turnOfCommit(hash, count)).toBe(turn);
  });

  it('is the one that TURN names', () => {
    process.env['TURN'] = '5';
    expect(turnOf(3)).toBe(2);
    delete process.env['TURN'];
    expect([0, 1, 2]).toContain(turnOf(3));
  });

  it('takes all rows where TURN says so, and where the commit has changed what they are about', () => {
    expect(rowsOfTurn(rows, 'all', 3)).toEqual(rows);
    process.env['TURN'] = 'all';
    expect(turnOf(3)).toBe('all');
    process.env['TURN'] = '1';
    expect(turnOf(3, ['.'])).toBe(1);
    delete process.env['TURN'];
    expect([0, 1, 2]).toContain(turnOf(3, ['no/such/folder']));
    const hasParent = spawnSync('git', ['rev-parse', '-q', '--verify', 'HEAD^'], { stdio: 'ignore' }).status === 0;
    expect(turnOf(3, ['.']) === 'all').toBe(hasParent);
  });
});
