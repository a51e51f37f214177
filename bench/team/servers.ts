/** Starts and measures the processes of the bench of the team server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The part of autocannon that is used here. */
export type Shot = {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
};
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers?: object;
  readonly body?: string;
};
type Shoot = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly requests: readonly { readonly setupRequest: (request: Request) => Request }[];
}) => Promise<Shot>;
const autocannon = require('autocannon') as Shoot;

export type Server = { readonly name: string; readonly url: string; readonly child: ChildProcess };

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program of Node that prints a line of JSON with its `url`. */
export const start = async (name: string, ...args: readonly string[]): Promise<Server> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (piece: Buffer) => resolve(String(piece)));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${String(code)}`)));
  });
  return { name, child, url: (JSON.parse(line) as { url: string }).url };
};

export const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.child.removeAllListeners('exit').once('exit', () => resolve());
    server.child.kill('SIGKILL');
    children.delete(server.child);
  });

export const memoryOf = ({ child }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** What is asked, and by how many clients at a time. */
export type Question = {
  readonly name: string;
  readonly connections: number;
  readonly ask: () => Request;
  /** Bare `pg` has no such thing. */
  readonly isOfAtoll?: boolean;
};

/** Servers that share the clients of a question. */
export type Lane = { readonly question: Question; readonly servers: readonly Server[] };

/** Answers a second, milliseconds until an answer, and milliseconds of the processor that the servers take for one. */
export type Rate = { readonly rate: number; readonly p50: number; readonly p99: number; readonly cpu: number };

/** How many rounds, and how many seconds each takes. */
export type Rounds = { readonly rounds: number; readonly duration: number };

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * Asks the lanes in turn, round by round, so that what else the machine does meets all of them. The servers of a lane share the
 * clients, as behind a balancer. Throws when an answer is a refusal.
 */
export const measure = async (lanes: readonly Lane[], { rounds, duration }: Rounds): Promise<readonly Rate[]> => {
  const shots: Shot[][][] = lanes.map(() => []);
  const cpu: number[][] = lanes.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { question, servers }] of lanes.entries()) {
      const connections = Math.max(1, Math.round(question.connections / servers.length));
      const before = cpuOf(servers);
      const shot = await Promise.all(servers.map(({ url }) => shoot(url, { ...question, connections }, duration)));
      // The first round warms up.
      if (round === 0) continue;
      shots[at]?.push(shot);
      cpu[at]?.push((cpuOf(servers) - before) / shot.reduce((sum, { requests }) => sum + requests.total, 0));
    }
  }
  return shots.map((own, at) => ({
    cpu: median(cpu[at] ?? []),
    rate: median(own.map((shot) => shot.reduce((sum, { requests }) => sum + requests.average, 0))),
    p50: median(own.map((shot) => Math.max(...shot.map(({ latency }) => latency.p50)))),
    p99: median(own.map((shot) => Math.max(...shot.map(({ latency }) => latency.p99)))),
  }));
};

/** Milliseconds of the processor so far. Linux counts in hundredths of a second. */
const cpuOf = (servers: readonly Server[]): number =>
  servers.reduce((sum, { child }) => {
    const [, rest = ''] = readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);

const shoot = async (url: string, { name, connections, ask }: Question, duration: number): Promise<Shot> => {
  const setupRequest = (request: Request): Request => ({ ...request, ...ask() });
  const shot = await autocannon({ url, connections, duration, requests: [{ setupRequest }] });
  if (shot.non2xx + shot.errors === 0) return shot;
  throw new Error(`${name} at ${url}: ${shot.non2xx} refused, ${shot.errors} errors`);
};
