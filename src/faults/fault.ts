/** The words for faults on demand: where one strikes, when, and what it then does. Which faults there are is `fault-catalogue.ts`. */
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import type { Operation } from '../document/operation.ts';
import type { World } from '../world.ts';
import type { AnswerRequest } from '../worlds/interceptor.ts';

/** A request as it comes by a fault. */
export type FaultContext = {
  readonly request: PlainRequest;
  readonly world: World;
  readonly operation: Operation | undefined;
  /** Whether the request is one of those that the fault is for. An effect meets the others too: it may outlast a request. */
  readonly isMeant: boolean;
  /** Whether it is, and the fault's turn has come. Counts: an effect asks once, when it is about to happen. */
  strikes(): boolean;
};

/** What a fault does: passes the request on, changed or not, later or never, and changes what comes back. */
export type Effect = (struck: FaultContext, next: AnswerRequest) => Promise<PlainReply>;

/** What an effect is made with: chance and time are given, never taken (house 1.9). */
export type EffectTools = {
  /** From 0 up to, but not, 1. */
  readonly chance: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

/** A value that a fault can be given. `default` is used when it is left out; without one it is absent then. */
export type NumberParameter = {
  readonly type: 'number';
  readonly summary: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
};
export type TextParameter = {
  readonly type: 'text';
  readonly summary: string;
  /** The only values that it may have, where they are few. */
  readonly choices?: readonly string[];
  readonly default?: string;
};
export type Parameter = NumberParameter | TextParameter;
export type Parameters = Readonly<Record<string, Parameter>>;

type TypeOf<P extends Parameter> = P extends NumberParameter ? number : string;
/** The values of parameters, once read. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends { readonly default: number | string }
    ? TypeOf<P[Name]>
    : TypeOf<P[Name]> | undefined;
};
export type Values = Readonly<Record<string, number | string | undefined>>;

/** An entry of the catalogue. */
export type FaultKind = {
  readonly name: string;
  readonly summary: string;
  /** What shows that this happens: a line of the contract, a recording, or `transport` for what any network does. */
  readonly source: string;
  readonly parameters: Parameters;
  /** The operations that it is for when none are named; all when it is left out. */
  readonly operations?: readonly string[];
  /** How often it strikes when that is not said; without end when it is left out. */
  readonly count?: number;
  /** Whether a request can ask for it by its header alone: it needs no memory of other requests. */
  readonly isPerRequest: boolean;
  /** Values for a request that asks by its header, where other ones make sense there. */
  readonly perRequest?: Values;
  make(values: Values, tools: EffectTools): Effect;
};

/** An entry whose effect is made from the values of its own parameters. */
export const faultKind = <const P extends Parameters>(
  kind: Omit<FaultKind, 'parameters' | 'make'> & {
    readonly parameters: P;
    readonly make: (values: ValuesOf<P>, tools: EffectTools) => Effect;
  },
): FaultKind => ({ ...kind, make: (values, tools) => kind.make(values as ValuesOf<P>, tools) }); // read by `readValues` for these parameters

/** Which requests, and which of them. */
export type FaultRule = {
  /** Ids of operations; all when left out. */
  readonly operations?: readonly string[] | undefined;
  readonly method?: string | undefined;
  /** `/node/*` or `/node/{node_id}`: one segment each; `**` at the end takes the rest. */
  readonly path?: string | undefined;
  /** Only requests with `Atoll-Fault: <this>`. */
  readonly header?: string | undefined;
  /** The share of them, 0 to 1. */
  readonly rate: number;
  /** So many are spared first. */
  readonly after: number;
  /** So many are struck, then no more; without end when left out. */
  readonly count?: number | undefined;
};
