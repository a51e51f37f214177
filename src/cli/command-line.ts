/** Runs a command line: finds its command, and turns errors into exit codes. */
import { Command, CommanderError } from 'commander';
import { addCheck } from './check.ts';
import { addCollection } from './collection/collection.ts';
import type { CommandContext } from './command-context.ts';
import { addEnv } from './remote/env.ts';
import { addExec } from './exec.ts';
import { errorLine } from './error-line.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { addExport } from './export.ts';
import { addFaults } from './remote/faults.ts';
import { addFixture } from './fixture.ts';
import { addHashPassword } from './hash-password.ts';
import { addHealth } from './remote/health.ts';
import { addImport } from './import.ts';
import { addLinksAudit } from './remote/links-audit.ts';
import { addLs } from './remote/ls.ts';
import { addClock } from './remote/clock.ts';
import { addCoverage } from './remote/coverage.ts';
import { addRecording } from './recording/recording.ts';
import { addReload } from './remote/reload.ts';
import { addReset } from './remote/reset.ts';
import { addSelftest } from './selftest.ts';
import { addSite } from './site/site.ts';
import { addDiff } from './target/diff.ts';
import { addProxy } from './target/proxy.ts';
import { addSnapshot } from './remote/snapshot.ts';
import { addWorld } from './remote/world.ts';
import { addServe, loadServer } from './serve.ts';
import { addToken } from './remote/token.ts';
import { addTraffic } from './remote/traffic.ts';
import { addTwin } from './target/twin.ts';
import { addVerify } from './target/verify.ts';
import { readVersion } from '../server/package-version.ts';

/** Returns the exit code, unless the command ends the process itself. `args` begins with the name of the command. */
export const runCommandLine = async (args: readonly string[], context: CommandContext): Promise<number> => {
  // Loads the modules of the server while the commands are added.
  const isServe = args[0] === 'serve';
  if (isServe) void loadServer();
  // The options of all the others take some milliseconds, and this start is the one that people wait for.
  const program = await createProgram(context, isServe ? [addServe] : commands);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    context.warn(`atoll: ${errorLine(error)}`);
    return exitCodeOf(error);
  }
};

const createProgram = async (context: CommandContext, added: typeof commands): Promise<Command> => {
  const program = new Command('atoll')
    .version(await readVersion(context.root))
    .description('A mock-first contract server for the REST interface of an Islandora repository.')
    // An option belongs to the command before it: `traffic` and `traffic assert` share names of options.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.replace(/\n$/, '')),
      writeErr: (text) => context.writeLog(text),
    });
  for (const add of added) add(program, context);
  return program;
};

const commands: readonly ((program: Command, context: CommandContext) => void)[] = [
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
  addRecording,
  addCheck,
  addHashPassword,
  addSite,
  addCollection,
  addDiff,
  addProxy,
  addTwin,
  addFaults,
  addReload,
  addWorld,
  addReset,
  addSnapshot,
  addClock,
  addTraffic,
  addCoverage,
  addSelftest,
  addVerify,
];
