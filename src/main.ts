/** The executable: runs the command of the command line, and turns errors into exit codes. Only this file uses `process`. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { addCheck } from './cli/check.ts';
import type { CommandContext } from './cli/command-context.ts';
import { addEnv } from './cli/remote/env.ts';
import { addExec } from './cli/exec.ts';
import { errorLine } from './cli/error-line.ts';
import { exitCodeOf, exitCodes } from './cli/exit-codes.ts';
import { addExport } from './cli/export.ts';
import { addFaults } from './cli/remote/faults.ts';
import { addFixture } from './cli/fixture.ts';
import { addHashPassword } from './cli/hash-password.ts';
import { addHealth } from './cli/remote/health.ts';
import { addImport } from './cli/import.ts';
import { addLinksAudit } from './cli/remote/links-audit.ts';
import { addLs } from './cli/remote/ls.ts';
import { addClock } from './cli/remote/clock.ts';
import { addCoverage } from './cli/remote/coverage.ts';
import { addReload } from './cli/remote/reload.ts';
import { addReset } from './cli/remote/reset.ts';
import { addSelftest } from './cli/selftest.ts';
import { addSnapshot } from './cli/remote/snapshot.ts';
import { addWorld } from './cli/remote/world.ts';
import { addServe, loadServer } from './cli/serve.ts';
import { addToken } from './cli/remote/token.ts';
import { addTraffic } from './cli/remote/traffic.ts';
import { readVersion } from './server/package-version.ts';

const context: CommandContext = {
  // The bundle is in dist/, this file in src/: both are folders of the package.
  root: fileURLToPath(new URL('..', import.meta.url)),
  prepared: fileURLToPath(new URL('./prepared.json', import.meta.url)),
  print: (text) => process.stdout.write(`${text}\n`),
  // By default V8 lets the heap grow to several times the records before it collects (`npm run bench:store`).
  limitHeapGrowth: () => setFlagsFromString('--heap-growing-percent=60'),
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
  environment: process.env,
};

// Loads the modules of the server while the commands are added.
if (process.argv[2] === 'serve') void loadServer();

const program = new Command('atoll')
  .version(await readVersion(context.root))
  .description('A mock-first contract server for the REST interface of an Islandora repository.')
  // An option belongs to the command before it: `traffic` and `traffic assert` share names of options.
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });
for (const add of [
  addServe,
  addExec,
  addEnv,
  addHealth,
  addToken,
  addLinksAudit,
  addLs,
  addExport,
  addImport,
  addFixture,
  addCheck,
  addHashPassword,
  addFaults,
  addReload,
  addWorld,
  addReset,
  addSnapshot,
  addClock,
  addTraffic,
  addCoverage,
  addSelftest,
])
  add(program, context);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
  else {
    process.stderr.write(`atoll: ${errorLine(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
