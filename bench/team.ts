/**
 * Measures the team server (`npm run bench:suite -- team`): Atoll over PostgreSQL, Atoll over a data directory, and bare `pg` with the same
 * statements, in interleaved rounds of one run, as ratios. `--nodes N` (default 1,000,000), `--worlds N` (default 10,000),
 * `--seconds N` a round, `--rounds N`, `--no-directory`. The PostgreSQL is its own, in a temporary directory, and syncs what it
 * acknowledges.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { Pool } from 'pg';
import { loadNamedSite } from '../src/application/application-disk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { parentsOf, recordsOf } from './team/content.ts';
import { copyRows, fillDatabase, fillDirectory } from './team/filled.ts';
import {
  measure,
  median,
  memoryOf,
  start,
  stop,
  type Question,
  type Rate,
  type Request,
  type Server,
} from './team/servers.ts';

// This file runs two levels below the package, as `scripts/run-bench.mjs` puts it.
const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000000' },
    worlds: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    'no-directory': { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
const worlds = Number(values.worlds);
const times = { duration: Number(values.seconds), rounds: Number(values.rounds) };
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const home = await mkdtemp(join(tmpdir(), 'atoll-team-'));
const program = join(root, 'coverage', `bench-team-${process.pid}.mjs`);
const bare = join(root, 'coverage/bench', `bare-${process.pid}.mjs`);
process.on('exit', () => {
  for (const path of [home, program, bare]) rmSync(path, { recursive: true, force: true });
});
const { bundle } = (await import(join(root, 'scripts/bundle.mjs'))) as { bundle: (file: string) => Promise<void> };
await bundle(program);
await build({
  ...{ entryPoints: [join(root, 'bench/team/bare-server.ts')], outfile: bare, bundle: true, logLevel: 'error' },
  ...{ platform: 'node', target: 'node20', format: 'esm', packages: 'external' },
});

const postgres = await startPostgres({
  settings: ['fsync = on', 'shared_buffers = 512MB', 'max_wal_size = 8GB', 'min_wal_size = 1GB'],
});

/** One value of a database. */
const valueOf = async (url: string, sql: string): Promise<number> => {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query(`${sql} as value`);
  await pool.end();
  return Number((rows[0] as { readonly value: string }).value); // the statement has this column
};
const megabytesOf = async (url: string): Promise<number> =>
  (await valueOf(url, 'select pg_database_size(current_database())')) / 1024 / 1024;

const serving = ['serve', '--port', '0', '--json', '--log-level', 'warn', '--traffic', '0'];
/** Processes over one database share a directory of bytes. */
const overDatabase = (url: string, ...more: readonly string[]): Promise<Server> =>
  start('database', program, ...serving, '--store', url, '--data', join(home, new URL(url).pathname), ...more);

