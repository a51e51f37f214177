/** The executable: hands the arguments to the commands, and errors to the exit code. The only reader of the process. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { addCheck } from './cli/check.ts';
import { exitCodeOf, exitCodes } from './cli/exit-codes.ts';
import { addExport } from './cli/export.ts';
import { addImport } from './cli/import.ts';
import { addLinksAudit } from './cli/links-audit.ts';
import { addLs } from './cli/ls.ts';
import { addServe, type Surroundings } from './cli/serve.ts';
import { addToken } from './cli/token.ts';

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
};

const program = new Command('atoll')
  .description('A mock-first contract server for the REST interface of an Islandora repository.')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });
for (const add of [addServe, addToken, addLinksAudit, addLs, addExport, addImport, addCheck]) add(program, around);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
  else {
    process.stderr.write(`atoll: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
