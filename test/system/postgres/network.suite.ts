/** A network between Atoll and PostgreSQL that drops packets: all of them, those of one direction, or all for a moment again and again. */
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { pause } from './support/ask.ts';
import { countHistory, longOrShort } from './support/counts.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { createNamespace, type Namespace } from './support/namespace.ts';
import { killAll } from './support/processes.ts';
import {
  healthCodes,
  openStand,
  refusalOf,
  whenAcknowledged,
  whenHealthy,
  whenServing,
  type Stand,
} from './support/stand.ts';

let namespace: Namespace;
let stand: Stand;
beforeEach(async () => {
  namespace = createNamespace();
  stand = await openStand({ postgres: { namespace }, processes: [{}, {}, {}] });
});
afterEach(async () => {
  await stand.close(); // before its network goes
  namespace.remove();
});
afterAll(killAll);

/** Hurts the network so often while 32 clients read and write, and compares what is left with what they were told. */
const hurt = async (fault: string, rounds: number, between: () => Promise<void>): Promise<void> => {
  const { team } = stand;
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
  for (let round = 0; round < rounds; round += 1) {
    await whenAcknowledged(history, longOrShort(150, 60));
    await between();
    await Promise.all(team.processes.map(whenServing));
  }
  await whenAcknowledged(history, longOrShort(150, 60));
  await load.stop();
  for (const each of team.processes) await whenHealthy(each);
  const { violations } = await compare(team.url, history, [load]);
  await countHistory(fault, rounds, history, violations);
  expect([violations, history.refusals]).toEqual([[], []]);
};

it('loses no acknowledged write when the network of the database drops all packets', () =>
  hurt('no packet passes: network namespace', 1, async () => {
    namespace.set('down');
    await pause(longOrShort(30_000, 5000));
    for (const each of stand.team.processes) {
      expect((await refusalOf(each)).status).toBe(503);
      expect(await healthCodes(each)).toContain('unreachable');
    }
    namespace.set('up');
  }));

it('loses and doubles nothing when the answers of the database are lost, so that nobody knows what it did', () =>
  hurt('answers are lost: network namespace', longOrShort(4, 1), async () => {
    namespace.answers('lost');
    await pause(longOrShort(10_000, 3000));
    for (const each of stand.team.processes) expect((await refusalOf(each)).status).toBe(503);
    namespace.answers('pass');
  }));

it('loses nothing on a network that drops all packets for a moment, again and again', () =>
  hurt('the link flaps: network namespace', longOrShort(30, 6), async () => {
    namespace.set('down');
    await pause(100 + Math.random() * 1400);
    namespace.set('up');
    await pause(Math.random() * 500);
  }));
