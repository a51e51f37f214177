/** Runs the command line with what the process has. Only this file uses `process`. */
import { packageFolder } from '../../basics/disk/package-folder.ts';
import { runCommandLine } from '../command-line.ts';
import type { CommandContext } from '../command-context.ts';
import { rim } from '../rim.ts';
import { prepared } from './prepared-file.ts';

const context: CommandContext = {
  rim,
  root: packageFolder(import.meta.url),
  prepared,
  print: (text) => process.stdout.write(`${text}\n`),
  // By default V8 lets the heap grow to several times the records before it collects (`npm run bench:suite -- store`).
  limitHeapGrowth: () => process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=60'),
  warn: (text) => process.stderr.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}\r`);
  },
  isTerminal: process.stderr.isTTY,
  writeLog: (text) => process.stderr.write(text),
  input: () => process.stdin,
  onStop: (first, later) => {
    let stop = first;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        stop();
        stop = later;
      });
    }
  },
  onStrayError: (listener) => {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, listener);
  },
  exit: (code) => process.exit(code),
  exitBySignal: (signal) => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  },
  onSignal: (listener) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, listener);
  },
  onOutputClosed: (listener) => process.stdout.once('error', listener),
  environment: process.env,
};

/** Runs the command of this process. The process ends with its exit code. */
export const runProgram = async (): Promise<void> => {
  // `| head -1` and a pager that is left close their end before everything is written. That is not a failure (on Windows: EOF).
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EOF') throw error;
    });
  }
  process.exitCode = await runCommandLine(process.argv.slice(2), context);
};
