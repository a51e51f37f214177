/**
 * No world shows the changes of another while many clients write at random into many worlds, over real sockets. `npm test` does it
 * in short, `node scripts/jest.mjs --suite worlds` with 200 worlds of 1,000 nodes.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import { inParallel } from '../../../src/basics/semaphore.ts';
import { basic } from '../../support/requests.ts';
import { newNode, testWorlds } from './separate-worlds.ts';

const isLong = process.env['SUITE'] === 'worlds';
const size = isLong ? { worlds: 200, nodes: 1000, ops: 50 } : { worlds: 20, nodes: 100, ops: 10 };
const parallel = 32;

const authorization = basic('admin').headers['Authorization'] ?? '';
const starterNodes = 30;

describe('many worlds', () => {
  let atoll: Atoll;
  beforeAll(async () => {
    atoll = await startAtoll({ checkReplies: 'off' });
    const added = Array.from({ length: size.nodes - starterNodes }, (_, at) => starterNodes + at + 1);
    await inParallel(added, 16, async (number) => {
      const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
      const body = newNode(`Node ${number}`);
      const made = await fetch(`${atoll.url}/node?_format=json`, { method: 'POST', headers, body });
      await made.arrayBuffer();
      expect(made.status).toBe(201);
    });
    await atoll.snapshots.save('filled');
  });
  afterAll(() => atoll.close());

  it('are each as they were left alone', async () => {
    const worlds: string[] = [];
    while (worlds.length < size.worlds) worlds.push((await atoll.world({ from: 'filled' })).url);
    const outcome = await testWorlds({ worlds, parallel, ops: size.ops, seed: 'atoll', authorization, fetch });
    expect(outcome.violations).toEqual([]);
    expect(outcome.writes).toBe(size.worlds * size.ops);
    // A write makes or deletes one node at most.
    expect(Math.abs(outcome.nodes - size.worlds * size.nodes)).toBeLessThanOrEqual(outcome.writes);
  });
});

describe('two worlds', () => {
  let atoll: Atoll;
  beforeAll(async () => {
    atoll = await startAtoll({ port: false });
    for (const name of ['a', 'b']) await atoll.world(name);
  });
  afterAll(() => atoll.close());

  const outcomeOf = (worlds: readonly string[]) =>
    testWorlds({
      ...{ worlds, parallel: 4, ops: 10, seed: 'x', authorization },
      fetch: (input, init) => atoll.fetch(input, init),
    });

  it('differ, and one by two addresses is found out', async () => {
    const apart = await outcomeOf([`${atoll.url}/~a`, `${atoll.url}/~b`]);
    expect([apart.writes, apart.violations]).toEqual([20, []]);
    const same = await outcomeOf([`${atoll.url}/~a`, atoll.url.replace('//', '//a.')]);
    expect(same.violations.length).toBeGreaterThan(5);
  });
});
