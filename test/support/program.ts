/** The built program as a process, for tests that need one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
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
export const programFile = join(root, 'coverage/atoll.mjs');

/** Making a key takes as much of the processor as the rest of a start. */
const signingKeyFile = join(root, `coverage/signing-key-${process.pid}.pem`);
await writeFile(signingKeyFile, testSigningKey);

/** Starts `atoll serve --port 0 --json …` and waits until it is ready. Rejects with what it wrote when it ends instead. */
export const startProgram = async (args: readonly string[], port = 0): Promise<RunningProgram> => {
  const fixed = ['--port', String(port), '--json', '--jwt-key', signingKeyFile];
  const child = spawn(process.execPath, [programFile, 'serve', ...fixed, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (piece: Buffer) => (log += piece.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
      if (output.includes('\n')) resolve(output);
    });
    void ended.then((code) => reject(new Error(`atoll ended with ${code}: ${log}`)));
  });
  const { url } = JSON.parse(line) as { url: string };
  return {
    file: programFile,
    url,
    child,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
};