const admin = { authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}` };
const json = { ...admin, 'content-type': 'application/json' };
const bodyOf = (title: string): string =>
  JSON.stringify({
    ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: title }], field_model: [{ target_id: 23 }] },
  });
let drawn = 1;
/** From 1 to `below`, the same numbers in each run. */
const random = (below: number): number => {
  drawn = (drawn * 48_271) % 2_147_483_647;
  return 1 + (drawn % below);
};
const get = (path: string): Request => ({ method: 'GET', path });
/** A member, not a parent. */
const randomNode = (count: number) => (): Request =>
  get(`/node/${parentsOf(count) + random(count - parentsOf(count))}?_format=json`);
const post = (): Request => ({ method: 'POST', path: '/node?_format=json', headers: json, body: bodyOf('New') });
const patch = (): Request => ({
  ...randomNode(nodes)(),
  ...{ method: 'PATCH', headers: json, body: bodyOf('Changed') },
});
const reads: readonly Question[] = [
  { name: 'GET the same node', connections: 32, ask: () => get(`/node/${nodes - 7}?_format=json`) },
  { name: 'GET a random node', connections: 32, ask: randomNode(nodes) },
  { name: 'GET a random node, 1 client', connections: 1, ask: randomNode(nodes) },
];
const writes: readonly Question[] = [
  { name: 'POST a node', connections: 32, ask: post },
  { name: 'POST a node, 1 client', connections: 1, ask: post },
  { name: 'PATCH a random node', connections: 32, ask: patch },
  { name: 'PATCH a node, 1 client', connections: 1, ask: patch },
];
const others: readonly Question[] = [
  {
    name: 'list: members of a node',
    connections: 8,
    ask: () => get(`/node/${random(parentsOf(nodes))}/members?_format=json`),
  },
  { name: 'look-up of a term', connections: 8, ask: () => get('/term_from_term_name?name=Image&_format=json') },
  { name: 'entities: a page', connections: 8, ask: () => get(`/_atoll/entities?type=node&page=${random(20)}`) },
].map((question) => ({ ...question, isOfAtoll: true }));

const show = (row: Rate | undefined): string =>
  row === undefined
    ? '–'.padStart(35)
    : `${row.rate.toFixed(0)}/s`.padStart(10) +
      ` p50 ${row.p50} p99 ${row.p99}`.padStart(16) +
      ` ${row.cpu.toFixed(2)} ms`.padStart(9);

const site = await loadNamedSite(root, undefined);
say(
  `${nodes} nodes, ${times.rounds} rounds of ${times.duration} s, load ${String(loadavg()[0])}, Node ${process.version}`,
);

// Bare `pg` writes too, so it has a database of its own, with the same rows.
const [large, small, copy] = [await postgres.database(), await postgres.database(), await postgres.database()];
const directory = join(home, 'data');
const filled = await fillDatabase(large, recordsOf(site, nodes));
await fillDatabase(small, recordsOf(site, 1000));
await fillDatabase(copy, []);
const copied = await copyRows(large, copy);
const perSecond = (taken: number): string => `${(nodes / taken).toFixed(0)} nodes/s`;
say(
  `fill: database ${perSecond(filled)}; bare pg with its rows ready ${perSecond(copied)}, ratio ${(copied / filled).toFixed(2)}; ` +
    `${(await megabytesOf(large)).toFixed(0)} MB`,
);
const hasDirectory = !values['no-directory'];
if (hasDirectory) say(`fill: directory ${perSecond(await fillDirectory(directory, recordsOf(site, nodes)))}`);

const one = await overDatabase(large);
const bareServer = await start('bare pg', bare, root, copy);
const folder = hasDirectory ? [await start('directory', program, ...serving, '--data', directory)] : [];
const memory = [one, bareServer, ...folder].map((server) => `${server.name} ${memoryOf(server).toFixed(0)} MB`);
say(`memory after the start: ${memory.join(', ')}`);

say(`${''.padEnd(30)}${'database'.padStart(35)}${'bare pg'.padStart(35)}${'directory'.padStart(35)}  database/bare`);
for (const question of [...reads, ...writes, ...others]) {
  const isOfAtoll = question.isOfAtoll === true;
  const groups = [[one], ...(isOfAtoll ? [] : [[bareServer]]), ...(hasDirectory ? [folder] : [])];
  const [own, ...rest] = await measure(
    groups.map((servers) => ({ question, servers })),
    times,
  );
  const [bareRow, folderRow] = isOfAtoll ? [undefined, rest[0]] : rest;
  const ratio = own === undefined || bareRow === undefined ? '' : (own.rate / bareRow.rate).toFixed(2);
  say(`${question.name.padEnd(30)}${show(own)}${show(bareRow)}${show(folderRow)}  ${ratio}`);
}
for (const server of [bareServer, ...folder]) await stop(server);

const few = await overDatabase(small);
for (const connections of [32, 1]) {
  const [many, thousand] = await measure(
    [
      { question: { name: 'GET', connections, ask: randomNode(nodes) }, servers: [one] },
      { question: { name: 'GET', connections, ask: randomNode(1000) }, servers: [few] },
    ],
    times,
  );
  const ratio = ((thousand?.rate ?? 0) / (many?.rate ?? 1)).toFixed(2);
  say(`GET, ${connections} clients: ${nodes} nodes ${show(many)}; 1,000 nodes ${show(thousand)}; cost ratio ${ratio}`);
}

const three = [one, await overDatabase(large), await overDatabase(large)];
const local = await overDatabase(large, '--consistency', 'local');
for (const question of [reads[0], reads[1], writes[0], writes[2]].flatMap((each) => each ?? [])) {
  const [alone, together, loose] = await measure(
    [[one], three, [local]].map((servers) => ({ question, servers })),
    times,
  );
  const ratio = ((together?.rate ?? 0) / (alone?.rate ?? 1)).toFixed(2);
  say(
    `${question.name}: 1 process ${show(alone)}; 3 processes ${show(together)} (× ${ratio}); 1, consistency local ${show(loose)}`,
  );
}
for (const server of [...three.slice(1), local]) await stop(server);

/** Sends a command of the control interface and resolves with its milliseconds. */
const command = async (server: Server, path: string, body: object): Promise<number> => {
  const began = performance.now();
  const reply = await fetch(server.url + path, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  });
  await reply.text();
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return performance.now() - began;
};
const inTurn = async (count: number, work: (at: number) => Promise<number>): Promise<string> => {
  const taken: number[] = [];
  for (let at = 0; at < count; at += 1) taken.push(await work(at));
  return `median ${median(taken).toFixed(1)} ms, longest ${Math.max(...taken).toFixed(1)} ms of ${count}`;
};
say(
  `fork of ${nodes} nodes: ${await inTurn(30, (at) => command(one, '/_atoll/worlds', { name: `big${at}`, from: 'main' }))}`,
);
say(`reset of ${nodes} nodes: ${await inTurn(30, (at) => command(one, `/~big${at}/_atoll/reset`, {}))}`);
await stop(one);

const before = { process: memoryOf(few), database: await megabytesOf(small) };
say(
  `fork of 1,000 nodes: ${await inTurn(worlds - 1, (at) => command(few, '/_atoll/worlds', { name: `w${at}`, from: 'main' }))}`,
);
for (let at = 0; at < worlds - 1; at += 1) {
  const reply = await fetch(`${few.url}/~w${at}/node/777?_format=json`);
  await reply.text();
  if (!reply.ok) throw new Error(`w${at}: ${reply.status}`);
}
const after = { process: memoryOf(few), database: await megabytesOf(small) };
say(
  `${worlds} worlds over 1,000 nodes, each read once: process ${before.process.toFixed(0)} → ${after.process.toFixed(0)} MB, ` +
    `database ${before.database.toFixed(0)} → ${after.database.toFixed(0)} MB`,
);
await stop(few);
await postgres.close();
