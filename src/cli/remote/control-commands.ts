/** Makes the commands that the document of the control interface describes. */
import type { Command } from 'commander';
import { type OperationId, surfaceOf } from '../../client/client-control.ts';
import { commandGroups, surfaces } from '../../client/generated/surfaces.ts';
import type { AddCommand, CommandContext } from '../command-context.ts';
import { argumentName, inputFrom, withArgument, withInputs } from './input-options.ts';
import { presentationOf } from './presentations.ts';
import { showAnswer, type ShowOptions } from './show-answer.ts';
import { withServer } from './server-connection.ts';

/** Adds a command for each operation that has one. A command that is already there keeps its own subcommands. */
export const addControlCommands: AddCommand = (program, context) => {
  for (const id of Object.keys(surfaces) as OperationId[]) {
    const { command } = surfaceOf(id);
    if (command !== undefined) addCommand(program, id, command, context);
  }
};

/** The command of this name, which is made where there is none. */
export const groupNamed = (program: Command, name: string): Command =>
  program.commands.find((each) => each.name() === name) ?? program.command(name).description(commandGroups[name] ?? '');

const addCommand = (program: Command, id: OperationId, usage: string, context: CommandContext): void => {
  const { summary, help = summary, isJson } = surfaceOf(id);
  const words = usage.split(' ');
  const names = words.filter((word) => /^\w/.test(word));
  const written = words.slice(names.length);
  const parent = names.slice(0, -1).reduce(groupNamed, program);
  const command = withServer(parent.command(names.at(-1) ?? '')).description(`${help}.`);
  for (const text of written) withArgument(command, id, text);
  withInputs(command, id, written.map(argumentName));
  if (isJson) command.option('--json', 'print the answer as JSON, a list as JSON lines');
  const { guard } = presentationOf(id);
  if (guard !== undefined) command.option(guard.option, guard.description);
  // Commander gives the values of the arguments, the options, and the command.
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as ShowOptions; // of `withServer` and the lines above
    await guard?.before(options);
    for (const values of combinations(written.map(argumentName), given.slice(0, -2)))
      await showAnswer(id, inputFrom(id, options, values), options, context);
  });
};

/** The values of the arguments by name. An argument that takes several values is sent one after the other. */
const combinations = (names: readonly string[], given: readonly unknown[]): readonly ReadonlyMap<string, unknown>[] => {
  const last = given.at(-1);
  const several = Array.isArray(last) ? (last as readonly unknown[]) : [last];
  return several.map((value) => new Map(names.map((name, at) => [name, at === names.length - 1 ? value : given[at]])));
};
