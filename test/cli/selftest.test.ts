/** The self-test of worlds finds violations: it is shown two worlds that are the same. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startAtoll, type Atoll } from '../../src/atoll.ts';
import { testWorlds } from '../../src/cli/verify/selftest-worlds.ts';
import { basic } from '../support/requests.ts';

let atoll: Atoll;
beforeAll(async () => {
  atoll = await startAtoll({ port: false });
  for (const name of ['a', 'b']) await atoll.world(name);
});
afterAll(() => atoll.close());

const outcome = (worlds: readonly string[]) =>
  testWorlds({
    ...{ worlds, parallel: 4, ops: 10, seed: 'x', authorization: basic('admin').headers['Authorization'] ?? '' },
    fetch: (input, init) => atoll.fetch(input, init),
  });

it('finds none with two worlds, and many with one world by two addresses', async () => {
  const apart = await outcome([`${atoll.url}/~a`, `${atoll.url}/~b`]);
  expect([apart.writes, apart.violations]).toEqual([20, []]);
  const same = await outcome([`${atoll.url}/~a`, atoll.url.replace('//', '//a.')]);
  expect(same.violations.length).toBeGreaterThan(5);
});
