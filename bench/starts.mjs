/** Measures starts: until a process is ready, from there to its first answer, and until a test has its first world. */
import { spawn } from 'node:child_process';
import { fetchOnce, freePort } from './contenders.mjs';

/** Runs `node …args(port)` until its first line, then asks for `path` once. Milliseconds; `firstMs` is undefined without a path. */
const measureStart = async ({ args, path, status = 200 }) => {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, args(port), { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const first = new Promise((resolve) => child.stdout.once('data', (piece) => resolve(String(piece))));
  const line = await Promise.race([first, ended]);
  const readyMs = performance.now() - started;
  try {
    if (typeof line !== 'string') throw new Error(`${args(port).join(' ')} ended with ${line}`);
    if (path === undefined) return { readyMs, firstMs: undefined };
    const asked = performance.now();
    const answer = await fetchOnce(port, path);
    if (answer.status !== status) throw new Error(`${args(port).join(' ')}: ${answer.status} for ${path}`);
    return { readyMs, firstMs: performance.now() - asked };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

/** Prints one line when a test could begin, and ends. */
const firstWorld = `
  import { startAtoll } from './dist/atoll.js';
  const atoll = await startAtoll({ port: false });
  await atoll.world();
  process.stdout.write('ready');
`;

/** What is started. `atoll` and `bare` make arguments of a port; `data` is a directory of 100,000 nodes. */
export const startsOf = ({ atoll, bare, data, path }) => ({
  'bare express': { args: bare, path },
  'Atoll, starter fixture in memory': { args: atoll('--memory', '--json'), path: '/node/1?_format=json' },
  'import startAtoll, first world': { args: () => ['--input-type=module', '-e', firstWorld] },
  'Atoll, 100,000 nodes on disk': { args: atoll('--data', data, '--json'), path },
});

/** Measures each of them in every round. Returns the results of each by name. */
export const startInRounds = async (starts, rounds) => {
  const results = new Map(Object.keys(starts).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, start] of Object.entries(starts)) results.get(name).push(await measureStart(start));
  }
  return results;
};
