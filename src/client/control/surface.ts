/** How an operation of the control interface is called by people and programs: what each of its inputs is, and what of its answer is shown. */
import { surfaces } from '../generated/surfaces.ts';
import type { Answer, OperationId } from './control-types.ts';

/** Keywords of JSON Schema by which a value is read and checked. */
type InputSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly items?: InputSchema;
  /** The values of an object with any names. */
  readonly additionalProperties?: InputSchema;
};

/** A parameter, or a member of the body. */
export type SurfaceInput = {
  readonly name: string;
  /** How a caller writes the name: `id` for `fault_id` of a path. */
  readonly as: string;
  readonly place: 'path' | 'query' | 'body';
  readonly isRequired: boolean;
  readonly schema: InputSchema;
  readonly description: string;
  /** The sentence for the command line, where it is not the description. */
  readonly help?: string;
  /** The option of the command line, such as `--ttl <seconds>`. */
  readonly option?: string;
  /** Whether agents may give it. */
  readonly isForTools: boolean;
  /** What a value has to be, for those who gave another one. */
  readonly form?: string;
};

/** How an operation is called, from its `x-atoll-…` members. */
export type Surface = {
  readonly summary: string;
  /** The sentence for the command line, where it is not the summary. */
  readonly help?: string;
  /** The command line, with its arguments: `world fork [name]`, or `clock set [time=now]` where an argument has another name than its input. */
  readonly command?: string;
  /** The tool for coding agents, and the action there: `faults add`. */
  readonly tool?: string;
  /** The member of the answer that is shown. All of it when left out. */
  readonly answer?: string;
  /** The parameter that takes the `next` of the page before. */
  readonly next?: string;
  readonly changes: boolean;
  /** Whether it answers with JSON. */
  readonly isJson: boolean;
  readonly hasBody: boolean;
  /** What to say where the body needs a member, whichever, and has none. */
  readonly needsOne?: string;
  readonly inputs: readonly SurfaceInput[];
};

export const surfaceOf = (id: OperationId): Surface => surfaces[id];

/** What of an answer is shown. */
export type Shown<Id extends OperationId> = (typeof surfaces)[Id] extends { readonly answer: infer Member }
  ? Answer<Id>[Member & keyof Answer<Id>]
  : Answer<Id>;

/** One of the values that are shown, each by itself, where it is a list. */
export type ShownItem<Id extends OperationId> = Shown<Id> extends readonly (infer Item)[] ? Item : Shown<Id>;

/** The input of an operation, from the values that a caller has for it. Undefined ones are left out; the server refuses an input that lacks one. */
export const placedInput = (
  { inputs, hasBody }: Surface,
  valueOf: (input: SurfaceInput) => unknown,
): Readonly<Record<SurfaceInput['place'], Readonly<Record<string, unknown>> | undefined>> => {
  const placed = (place: SurfaceInput['place']): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      inputs.flatMap((input) => {
        const value = input.place === place ? valueOf(input) : undefined;
        return value === undefined ? [] : [[input.name, value]];
      }),
    );
  return { path: placed('path'), query: placed('query'), body: hasBody ? placed('body') : undefined };
};
