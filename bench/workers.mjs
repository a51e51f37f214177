/**
 * Measures whether two processes would read faster than one on this machine (decision 57): two servers with the same nodes, the
 * clients split between them, against one, in interleaved rounds. The clients need processor time of the same machine, so the
 * processor time of servers and clients is told, too.
 *
 *     npm run bench:suite -- workers --nodes 10000 --rounds 7 --program dist/main.js
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startContender } from './contenders.mjs';
import { firstCopy, makeFixture } from './fixture.mjs';
import { nodePath } from './fleet.mjs';
import { median } from './goals.mjs';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    program: { type: 'string', default: 'dist/main.js' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const nodes = Number(values.nodes);
const seconds = 1;
const connections = 32;
const folder = mkdtempSync(join(tmpdir(), 'atoll-workers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const fixture = await makeFixture(root, folder, nodes);
const start = (name) => {
  const args = (port) => [
    ...[values.program, 'serve', '--memory', '--traffic', '0', '--log-level', 'silent'],
    ...['--fixture', fixture, '--port', String(port)],
  ];
  return startContender(name, args, nodePath(firstCopy));
};
const servers = [await start('first'), await start('second')];

const setupRequest = (request) => ({ ...request, path: nodePath(firstCopy + Math.floor(Math.random() * nodes)) });
const read = async (server, share) => {
  const result = await autocannon({
    ...{ url: `http://127.0.0.1:${server.port}`, connections: share, duration: seconds, timeout: 30 },
    requests: [{ method: 'GET', setupRequest }],
  });
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error(JSON.stringify(result.statusCodeStats));
  return result.requests.total;
};

/** Answers a second, and processor time for each in the servers and in the client, in microseconds. */
const measure = async (used) => {
  const before = used.map((server) => server.cpuMs());
  const own = process.cpuUsage();
  const answers = await Promise.all(used.map((server) => read(server, connections / used.length)));
  const total = answers.reduce((sum, count) => sum + count, 0);
  const serverMs = used.reduce((sum, server, at) => sum + server.cpuMs() - before[at], 0);
  const client = process.cpuUsage(own);
  return {
    perSecond: total / seconds,
    serverUs: (serverMs * 1000) / total,
    clientUs: (client.user + client.system) / total,
  };
};

const variants = { one: servers.slice(0, 1), two: servers };
const results = { one: [], two: [] };
for (const name of Object.keys(variants)) await measure(variants[name]);
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const name of round % 2 === 0 ? ['one', 'two'] : ['two', 'one'])
    results[name].push(await measure(variants[name]));
}
const figure = (name, of) => median(results[name].map((result) => result[of]));
for (const name of Object.keys(variants)) {
  const [rate, server, client] = ['perSecond', 'serverUs', 'clientUs'].map((of) => Math.round(figure(name, of)));
  process.stdout.write(`${name}: ${rate} answers/s, ${server} µs in the servers, ${client} µs in the client, each\n`);
}
const ratio = figure('two', 'perSecond') / figure('one', 'perSecond');
const memory = servers.map((server) => Math.round(server.rssMb())).join(' + ');
process.stdout.write(
  `two × one: ${ratio.toFixed(2)} (wanted: 1.6); ${memory} MB; ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}\n`,
);
for (const server of servers) await server.stop();
