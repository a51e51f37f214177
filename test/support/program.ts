/** The built program: as a running server, and run to its end. */
import { existsSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './atoll.ts';
import { testSigningKey } from './signing-key.ts';

export type RunningProgram = {
  /** The bundle: `node file serve …`. */
  readonly file: string;
  readonly url: string;
  readonly child: ChildProcess;
  /** What has been written to standard error so far. */
  log(): string;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
};

/** Built before the run (`before-all.mjs`), one floor below the package as `dist` is. */
export const programFile = join(root, 'coverage/main.js');

/** Making a key takes as much of the processor as the rest of a start. */
export const signingKeyFile = join(root, 'coverage/signing-key.pem');
if (!existsSync(signingKeyFile)) {
  await writeFile(`${signingKeyFile}.${process.pid}`, testSigningKey);
  await rename(`${signingKeyFile}.${process.pid}`, signingKeyFile);
}

/**
 * Starts `atoll serve --port 0 --json …` and waits until it is ready. Rejects with what it wrote when it ends instead.
 * `openFiles` is how many descriptors the system allows it, `program` another bundle.
 */
export const startProgram = async (
  args: readonly string[],
  port = 0,
  openFiles?: number,
  key: readonly string[] = ['--jwt-key', signingKeyFile],
  program = programFile,
): Promise<RunningProgram> => {
  const fixed = ['--port', String(port), '--json', ...key];
  const command = [process.execPath, program, 'serve', ...fixed, ...args];
  const limited = ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command];
  const [file = '', ...rest] = openFiles === undefined ? command : limited;
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (piece: Buffer) => (log += piece.toString()));
  // Not at `exit`: what it has written may still be on its way then.
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
      // What was written to standard error before has arrived too, and is read in this turn.
      if (output.includes('\n')) setImmediate(resolve, output);
    });
    void ended.then((code) => reject(new Error(`atoll ended with ${code}: ${log}`)));
  });
  const { url } = JSON.parse(line) as { url: string };
  return {
    file: program,
    url,
    child,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
};

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string };

export type RunOptions = { readonly cwd?: string; readonly until?: string; readonly input?: string | Uint8Array };

/** Runs `atoll …` and resolves when it has ended. `until` ends it with SIGTERM once that has been printed. `input` is its standard input. */
export const run = async (args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
  const child = spawn(process.execPath, [programFile, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let out = '';
  let error = '';
  child.stdin.on('error', () => undefined); // the program may end before it has read everything
  child.stdin.end(options.input ?? '');
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
    if (options.until !== undefined && out.includes(options.until)) child.kill('SIGTERM');
  });
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, error };
};

/** Calls back with a new directory, and removes the directory afterwards. */
export const withDirectory = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'atoll-cli-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
