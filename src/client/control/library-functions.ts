/** Makes the functions of the library that the control document describes. */
import { libraryFunctions, type ServerFunctions, type WorldFunctions } from '../generated/library.ts';
import type { ControlClient } from './control-client.ts';
import type { OperationId } from './control-types.ts';

type Functions = { readonly world: WorldFunctions; readonly server: ServerFunctions };
type AnyFunctions = { [name: string]: AnyFunctions | ((...values: readonly unknown[]) => Promise<unknown>) };

/** `ask` and `open` for an operation whose types only the table knows. */
type AnyClient = {
  readonly ask: (id: OperationId, input: object) => Promise<unknown>;
  readonly open: (id: OperationId, input: object) => Promise<Response>;
};

/** The functions of every world, or of a server. */
export const libraryFunctionsOf = <Scope extends keyof Functions>(
  scope: Scope,
  client: ControlClient,
): Functions[Scope] => {
  const { ask, open } = client as unknown as AnyClient; // the table and the types are made of the same document
  const functions: AnyFunctions = {};
  for (const { operation, path, taken, member, isStream, ...described } of libraryFunctions) {
    if (described.scope !== scope) continue;
    const [name = '', group] = [...path].reverse();
    const place = group === undefined ? functions : ((functions[group] ??= {}) as AnyFunctions);
    place[name] = async (...values) => {
      const input = inputOf(taken, values);
      if (isStream) return (await open(operation, input)).body ?? emptyStream();
      const answer = await ask(operation, input);
      return member === undefined ? answer : (answer as Readonly<Record<string, unknown>>)[member]; // the client has looked for it
    };
  }
  return functions as unknown as Functions[Scope];
};

const inputOf = (taken: (typeof libraryFunctions)[number]['taken'], values: readonly unknown[]): object => {
  const input: { [place: string]: unknown } = {};
  for (const [at, { place, name }] of taken.entries()) {
    input[place] = name === undefined ? values[at] : { ...Object(input[place]), [name]: values[at] };
  }
  return input;
};

const emptyStream = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => controller.close() });
