/**
 * Measures the speed of uploads beside a bare `node:http` server that also hashes into a synced file, and the latency of a
 * GET during uploads.
 *
 *     npm run bench:suite -- upload    # 7 rounds of 512 MiB, 5 rounds of 20 × 50 MiB; fails when a goal is missed
 *     npm run bench:suite -- upload --rounds 3 --mib 128
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    mib: { type: 'string', default: '512' },
    'get-rounds': { type: 'string', default: '5' },
    // The benchmark measures the file system of this folder.
    place: { type: 'string', default: 'coverage' },
  },
});
const mebibyte = 1024 * 1024;
const piece = randomBytes(mebibyte);
const credentials = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;
const goals = { ratio: 0.85, rssMiB: 64, p99Ratio: 2, p99Ms: 100 };

const start = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', (line) =>
      resolve({ child, url: JSON.parse(line).url.replace('localhost', '127.0.0.1') }),
    );
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });

/** Sends `mib` pieces. Resolves with the seconds from the first byte to the reply. */
const put = (url, mib) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = {
      Authorization: credentials,
      'Content-Type': 'application/octet-stream',
      'Content-Length': mib * mebibyte,
      'Content-Location': 'public://bench/upload.txt',
    };
    const sending = request(url, { method: 'PUT', headers, agent: false }, (response) => {
      response.resume();
      if (response.statusCode >= 300) reject(new Error(`PUT ${url}: ${response.statusCode}`));
      response.on('end', () => resolve((performance.now() - began) / 1000));
    });
    sending.on('error', reject);
    let sent = 0;
    const more = () => {
      while (sent < mib) {
        sent += 1;
        if (!sending.write(piece)) return void sending.once('drain', more);
      }
      sending.end();
    };
    more();
  });

const timedGet = (url, agent) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    get(url, { agent }, (response) => {
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`GET ${url}: ${response.statusCode}`));
      response.on('end', () => resolve(performance.now() - began));
    }).on('error', reject);
  });

const rssMiB = async ({ child }) => {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
};

/** Returns the result of the work and the growth of the process meanwhile. */
const watched = async (server, work) => {
  const before = await rssMiB(server);
  let peak = before;
  const timer = setInterval(async () => (peak = Math.max(peak, await rssMiB(server))), 20);
  const result = await work();
  clearInterval(timer);
  return { result, growth: peak - before };
};

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const percentile = (numbers, share) =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.ceil(numbers.length * share) - 1)];
const show = (numbers, digits = 0) => numbers.map((number) => number.toFixed(digits)).join(' ');

/** The p99 of successive GET requests while 20 uploads of 50 MiB arrive. */
const getsDuringUploads = async (getUrl, putUrl) => {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  let isDone = false;
  const asking = (async () => {
    while (!isDone) times.push(await timedGet(getUrl, agent));
  })();
  await Promise.all(Array.from({ length: 20 }, (_, at) => put(putUrl(at), 50)));
  isDone = true;
  await asking;
  agent.destroy();
  return percentile(times, 0.99);
};

const scratch = await mkdtemp(join(values.place, 'bench-'));
const program = join('coverage', `bench-atoll-${process.pid}.mjs`);
await bundle(program);
const atoll = await start([
  program,
  'serve',
  '--port',
  '0',
  '--json',
  '--data',
  join(scratch, 'data'),
  '--log-level',
  'error',
]);
const nodeUrl = `${atoll.url}/node/1?_format=json`;
const nodeBody = await (await fetch(nodeUrl, { headers: { Authorization: credentials } })).text();
const bare = await start(['bench/bare-upload-server.mjs', scratch, nodeBody]);
const [mib, rounds, getRounds] = [values.mib, values.rounds, values['get-rounds']].map(Number);
let failed = false;
const judge = (isGood, text) => {
  failed ||= !isGood;
  process.stdout.write(`${isGood ? 'ok    ' : 'MISSED'} ${text}\n`);
};

try {
  const target = `${atoll.url}/node/1/media/file/16`;
  await put(target, 8);
  await put(bare.url, 8);
  const speed = { atoll: [], bare: [] };
  const growth = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = async () => {
      const { result, growth: grown } = await watched(atoll, () => put(target, mib));
      speed.atoll.push(mib / result);
      growth.push(grown);
    };
    const other = async () => speed.bare.push(mib / (await put(bare.url, mib)));
    // The second one finds a busier disk, so they alternate.
    for (const work of round % 2 === 0 ? [one, other] : [other, one]) await work();
  }
  process.stdout.write(
    `PUT of ${mib} MiB, MiB/s: Atoll ${show(speed.atoll)}; bare ${show(speed.bare)}; growth ${show(growth)} MiB\n`,
  );
  const ratio = median(speed.atoll) / median(speed.bare);
  judge(ratio >= goals.ratio, `throughput ratio ${ratio.toFixed(2)} (at least ${goals.ratio})`);
  const most = Math.max(...growth);
  judge(most <= goals.rssMiB, `peak RSS growth ${most.toFixed(0)} MiB (at most ${goals.rssMiB})`);

  const p99 = { atoll: [], bare: [] };
  const terms = [16, 17, 18, 19, 20, 21];
  for (let round = 0; round < getRounds; round += 1) {
    const one = async () =>
      p99.atoll.push(
        await getsDuringUploads(
          nodeUrl,
          (at) => `${atoll.url}/node/${1 + (at % 4)}/media/file/${terms[at % terms.length]}`,
        ),
      );
    const other = async () => p99.bare.push(await getsDuringUploads(bare.url, () => bare.url));
    for (const work of round % 2 === 0 ? [one, other] : [other, one]) await work();
  }
  process.stdout.write(`p99 of a GET during 20 × 50 MiB, ms: Atoll ${show(p99.atoll, 1)}; bare ${show(p99.bare, 1)}\n`);
  const times = median(p99.atoll) / median(p99.bare);
  judge(times <= goals.p99Ratio, `p99 ${times.toFixed(2)} times the bare server's (at most ${goals.p99Ratio})`);
  judge(median(p99.atoll) <= goals.p99Ms, `p99 ${median(p99.atoll).toFixed(1)} ms (at most ${goals.p99Ms})`);
} finally {
  for (const { child } of [atoll, bare]) {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
  await rm(scratch, { recursive: true, force: true });
  await rm(program, { force: true });
}
process.exitCode = failed ? 1 : 0;
