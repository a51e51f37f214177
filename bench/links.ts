/**
 * Measures how much slower a node with many media is than a bare one. The reply cache is off.
 *
 *     npm run bench:suite -- links    # 400 rounds; fails when a node is more than 5 ms slower than the bare one
 *     npm run bench:suite -- links --rounds 50
 */
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createTestAtoll } from '../test/support/atoll.ts';
import { basic } from '../test/support/requests.ts';
import { mediaRecord, nodeRecord, withRecords } from '../test/links/records.ts';
import { inOneWorld } from '../test/support/one-world.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '400' } } });
const rounds = Number(values.rounds);
const counts = [0, 10, 60, 200, 1000, 10_000];
const goalMs = 5;

const atoll = await createTestAtoll({
  fixture: 'empty',
  app: { locate: inOneWorld(() => world), replyCacheBytes: 0, checkReplies: 'off', onEvent: () => undefined },
});
let drawn = 0;
const world = withRecords(
  atoll.world(),
  counts.flatMap((count, at) => [
    nodeRecord(at + 1),
    ...Array.from({ length: count }, () => mediaRecord((drawn += 1), at + 1)),
  ]),
);
const server = createServer(atoll.app);
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address() as AddressInfo; // it listens on a port
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from the request to the end of the reply. */
const timed = (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode ?? 0}`));
      response.resume().on('end', () => resolve(performance.now() - began));
    }).on('error', reject);
  });

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;

/** Requests the nodes in turn, so that other load of the machine affects all of them. */
const measure = async (
  pathOf: (id: number) => string,
  headers: Readonly<Record<string, string>>,
): Promise<number[]> => {
  const times: number[][] = counts.map(() => []);
  for (let round = -20; round < rounds; round += 1) {
    for (const [at, own] of times.entries()) {
      const took = await timed(pathOf(at + 1), headers);
      if (round >= 0) own.push(took);
    }
  }
  return times.map(median);
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (title: string, medians: readonly number[]): number => {
  const [bare = NaN] = medians;
  print(`\n${title}\n${'media'.padStart(7)}${'median ms'.padStart(12)}${'more ms'.padStart(10)}${'ratio'.padStart(8)}`);
  for (const [at, took] of medians.entries()) {
    const cells = [String(counts[at]).padStart(7), took.toFixed(3).padStart(12), (took - bare).toFixed(3).padStart(10)];
    print(`${cells.join('')}${(took / bare).toFixed(2).padStart(8)}`);
  }
  return Math.max(...medians) - bare;
};

const record = (id: number): string => `/node/${id}?_format=json`;
const slowest = Math.max(
  show('GET of the node, seen by viewer', await measure(record, basic('viewer').headers)),
  show('GET of the node, its media hidden from anonymous visitors', await measure(record, {})),
);
show(
  'GET of the linkset, the complete set (no goal)',
  await measure((id) => `/node/${id}/linkset`, basic('viewer').headers),
);
agent.destroy();
server.close();
print(
  `\n${slowest <= goalMs ? 'met' : 'MISSED'}: at most ${goalMs} ms more than a bare node; ${slowest.toFixed(3)} ms found`,
);
process.exitCode = slowest <= goalMs ? 0 : 1;
