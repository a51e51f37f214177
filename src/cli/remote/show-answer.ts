/** Asks an operation of the control interface, page after page, and prints what it answers. */
import {
  CommandRefusal,
  type Input,
  type InputParameter,
  type OperationId,
  type ShownItem,
  surfaceOf,
} from '../../client/client-control.ts';
import type { CommandContext } from '../command-context.ts';
import { presentationOf } from './presentations.ts';
import { sendCommand, type ServerOptions } from './server-connection.ts';

export type ShowOptions = ServerOptions & { readonly json?: boolean };

/** Prints an answer as `presentations.ts` says, else a text as it is, and anything else as JSON. */
export const showAnswer = async <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { json = false, ...server }: ShowOptions,
  context: CommandContext,
): Promise<void> => {
  const { answer: member, next, isJson } = surfaceOf(id);
  const { line = plainLine, check, refusals = {} } = presentationOf(id);
  let asked: Input<Id> | undefined = input;
  while (asked !== undefined) {
    const sent = sendCommand(server, id, ...([asked] as unknown as InputParameter<Id>)); // an input may always be given
    const answer = await sent.catch((error: unknown): undefined => {
      const code = refusals[statusOf(error) ?? 0];
      if (code === undefined) throw error;
      context.warn(`atoll: ${(error as Error).message}`); // `statusOf` has found a refusal
      context.exit(code);
      return undefined;
    });
    if (answer === undefined || !isJson) return;
    check?.(answer, context);
    const members = answer as Readonly<Record<string, unknown>>;
    const shown = member === undefined ? answer : members[member];
    const items = (Array.isArray(shown) ? shown : [shown]) as readonly ShownItem<Id>[]; // that type is of the items
    if (json) for (const item of Array.isArray(shown) ? items : [answer]) context.print(JSON.stringify(item));
    else for (const text of items.map(line)) if (text !== undefined) context.print(text);
    const cursor = members['next'] as string | number | undefined; // the parameter is for it
    asked = next === undefined || cursor === undefined ? undefined : nextPage(asked, next, String(cursor));
  }
};

/** The status of the refusal that a command ended with. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && error.cause instanceof CommandRefusal ? error.cause.status : undefined;

const nextPage = <I>(input: I, name: string, value: string): I => {
  const { query } = input as { readonly query?: object }; // that of an operation with pages
  return { ...input, query: { ...query, [name]: value } };
};

const plainLine = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item, null, 2));
