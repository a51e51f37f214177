/**
 * Measures durable writes as the repository grows (`npm run bench:suite -- store`): POST /node per second and p99 with 32 clients at 0,
 * 1,000, 10,000 and 100,000 stored nodes, beside lowdb's own JSONFile adapter; start and memory at 100,000. `--short` measures
 * fewer rounds. Ends with 1 when a bound is missed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { build } from 'esbuild';
import { bundle } from '../scripts/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const isShort = process.argv.includes('--short');
const seconds = isShort ? 1 : 2;
const shots = isShort ? 3 : 9;
const sizes = [0, 1000, 10_000, 100_000];
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const program = join(root, 'coverage', `atoll-bench-${process.pid}.mjs`);
const fill = join(root, 'coverage', `atoll-fill-${process.pid}.mjs`);
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const path of [folder, program, fill]) rmSync(path, { recursive: true, force: true });
});

mkdirSync(join(root, 'coverage'), { recursive: true });
await bundle(program);
await build({
  entryPoints: ['bench/store-fill.ts'],
  outfile: fill,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

/** Starts a process and resolves with its first line. */
const start = async (...args) => {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (piece) => resolve(String(piece)));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  return { child, line, startMs: performance.now() - begun };
};

const end = (child) =>
  new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', resolve);
    child.kill('SIGKILL');
    children.delete(child);
  });

const body = JSON.stringify({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A node of the bench' }],
  field_model: [{ target_id: 23 }],
  field_description: [{ value: 'What there is to say about it. '.repeat(5) }],
});
const shoot = (url, duration) =>
  autocannon({
    url,
    method: 'POST',
    connections: 32,
    duration,
    body,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}`,
    },
  });

const memoryOf = (pid) => {
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(rss ?? 0) / 1024;
};

/** Processor time so far, which is more reliable than the clock on a busy machine. */
const cpuMsOf = (pid) => {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(ticks[11]) + Number(ticks[12])) * 10;
};

/** A server on a filled repository, with the time and memory of its start. */
const startAtoll = async (size) => {
  const data = join(folder, `atoll-${size}`);
  const filled = spawnSync(process.execPath, [fill, root, data, String(size)], { stdio: 'inherit' });
  if (filled.status !== 0) throw new Error('The repository could not be filled.');
  const options = ['--port', '0', '--json', '--log-level', 'error', '--fixture', 'empty'];
  const { child, line, startMs } = await start(program, 'serve', '--data', data, ...options);
  const startCpuMs = cpuMsOf(child.pid);
  const url = `${JSON.parse(line).url}/node?_format=json`;
  return { child, url, startMs, startCpuMs, rssMiB: memoryOf(child.pid), shots: [] };
};

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The sizes alternate, so that other load of the machine affects all of them. */
const measureAtoll = async () => {
  const servers = new Map();
  for (const size of sizes) servers.set(size, await startAtoll(size));
  for (const server of servers.values()) {
    await shoot(server.url, 2);
    server.warmMiB = memoryOf(server.child.pid);
  }
  for (let number = 0; number < shots; number++) {
    for (const server of servers.values()) server.shots.push(await shoot(server.url, seconds));
  }
  const figures = new Map();
  for (const [size, { child, shots, ...started }] of servers) {
    figures.set(size, {
      ...started,
      rate: median(shots.map(({ requests }) => requests.average)),
      p99: median(shots.map(({ latency }) => latency.p99)),
      failed: shots.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0),
      made: shots.reduce((sum, { requests }) => sum + requests.total, 0),
      loadedMiB: memoryOf(child.pid),
    });
    await end(child);
  }
  return figures;
};

/** lowdb starts with the same records as Atoll. */
const measureLowdb = async (size) => {
  const data = join(folder, `seed-${size}`);
  spawnSync(process.execPath, [fill, root, data, String(Math.max(1, size))], { stdio: 'inherit' });
  const snapshot = readdirSync(data)
    .filter((name) => name.startsWith('snapshot-'))
    .sort()
    .at(-1);
  const nodes = JSON.parse(readFileSync(join(data, snapshot), 'utf8')).records.filter(({ type }) => type === 'node');
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, JSON.stringify(nodes));
  const { child, line } = await start('bench/store-lowdb-server.mjs', join(folder, `lowdb-${size}.json`), seed);
  const result = await shoot(`${line.trim()}/node`, 8);
  await end(child);
  return { rate: result.requests.average, p99: result.latency.p99, failed: result.non2xx + result.errors };
};

const print = (name, size, { rate, p99, failed }, more = '') =>
  process.stdout.write(
    `${name.padEnd(16)} ${String(size).padStart(7)} nodes  ${rate.toFixed(0).padStart(6)} POST/s  p99 ${String(p99).padStart(6)} ms  ${failed} failed${more}\n`,
  );

process.stdout.write(`32 clients, median of ${shots} rounds of ${seconds} s, node ${process.version}\n`);
const atoll = await measureAtoll();
for (const [size, figures] of atoll) {
  const { startMs, startCpuMs, rssMiB, warmMiB, loadedMiB, made } = figures;
  print(
    'atoll (full)',
    size,
    figures,
    `  start ${Math.round(startMs)} ms (processor ${startCpuMs} ms), RSS ${Math.round(rssMiB)} MiB, ${Math.round(warmMiB)} MiB after 2 s of load, ${Math.round(loadedMiB)} MiB with ${made} more nodes`,
  );
}
const lowdb = new Map();
for (const size of sizes.filter((each) => each <= 10_000)) {
  lowdb.set(size, await measureLowdb(size));
  print('lowdb JSONFile', size, lowdb.get(size), '  (never synced)');
}

const bounds = [
  ['no request failed', [...atoll.values()].every(({ failed }) => failed === 0)],
  ['rate at 100,000 ≥ 0.7 × rate at 0', atoll.get(100_000).rate >= 0.7 * atoll.get(0).rate],
  ['rate at 10,000 ≥ 10 × lowdb', atoll.get(10_000).rate >= 10 * lowdb.get(10_000).rate],
  ['start at 100,000 < 5 s', atoll.get(100_000).startMs < 5000],
  ['RSS at 100,000 < 700 MiB', atoll.get(100_000).warmMiB < 700],
];
for (const [text, holds] of bounds) process.stdout.write(`${holds ? 'holds ' : 'MISSED'}  ${text}\n`);
process.exit(bounds.every(([, holds]) => holds) ? 0 : 1);
