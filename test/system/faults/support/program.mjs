/** The built program as a process that a fault script starts, hurts and starts again. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../../../support/built-program.mjs';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** `run.mjs` builds it once for all scripts and names it. */
const given = process.env.ATOLL_FAULTS_PROGRAM;
const children = new Set();

/**
 * The connection text of a PostgreSQL server, in ATOLL_FAULTS_POSTGRES: records are in a database then, one for each data
 * directory, and the directory has the bytes. `npm run test:suite -- postgres` runs some scripts so.
 */
const postgres = process.env.ATOLL_FAULTS_POSTGRES;
export const isTeam = postgres !== undefined;
const databases = new Map();

const inDatabase = async (name, sql) => {
  const { default: pg } = await import('pg');
  const url = new URL(postgres);
  if (name !== undefined) url.pathname = name;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
  return url.href;
};

/** The options that say where the records are. */
const storeOf = async (data) => {
  if (!isTeam) return [];
  if (!databases.has(data)) {
    const name = `faults_${process.pid}_${databases.size}`;
    await inDatabase(undefined, `CREATE DATABASE ${name}`);
    databases.set(data, name);
  }
  return ['--store', Object.assign(new URL(postgres), { pathname: databases.get(data) }).href];
};

/** Runs SQL in the database of a data directory. */
export const damageDatabase = (data, sql) => inDatabase(databases.get(data), sql);

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** The program starts in the root. */
export const programFile = async () => {
  process.chdir(root);
  return given ?? builtProgram();
};

/** A directory for the whole script, removed when it ends. */
export const workDirectory = () => {
  const path = mkdtempSync(join(tmpdir(), 'atoll-faults-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** Starts `atoll serve` on a data directory. `prefix` is put before the command. Rejects with its log when it ends first. */
export const serve = async (data, { args = [], env = {}, prefix = [] } = {}) => {
  const file = await programFile();
  const [command, ...rest] = [...prefix, process.execPath, file, 'serve', '--port', '0', '--json', '--data', data];
  const options = ['--log-level', 'warn', '--fixture', 'empty', ...(await storeOf(data)), ...args];
  const begun = performance.now();
  const child = spawn(command, [...rest, ...options], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let log = '';
  child.stderr.on('data', (piece) => (log += piece));
  const ended = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    return { code, signal };
  });
  const line = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
      if (output.includes('\n')) resolve(output);
    });
    ended.then(({ code, signal }) =>
      reject(Object.assign(new Error(`atoll ended with ${code ?? signal}: ${log}`), { code, log })),
    );
  });
  return {
    url: JSON.parse(line).url,
    pid: child.pid,
    startMs: performance.now() - begun,
    log: () => log,
    ended,
    signal: (name) => child.kill(name),
    kill: () => (child.kill('SIGKILL'), ended),
    stop: () => (child.kill('SIGTERM'), ended),
  };
};

/** Runs a command of the program to its end. */
export const atoll = async (...args) => {
  const file = await programFile();
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: 'utf8' });
  return { code: status, stdout, stderr };
};

/** Runs a system command; throws with what it wrote. */
export const system = (command, ...args) => {
  const { status, stderr, stdout, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
};

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the condition holds, or after 20 seconds; the caller looks itself at what has become of it. */
export const until = async (condition) => {
  for (let left = 1000; left > 0 && !(await condition()); left -= 1) await pause(20);
};
