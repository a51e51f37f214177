/** The built program as a process, for tests that need one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';
import { root } from './atoll.ts';

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

let built: Promise<string> | undefined;

/** Bundles the program once a test file, beside `dist` so that it finds the package above it. */
export const buildProgram = (): Promise<string> => {
  built ??= (async () => {
    const folder = join(root, 'coverage');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `atoll-${process.pid}.mjs`);
    await bundle(file);
    return file;
  })();
  return built;
};

/** Starts `atoll serve --port 0 --json …` and waits until it is ready. Rejects with what it wrote when it ends instead. */
export const startProgram = async (args: readonly string[], port = 0): Promise<RunningProgram> => {
  const file = await buildProgram();
  const child = spawn(process.execPath, [file, 'serve', '--port', String(port), '--json', ...args], {
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
    file,
    url,
    child,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
};
