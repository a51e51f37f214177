/**
 * Measures forking, resetting and keeping a world of a repository with 1,000 nodes, and with ten times as many.
 *
 *     npm run bench:suite -- worlds        # fails when a median misses its goal; starts no other process
 */
import { repositoryOnDisk, loadNamedSite } from '../src/application/application-disk.ts';
import { recordModel } from '../src/repository/repository.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PlainRequest, AddressedWorld } from '../src/openapi/openapi-host.ts';
import { openWorlds, type LocalWorlds } from '../src/server/server-worlds.ts';
import { createRecordSet, type FrozenRecords } from '../src/storage/storage.ts';
import { createComparison } from '../test/worlds/record-comparison.ts';
import { systemClock, systemIds } from '../src/server/server.ts';
import { nodeRecord } from '../test/links/records.ts';
import { testSigningKey } from '../test/support/signing-key.ts';

const rounds = 200;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // exposed by the V8 flag above

type Figures = { readonly fork: number; readonly reset: number; readonly idle: number };

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Fills the main world with nodes and saves the snapshot that worlds are forked from. */
const filled = async (nodes: number): Promise<LocalWorlds> => {
  const site = await loadNamedSite('.', undefined);
  const places = { root: '.', prepared: 'dist/prepared.json', site: undefined, fixture: 'starter' };
  const { worlds } = await openWorlds({
    application: repositoryOnDisk,
    ...{ site, baseUrl: 'http://localhost:8000', data: undefined },
    ...(await repositoryOnDisk.fixturesOf(places, { site })),
    ...{ durability: 'full', clock: systemClock, ids: systemIds },
    ...{ signingKey: testSigningKey, warn: () => undefined },
  });
  const changes = Array.from({ length: nodes - 30 }, (_, at) => ({ put: nodeRecord(31 + at) }));
  await worlds.main.world.store.transact([], () => ({ changes, result: undefined }));
  worlds.saveSnapshot('main', 'filled');
  return worlds;
};

/** Writes once, so that a reset has something to undo. */
const write = async (worlds: LocalWorlds, name: string, round: number): Promise<void> => {
  const { world } = located(worlds, name);
  await world.store.transact([], (view) => ({
    changes: [{ put: nodeRecord(view.nextId('node')) }, { remove: `node:${(round % 900) + 31}` }],
    result: undefined,
  }));
};

const located = (worlds: LocalWorlds, name: string): AddressedWorld => {
  const request: PlainRequest = {
    ...{ method: 'GET', path: `/~${name}/node/1`, query: '_format=json', headers: {}, address: '127.0.0.1' },
    body: (async function* () {})(),
  };
  const found = worlds.locate(request);
  if (found === undefined) throw new Error(`There is no world ${name}.`);
  return found.addressedWorld;
};

const measure = async (nodes: number): Promise<Figures> => {
  const worlds = await filled(nodes);
  const forks: number[] = [];
  const resets: number[] = [];
  for (let round = -20; round < rounds; round += 1) {
    const name = `r${round + 20}`;
    const fork = await timed(() => worlds.fork({ name, from: 'filled' }));
    await write(worlds, name, round + 20);
    const reset = await timed(() => worlds.reset(name));
    // The next request creates a world view, which is part of the cost of a reset.
    const face = await timed(async () => located(worlds, name).world);
    worlds.drop(name);
    if (round < 0) continue;
    forks.push(fork);
    resets.push(reset + face);
  }
  return { fork: median(forks), reset: median(resets), idle: await idleBytes(worlds) };
};

/** The heap of a world after one request, in KiB: the median of batches. */
const idleBytes = async (worlds: LocalWorlds): Promise<number> => {
  const batches: number[] = [];
  for (let batch = 0; batch < 5; batch += 1) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let made = 0; made < 100; made += 1) {
      await worlds.fork({ name: `idle-${batch}-${made}`, from: 'filled' });
      await located(worlds, `idle-${batch}-${made}`).world.store.getMany(['node:1']);
    }
    collect();
    batches.push((process.memoryUsage().heapUsed - before) / 100 / 1024);
  }
  return median(batches);
};

const goals: Figures = { fork: 1, reset: 5, idle: 200 };
const [small, large] = [await measure(1000), await measure(10_000)];
const rows: readonly (readonly [keyof Figures, string, string])[] = [
  ['fork', 'fork a world', 'ms'],
  ['reset', 'reset a world', 'ms'],
  ['idle', 'an idle world', 'KiB'],
];
const line = (...cells: string[]): void =>
  void process.stdout.write(`${cells.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(14))).join('')}\n`);
line(`${rounds} rounds`, '1,000 nodes', '10,000 nodes', 'ratio', 'goal (1,000)', '');
for (const [figure, title, unit] of rows) {
  const cell = (value: number): string => `${value.toFixed(3)} ${unit}`;
  const isMet = small[figure] < goals[figure];
  line(
    title,
    cell(small[figure]),
    cell(large[figure]),
    (large[figure] / small[figure]).toFixed(2),
    `< ${goals[figure]} ${unit}`,
    isMet ? 'met' : 'MISSED',
  );
}

/** The time of a processor that this process has had, in milliseconds. Other than a clock, it does not go on while others have their turn. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The longest turn of the event loop while two states that share nothing are compared. */
const longestTurn = async (nodes: number): Promise<number> => {
  const state = (): FrozenRecords => {
    const set = createRecordSet(recordModel);
    for (let id = 1; id <= nodes; id += 1) set.apply({ put: nodeRecord(id) });
    return set.freeze();
  };
  const [before, after] = [state(), state()];
  let longest = 0;
  let isOver = false;
  let last = processorMs();
  const look = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await createComparison()(before, after);
  isOver = true;
  return longest;
};

const turnGoalMs = 100;
const turn = await longestTurn(100_000);
const turnIsMet = turn < turnGoalMs;
process.stdout.write(
  `comparing 100,000 records: longest turn ${turn.toFixed(1)} ms, goal < ${turnGoalMs} ms, ${turnIsMet ? 'met' : 'MISSED'}\n`,
);
process.exitCode = turnIsMet && rows.every(([figure]) => small[figure] < goals[figure]) ? 0 : 1;
