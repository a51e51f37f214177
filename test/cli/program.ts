/** The program of the command line: run in this process, and as data for tests of its names. */
import type { Command } from 'commander';
import { loadCommands } from '../../src/cli/all-commands.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { createProgram, runCommandLine } from '../../src/cli/command-line.ts';
import { rim } from '../../src/cli/rim.ts';
import { root } from '../support/atoll.ts';

export { exitCodeOf, exitCodes } from '../../src/cli/exit-codes.ts';

/** All commands with their options. Adding a command asks for nothing of the process but its environment. */
export const wholeProgram = async (): Promise<Command> =>
  createProgram({ root, environment: {} } as CommandContext, await loadCommands(rim));

/** Runs a command of the program with all its parts. */
export const runProgram = (args: readonly string[], context: Omit<CommandContext, 'rim'>): Promise<number> =>
  runCommandLine(args, { ...context, rim });
