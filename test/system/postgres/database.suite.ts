/** A database that crashes and comes back, and one whose network lets nothing pass for a while. */
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { until } from '../../support/until.ts';
import { createNode, pause } from './support/ask.ts';
import { countHistory, longOrShort } from './support/counts.ts';
import { startDatabaseProxy, type DatabaseProxy } from './support/database-proxy.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { killAll } from './support/processes.ts';
import {
  healthCodes,
  openStand,
  patienceMs,
  refusalOf,
  whenAcknowledged,
  whenHealthy,
  whenServing,
  type Stand,
} from './support/stand.ts';

let stand: Stand | undefined;
let proxy: DatabaseProxy | undefined;
afterEach(async () => {
  await stand?.close();
  await proxy?.close();
});
afterAll(killAll);

it('loses no acknowledged write when PostgreSQL crashes, and serves again by itself', async () => {
  stand = await openStand({ processes: [{}, {}, {}] });
  const { team, postgres } = stand;
  const before = team.processes.map(({ pid }) => pid);
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
  const rounds = longOrShort(8, 2);
  for (let round = 0; round < rounds; round += 1) {
    await whenAcknowledged(history, 150);
    await postgres.stop('immediate');
    for (const process of team.processes) {
      const { status, headers, bytes } = await refusalOf(process);
      expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
      expect(JSON.parse(bytes.toString())).toEqual({ message: expect.any(String) });
      expect(bytes.toString()).not.toContain('secret-of-the-test');
      expect(await healthCodes(process)).toContain('unreachable');
    }
    await postgres.start();
    await Promise.all(team.processes.map(whenServing));
    for (const each of team.processes) await whenHealthy(each);
  }
  await whenAcknowledged(history, 100);
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  await countHistory('pg_ctl stop -m immediate, and start', rounds, history, violations);
  expect([violations, history.refusals]).toEqual([[], []]);
  expect(team.processes.map((each) => (each.isRunning() ? each.pid : 'ended'))).toEqual(before);
  expect(team.processes.map((each) => each.log()).join('\n')).not.toContain('secret-of-the-test');
});

it('does not go on with old records in a process that is cut off, and does not stop the others', async () => {
  stand = await openStand({
    processes: [{}, {}, {}],
    storeOf: async (store, index) => (index > 0 ? store : (proxy = await startDatabaseProxy(store)).url),
  });
  const { team } = stand;
  const [alone, other] = team.processes;
  if (alone === undefined || other === undefined || proxy === undefined) throw new Error('Not started.');
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
  const rounds = longOrShort(2, 1);
  for (let round = 0; round < rounds; round += 1) {
    await whenAcknowledged(history, 150);
    proxy.hold();
    await pause(longOrShort(30_000, 5000));
    expect((await refusalOf(alone)).status).toBe(503);
    await until(async () => (await createNode(other.url, { title: 'meanwhile' })).status === 201, 'others', patienceMs);
    await whenAcknowledged(history, 50);
    proxy.release();
    await Promise.all(team.processes.map(whenServing));
    await whenAcknowledged(history, 50);
  }
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  const note = `${longOrShort(30, 5)} s, by a proxy in front of one of three processes`;
  await countHistory('no packet passes: one process', rounds, history, violations, note);
  expect([violations, history.refusals]).toEqual([[], []]);
});
