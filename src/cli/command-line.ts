/** Runs a command line: finds its command, and turns errors into exit codes. */
import { Command, CommanderError } from 'commander';
import type { AddCommand, CommandContext, Rim } from './command-context.ts';
import { errorLine } from './error-line.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { addServe, loadServer } from './serve.ts';
import { lazyModule } from '../basics/lazy-module.ts';
import { readVersion } from '../server/server.ts';

/** `atoll serve` and `atoll mcp` start without the modules of the others. */
const loadAll = lazyModule(() => import('./all-commands.ts'), 'loadCommands');

/** Returns the exit code, unless the command ends the process itself. `args` begins with the name of the command. */
export const runCommandLine = async (args: readonly string[], context: CommandContext): Promise<number> => {
  // Loads the modules of the server while the commands are added.
  const isServe = args[0] === 'serve';
  if (isServe) void loadServer();
  const program = await createProgram(context, isServe ? [addServe] : await commandsFor(args[0], context.rim));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    context.warn(`atoll: ${errorLine(error)}`);
    return exitCodeOf(error);
  }
};

/** The options of all commands take some milliseconds, and these starts are the ones that people wait for. */
const commandsFor = async (name: string | undefined, rim: Rim): Promise<readonly AddCommand[]> =>
  name === 'mcp' && rim.mcp !== undefined
    ? Object.values(await (await rim.mcp()).loadCommands())
    : (await loadAll()).loadCommands(rim);

/** Where a reader of the help finds more. */
const pages = `
The pages are in docs/use of the package. A running server has them as Markdown; its /llms.txt lists them.`;

/** The program with these commands. */
export const createProgram = async (context: CommandContext, added: readonly AddCommand[]): Promise<Command> => {
  const program = new Command('atoll')
    .version(await readVersion(context.root))
    .description('A mock-first contract server for the REST interface of an Islandora repository.')
    .addHelpText('after', pages)
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
