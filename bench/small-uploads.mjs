/**
 * Measures uploads of 64 KiB beside a bare `node:http` server that streams, hashes, syncs and renames the same bytes, in
 * interleaved rounds: new files and replaced ones, with 1, 8 and 32 clients, by answers a second and by processor time.
 *
 *     npm run bench:suite -- small-uploads                                 # 5 rounds of 1 s; fails when a goal is missed
 *     npm run bench:suite -- small-uploads --rounds 7 --seconds 2
 *     npm run bench:suite -- small-uploads --before ../old/dist/main.js    # also an older program
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { bundle } from '../scripts/bundle.mjs';
import { startContender } from './contenders.mjs';
import { firstCopy, makeFixture } from './fixture.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    clients: { type: 'string', default: '1,8,32' },
    kinds: { type: 'string', default: 'new,replaced' },
    // The benchmark measures the file system of this folder.
    place: { type: 'string', default: 'coverage' },
    before: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const goal = 0.7;
const body = Buffer.alloc(65_536, 'x');
const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;
const nodes = 10_000;
const uses = [16, 17, 18, 19, 20, 21];
const replacedNodes = 500;
let uploads = 0;

/** A new upload goes to a node and use that have no media yet; a replacing one goes round over the same few. */
const targets = {
  new: (at) =>
    `/node/${firstCopy + replacedNodes + (at % (nodes - replacedNodes))}/media/file/${uses[Math.floor(at / (nodes - replacedNodes)) % uses.length]}`,
  replaced: (at) => `/node/${firstCopy + (at % replacedNodes)}/media/file/16`,
};
const counts = new Map();

const put = async (server, kind, connections, duration, amount) => {
  const before = server.cpuMs();
  const setupRequest = (request) => {
    const counter = `${server.name} ${kind}`;
    const at = counts.get(counter) ?? 0;
    counts.set(counter, at + 1);
    uploads += 1;
    return {
      ...request,
      ...{ method: 'PUT', path: targets[kind](at), body },
      headers: { authorization, 'content-type': 'text/plain', 'content-location': `public://bench/${uploads}.txt` },
    };
  };
  const result = await autocannon({
    ...{ url: `http://127.0.0.1:${server.port}`, connections, timeout: 30, requests: [{ setupRequest }] },
    ...(amount === undefined ? { duration } : { amount }),
  });
  const answered = result['2xx'];
  if (result.non2xx + result.errors + result.timeouts > 0 || answered === 0) {
    throw new Error(`${server.name}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  }
  return {
    perSecond: answered / result.duration,
    cpuUs: ((server.cpuMs() - before) * 1000) / answered,
    p99: result.latency.p99,
  };
};

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const scratch = await mkdtemp(join(values.place, 'bench-'));
const program = join('coverage', `bench-atoll-${process.pid}.mjs`);
await bundle(program);
const fixture = await makeFixture(root, scratch, nodes);
const serve = (main, name) => (port) => [
  ...[main, 'serve', '--port', String(port), '--log-level', 'silent', '--fixture', fixture],
  ...['--data', join(scratch, name)],
];
const servers = [
  await startContender('bare', (port) => ['bench/bare-upload-server.mjs', scratch, '{}', String(port)], '/'),
  await startContender('Atoll', serve(program, 'data'), '/node/1?_format=json'),
  ...(values.before === undefined
    ? []
    : [await startContender('before', serve(values.before, 'before'), '/node/1?_format=json')]),
];
const kinds = values.kinds.split(',');
const clients = values.clients.split(',').map(Number);
let failed = false;

try {
  for (const server of servers) for (const kind of kinds) await put(server, kind, 32, 1, 2000);
  for (const kind of kinds) {
    for (const connections of clients) {
      const results = new Map(servers.map(({ name }) => [name, []]));
      for (let round = 0; round < Number(values.rounds); round += 1) {
        // The second one finds a busier disk, so they change places.
        const first = round % servers.length;
        for (const server of [...servers.slice(first), ...servers.slice(0, first)])
          results.get(server.name).push(await put(server, kind, connections, Number(values.seconds)));
      }
      const figure = (name, of) => median(results.get(name).map((result) => result[of]));
      const shown = servers.map(({ name }) => {
        const [rate, cpu] = [figure(name, 'perSecond'), figure(name, 'cpuUs')];
        const ratio = `× ${(rate / figure('bare', 'perSecond')).toFixed(2)}, by CPU × ${(figure('bare', 'cpuUs') / cpu).toFixed(2)}`;
        return `${name}: ${rate.toFixed(0)}/s ${cpu.toFixed(0)} µs p99 ${figure(name, 'p99')} ms (${ratio})`;
      });
      const isGood = figure('Atoll', 'perSecond') / figure('bare', 'perSecond') >= goal;
      failed ||= !isGood;
      process.stdout.write(
        `${isGood ? 'ok    ' : 'MISSED'} ${kind}, ${connections} clients\n         ${shown.join('\n         ')}\n`,
      );
    }
  }
} finally {
  for (const server of servers) await server.stop();
  await rm(scratch, { recursive: true, force: true });
  await rm(program, { force: true });
}
process.exitCode = failed ? 1 : 0;
