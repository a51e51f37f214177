/** The executable: hands the arguments to the commands, and errors to the exit code. The only reader of the process. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { addCheck } from './cli/check.ts';
import { addEnv } from './cli/env.ts';
import { addExec } from './cli/exec.ts';
import { exitCodeOf, exitCodes } from './cli/exit-codes.ts';
import { addExport } from './cli/export.ts';
import { addFaults } from './cli/faults.ts';
import { addHealth } from './cli/health.ts';
import { addImport } from './cli/import.ts';
import { addLinksAudit } from './cli/links-audit.ts';
import { addLs } from './cli/ls.ts';
import { addClock } from './cli/clock.ts';
import { addCoverage } from './cli/coverage.ts';
import { addReload } from './cli/reload.ts';
import { addReset } from './cli/reset.ts';
import { addSelftest } from './cli/selftest.ts';
import { addSnapshot } from './cli/snapshot.ts';
import { addWorld } from './cli/world.ts';
import { addServe, loadServer, type Surroundings } from './cli/serve.ts';
import { addToken } from './cli/token.ts';
import { addTraffic } from './cli/traffic.ts';
import { readVersion } from './read-version.ts';

const around: Surroundings = {
  // The bundle lies in dist/, this file in src/: both one floor below the package.
  root: fileURLToPath(new URL('..', import.meta.url)),
  prepared: fileURLToPath(new URL('./prepared.json', import.meta.url)),
  print: (text) => process.stdout.write(`${text}\n`),
  // By itself V8 lets the heap grow to several times the records before it collects (`npm run bench:store`).
  keepHeapNearRecords: () => setFlagsFromString('--heap-growing-percent=60'),
  warn: (text) => process.stderr.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}\r`);
  },
  onStop: (first, second) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) second();
        else first();
        asked = true;
      });
    }
  },
  exit: (code) => process.exit(code),
  endBy: (signal) => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  },
  onSignal: (heard) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, heard);
  },
  environment: process.env,
  isWindows: process.platform === 'win32',
};

// Read while the commands are put together.
if (process.argv[2] === 'serve') void loadServer();

const program = new Command('atoll')
  .version(await readVersion(around.root))
  .description('A mock-first contract server for the REST interface of an Islandora repository.')
  // An option belongs to the command that it stands behind: `traffic` and `traffic assert` have some of the same name.
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
  addCheck,
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
  add(program, around);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
  else {
    process.stderr.write(`atoll: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
