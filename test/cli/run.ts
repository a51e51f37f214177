/** Runs the built program to its end, for tests of the command line. A program that goes on running is `../support/program.ts`. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../support/program.ts';

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string };

/** Runs `atoll …` and resolves when it has ended. `until` ends it with SIGTERM once that has been printed. */
export const run = async (args: readonly string[], options: { cwd?: string; until?: string } = {}): Promise<Ended> => {
  const child = spawn(process.execPath, [programFile, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let out = '';
  let error = '';
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
    if (options.until !== undefined && out.includes(options.until)) child.kill('SIGTERM');
  });
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, error };
};

/** Calls back with a new directory that is gone afterwards. */
export const withDirectory = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'atoll-cli-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
