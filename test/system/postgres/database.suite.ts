/** A database that crashes and comes back, and one whose network lets nothing pass for a while. */
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { until } from '../../support/until.ts';
import { ask, createNode, pause } from './support/ask.ts';
import { count, countHistory, longOrShort } from './support/counts.ts';
import { startDatabaseProxy, type DatabaseProxy } from './support/database-proxy.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { killAll, type AtollProcess } from './support/processes.ts';
import { openStand, patienceMs, whenAcknowledged, whenServing, type Stand } from './support/stand.ts';

let stand: Stand | undefined;
let proxy: DatabaseProxy | undefined;
afterEach(async () => {
  await stand?.close();
  await proxy?.close();
});
afterAll(killAll);

/** Asks until a write is refused because the database is not there, and answers the headers of the refusal. */
const refusalOf = async ({ url }: AtollProcess) => {
  let refused = await createNode(url, { title: 'while it is down', field_rights: '' });
  await until(
    async () => {
      if (refused.status === 503) return true;
      refused = await createNode(url, { title: 'while it is down' });
      return false;
    },
    `${url} refuses`,
    patienceMs,
  );
  return refused;
};

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
      expect((await ask(process.url, 'GET', '/_atoll/health')).status).toBe(200);
    }
    await postgres.start();
    await Promise.all(team.processes.map(whenServing));
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

const ip = (...args: readonly string[]): boolean => spawnSync('ip', args).status === 0;

/** A network namespace with a link of its own to this machine; undefined where that is not permitted. */
const createNamespace = () => {
  const name = `atoll${process.pid}`;
  const net = `10.213.${process.pid % 250}`;
  const [outer, inner] = [`ao${process.pid}`, `ai${process.pid}`];
  const isMade =
    ip('netns', 'add', name) &&
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name) &&
    ip('address', 'add', `${net}.1/24`, 'dev', outer) &&
    ip('link', 'set', outer, 'up') &&
    ip('-n', name, 'address', 'add', `${net}.2/24`, 'dev', inner) &&
    ip('-n', name, 'link', 'set', inner, 'up') &&
    ip('-n', name, 'link', 'set', 'lo', 'up');
  const remove = (): void => {
    ip('link', 'delete', outer);
    ip('netns', 'delete', name);
  };
  if (!isMade) {
    remove();
    return undefined;
  }
  const set = (state: 'up' | 'down'): void => {
    if (!ip('-n', name, 'link', 'set', inner, state)) throw new Error(`The link cannot be set ${state}.`);
  };
  return { name, address: `${net}.2`, set, remove };
};

it('loses no acknowledged write when the network of the database drops all packets', async () => {
  const fault = 'no packet passes: network namespace';
  const namespace = createNamespace();
  if (namespace === undefined) {
    const none = { rounds: 0, acknowledged: 0, unknown: 0, reads: 0, violations: 0 };
    await count({ fault, ...none, note: 'not permitted here; the proxy did it' });
    return;
  }
  try {
    stand = await openStand({ postgres: { namespace }, processes: [{}, {}, {}] });
    const { team } = stand;
    const history = createHistory();
    const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
    await whenAcknowledged(history, 150);
    namespace.set('down');
    await pause(longOrShort(30_000, 5000));
    for (const process of team.processes) expect((await refusalOf(process)).status).toBe(503);
    namespace.set('up');
    await Promise.all(team.processes.map(whenServing));
    await whenAcknowledged(history, 150);
    await load.stop();
    const { violations } = await compare(team.url, history, [load]);
    await countHistory(fault, 1, history, violations, `${longOrShort(30, 5)} s`);
    expect([violations, history.refusals]).toEqual([[], []]);
  } finally {
    await stand?.close(); // before its network goes
    namespace.remove();
  }
});
