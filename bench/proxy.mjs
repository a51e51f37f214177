/**
 * Measures `atoll proxy` beside a bare proxy of `node:http`: the time that each adds to a request, requests a second, and the
 * bytes a second and the memory of a long answer. Both get the same node of the starter fixture from the same target.
 *
 *     npm run bench:suite -- proxy    # 7 rounds; fails when a goal is missed
 *     npm run bench:suite -- proxy --rounds 3 --seconds 2
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { bundle } from '../scripts/bundle.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    mib: { type: 'string', default: '2048' },
  },
});
const rounds = Number(values.rounds);
const goals = { addedMs: 1, ratio: 0.6, growthMiB: 128 };
const single = 500;
const path = '/node/1?_format=json';

const start = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', (line) =>
      resolve({ child, url: JSON.parse(line).url.replace('localhost', '127.0.0.1') }),
    );
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });

const fetchOnce = (url, agent, onPiece = () => {}) =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.on('data', onPiece);
      response.on('end', () => resolve(response));
      response.on('error', reject);
    }).on('error', reject);
  });

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Asks all in turn, so that other load of the machine affects all of them. */
const medianTimes = async (urls) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = urls.map(() => []);
  for (let round = -50; round < single; round += 1) {
    for (const [at, url] of urls.entries()) {
      const began = performance.now();
      await fetchOnce(url + path, agent);
      if (round >= 0) times[at].push(performance.now() - began);
    }
  }
  agent.destroy();
  return times.map(median);
};

/** Processor time of a process so far, in milliseconds. A tick of Linux is 10 ms. */
const cpuMs = async ({ child }) => {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const perSecond = async (proxy) => {
  const { url } = proxy;
  const before = await cpuMs(proxy);
  const result = await autocannon({
    ...{ url: url + path, connections: Number(values.connections), duration: Number(values.seconds) },
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  const cpuUs = ((await cpuMs(proxy)) - before) * 1000;
  return { rate: result.requests.average, cpu: cpuUs / result.requests.total };
};

const rssMiB = async ({ child }) => {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
};

/** Bytes a second of a long answer, and how much the process grew meanwhile. */
const longAnswer = async (proxy) => {
  const before = await rssMiB(proxy);
  let peak = before;
  const timer = setInterval(async () => (peak = Math.max(peak, await rssMiB(proxy))), 50);
  const bytes = Number(values.mib) * 1024 * 1024;
  let got = 0;
  const began = performance.now();
  await fetchOnce(`${proxy.url}/bytes/${bytes}`, false, (piece) => (got += piece.length));
  clearInterval(timer);
  if (got !== bytes) throw new Error(`${got} of ${bytes} bytes came`);
  return { mibPerSecond: Number(values.mib) / ((performance.now() - began) / 1000), growth: peak - before };
};

const scratch = await mkdtemp('coverage/bench-proxy-');
const program = join('coverage', `bench-proxy-${process.pid}.mjs`);
await bundle(program);
const atoll = await start([program, 'serve', '--memory', '--port', '0', '--json']);
const recorded = join(scratch, 'reply.json');
const original = await fetch(atoll.url + path);
const { connection, 'keep-alive': _kept, date, ...headers } = Object.fromEntries(original.headers);
await writeFile(recorded, JSON.stringify({ headers, body: await original.text() }));
atoll.child.kill();

const target = await start(['bench/proxy-target.mjs', recorded]);
const bare = await start(['bench/bare-proxy.mjs', target.url]);
const ours = await start([
  program,
  'proxy',
  '--target',
  target.url,
  '--port',
  '0',
  '--json',
  ...process.argv.filter((each) => each === '--fail'),
]);
const results = { added: [], bareAdded: [], ours: [], bare: [] };
for (let round = 0; round < rounds; round += 1) {
  const [direct, throughBare, throughOurs] = await medianTimes([target.url, bare.url, ours.url]);
  results.added.push(throughOurs - direct);
  results.bareAdded.push(throughBare - direct);
  // Which goes first changes, so that a machine that gets slower does not favour one.
  for (const proxy of round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare']) {
    results[proxy].push(await perSecond({ bare, ours }[proxy]));
  }
}
const long = { bare: await longAnswer(bare), ours: await longAnswer(ours) };
for (const { child } of [target, bare, ours]) child.kill();
await rm(program);
await rm(scratch, { recursive: true });

const added = median(results.added);
const ratios = results.ours.map(({ rate }, at) => rate / results.bare[at].rate);
const ratio = median(ratios);
const rateOf = (all) => median(all.map(({ rate }) => rate)).toFixed(0);
const cpuOf = (all) => median(all.map(({ cpu }) => cpu)).toFixed(0);
const figures = [
  ['added to the median', `${added.toFixed(3)} ms`, `bare ${median(results.bareAdded).toFixed(3)} ms`],
  ['requests a second', rateOf(results.ours), `bare ${rateOf(results.bare)}`],
  ['processor µs a request', cpuOf(results.ours), `bare ${cpuOf(results.bare)}`],
  ['share of the bare one', ratio.toFixed(2), `by round ${ratios.map((each) => each.toFixed(2)).join(' ')}`],
  [`MiB/s of ${values.mib} MiB`, long.ours.mibPerSecond.toFixed(0), `bare ${long.bare.mibPerSecond.toFixed(0)}`],
  ['growth meanwhile', `${long.ours.growth.toFixed(0)} MiB`, `bare ${long.bare.growth.toFixed(0)} MiB`],
];
for (const [name, own, other] of figures) console.log(`${name.padEnd(26)}${own.padStart(12)}   ${other}`);
const missed = [
  ...(added < goals.addedMs ? [] : [`added ${added.toFixed(3)} ms, at most ${goals.addedMs} wanted`]),
  ...(ratio >= goals.ratio ? [] : [`share ${ratio.toFixed(2)}, at least ${goals.ratio} wanted`]),
  ...(long.ours.growth < goals.growthMiB
    ? []
    : [`grew by ${long.ours.growth.toFixed(0)} MiB, less than ${goals.growthMiB} wanted`]),
];
console.log(missed.length === 0 ? 'met' : `MISSED: ${missed.join('; ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
