/** The options of commands, and how a command line of `serve` is read. No tests here. */
import { Command } from 'commander';
import type { OptionRow } from '../../../src/basics/options/option-rows.ts';
import { commandOptions } from '../../../src/cli/options/option-table.ts';
import {
  addStartOptions,
  readOptions,
  refuseContradictions,
  type ReadOptions,
} from '../../../src/cli/options/start-options.ts';

/** The variables that stand for an option. */
export const optionVariables: readonly string[] = Object.values<OptionRow>(commandOptions).flatMap(
  ({ variable }) => variable ?? [],
);

const commandWith = (args: readonly string[]): Command =>
  addStartOptions(new Command(), 'serve')
    .exitOverride()
    .parse([...args], { from: 'user' });

/** The options of `serve` with these words on the command line. */
export const readServe = (args: readonly string[], environment: Record<string, string> = {}): ReadOptions<'serve'> =>
  readOptions(commandWith(args), 'serve', environment);

/** Throws for options that contradict each other. */
export const refuseContradicting = (args: readonly string[], environment: Record<string, string> = {}): void =>
  refuseContradictions(commandWith(args), readServe(args, environment).values);
