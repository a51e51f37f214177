/** Makes commands of rows of a table: what a command takes, which operation of the control interface it asks, and what it prints. */
import type { Command } from 'commander';
import type { Answer, Input, InputParameter, OperationId } from '../../client/control/control-types.ts';
import type { AddCommand, CommandContext } from '../command-context.ts';
import { sendCommand, withServer, type ServerOptions } from './server-connection.ts';

type Row<Id extends OperationId, Options, Values extends readonly unknown[], Item> = {
  /** Adds arguments and options to those of the server. */
  readonly usage?: (command: Command) => Command;
  /** The input of the operation, from the options and the values of the arguments. A list is sent one after the other. */
  readonly input?: (options: Options, ...values: Values) => Input<Id> | readonly Input<Id>[];
  /** Runs before anything is sent. It throws to prevent that. */
  readonly before?: (options: Options & ServerOptions) => Promise<void> | undefined;
  /** The input for the next page. Undefined after the last one. */
  readonly next?: (answer: Answer<Id>, input: Input<Id>) => Input<Id> | undefined;
  /** What is printed, each by itself. Default: the answer. */
  readonly items?: (answer: Answer<Id>) => readonly Item[];
  /** How an item is printed. Nothing is printed without it. */
  readonly line?: (item: Item) => string;
  /** The description of `--json`, which prints each item as JSON. There is no such option without it. */
  readonly json?: string;
  /** Warns of what else the answer says, and sets the exit code. It runs before anything is printed. */
  readonly check?: (answer: Answer<Id>, context: CommandContext) => void;
};

type Given<Options> = Options & ServerOptions & { readonly json?: boolean };

/** What a command does with its options and the values of its arguments. */
export type Run<Options, Values extends readonly unknown[]> = (
  options: Given<Options>,
  values: Values,
) => Promise<void>;

/** A command that asks one operation. */
export const row =
  <Id extends OperationId, Options, Values extends readonly unknown[], Item = Answer<Id>>(
    name: string,
    description: string,
    operation: Id,
    definition: Row<Id, Options, Values, Item> = {},
  ): AddCommand =>
  (parent, context) => {
    const { usage = (command: Command) => command, json } = definition;
    const command = usage(withServer(parent.command(name)).description(description));
    if (json !== undefined) command.option('--json', json);
    const run = runner(operation, definition, context);
    // Commander gives the values of the arguments, the options, and the command.
    command.action((...given: unknown[]) =>
      run(given.at(-2) as Given<Options>, given.slice(0, -2) as unknown as Values),
    );
  };

/** What a row does, for a command that chooses one of several. */
export const runner = <Id extends OperationId, Options, Values extends readonly unknown[], Item>(
  operation: Id,
  { input, before, next, line, check, ...row }: Row<Id, Options, Values, Item>,
  context: CommandContext,
): Run<Options, Values> => {
  const items = row.items ?? ((answer: Answer<Id>) => [answer as unknown as Item]); // the default of its type
  const print = (item: Item, isJson = false): void => {
    if (line !== undefined) context.print(isJson ? JSON.stringify(item) : line(item));
  };
  return async (options, values) => {
    await before?.(options);
    for (const first of [input?.(options, ...values)].flat() as (Input<Id> | undefined)[]) {
      let asked = first;
      do {
        const answer = await sendCommand(options, operation, ...([asked] as unknown as InputParameter<Id>)); // a row without input needs none
        check?.(answer, context);
        for (const item of items(answer)) print(item, options.json);
        asked = asked && next?.(answer, asked);
      } while (asked !== undefined);
    }
  };
};

/** A command that has others. */
export const group =
  (name: string, description: string, members: readonly AddCommand[]): AddCommand =>
  (program, context) => {
    const command = program.command(name).description(description);
    for (const add of members) add(command, context);
  };
