/** Processes of Atoll over one database, each of which a test can kill, stop and start again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startBalancer, type Balancer } from './balancer.ts';
import { programFile } from './places.ts';

/** Preloaded: moves the clock of the process by the milliseconds in ATOLL_TEST_SKEW. */
const skewModule = join(dirname(fileURLToPath(import.meta.url)), 'skewed-clock.mjs');

export type AtollOptions = {
  /** The connection text of the database. */
  readonly store: string;
  /** The directory of bytes that the processes share. */
  readonly data: string;
  readonly args?: readonly string[];
  /** How far its clock goes ahead, in milliseconds. */
  readonly skewMs?: number;
  /** A file whose number is how far its clock goes ahead after a SIGUSR2, in milliseconds. */
  readonly jumpFile?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export type AtollProcess = {
  readonly url: string;
  readonly pid: number;
  /** What it has written to standard error so far. */
  log(): string;
  isRunning(): boolean;
  /** SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves with the exit code when it has ended. */
  stop(): Promise<number | null>;
};

/** Processes that a test has not ended. */
const running = new Set<AtollProcess>();

/** Kills what is left; for `afterAll`. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map((each) => each.kill()));
};

/** Below the ports that the system gives to who asks for any. */
const anyPort = (): number => 10_000 + Math.floor(Math.random() * 10_000);

/** Starts `atoll serve` and waits until it is ready. Rejects with what it wrote when it ends instead. */
export const startAtoll = async (options: AtollOptions): Promise<AtollProcess> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(anyPort(), options);
    } catch (error) {
      const isTaken = error instanceof Error && /EADDRINUSE|in use/.test(error.message);
      if (!isTaken || attempt === 20) throw error;
    }
  }
};

const startOn = async (
  port: number,
  { store, data, args = [], skewMs = 0, jumpFile, env = {} }: AtollOptions,
): Promise<AtollProcess> => {
  const skewed = skewMs === 0 && jumpFile === undefined ? [] : ['--import', skewModule];
  const jumps = jumpFile === undefined ? {} : { ATOLL_TEST_JUMP: jumpFile };
  const places = ['--port', String(port), '--store', store, '--data', data];
  const fixed = ['serve', '--json', '--host', '127.0.0.1', '--log-level', 'warn', ...places];
  const child = spawn(process.execPath, [...skewed, programFile, ...fixed, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ATOLL_TEST_SKEW: String(skewMs), ...jumps, ...env },
  });
  let log = '';
  child.stderr.on('data', (piece: Buffer) => (log += piece.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null); // as Node emits it
  await new Promise<void>((resolve, reject) => {
    // It prints its address when it is ready: that of the repository, not its own.
    child.stdout.once('data', () => resolve());
    void ended.then((code) => reject(new Error(`atoll ended with ${code}: ${log}`)));
  });
  const atoll: AtollProcess = {
    ...{ url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 },
    log: () => log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
  running.add(atoll);
  void ended.then(() => running.delete(atoll));
  return atoll;
};

/** Several processes and a balancer in front of them. */
export type Team = {
  readonly processes: readonly AtollProcess[];
  readonly balancer: Balancer;
  /** The address of the balancer. */
  readonly url: string;
  /** Starts a process in the place of one that has ended. */
  restart(index: number): Promise<void>;
  /** Ends all with SIGTERM; resolves with their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
};

/** Starts the balancer, whose address is that of the repository, and all processes at once: one of them fills the repository. */
export const startTeam = async (wanted: readonly AtollOptions[]): Promise<Team> => {
  const balancer = await startBalancer([]);
  const each = wanted.map((options) => ({ ...options, args: ['--base-url', balancer.url, ...(options.args ?? [])] }));
  const starting = await Promise.allSettled(each.map(startAtoll));
  const processes = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = starting.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all([balancer.close(), ...processes.map((one) => one.kill())]);
    throw failed.reason;
  }
  balancer.setTargets(processes.map(({ url }) => url));
  return {
    ...{ processes, balancer, url: balancer.url },
    restart: async (index) => {
      const options = each[index];
      if (options === undefined) throw new Error(`There is no process ${index}.`);
      processes[index] = await startAtoll(options);
      balancer.setTargets(processes.map(({ url }) => url));
    },
    stop: async () => {
      const codes = await Promise.all(processes.map((one) => (one.isRunning() ? one.stop() : Promise.resolve(null))));
      await balancer.close();
      return codes;
    },
  };
};
