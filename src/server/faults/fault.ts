/** Defines the types of faults on demand. `catalogue.ts` lists the faults. */
import type { RandomSource } from '../../basics/random-source.ts';
import {
  type HostedOperation,
  type PlainReply,
  type PlainRequest,
  type AnswerRequest,
  faultHeader,
  type HostedWorld,
} from '../../openapi/openapi-host.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** A fault that a request asks for. Its values are still text. */
export type RequestedFault = { readonly name: string; readonly values: Values };

/** Commas separate faults, and semicolons separate a fault's name and values. Throws 400 for another form. */
export const readFaultHeader = (header: string | undefined): RequestedFault[] =>
  (header ?? '')
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .flatMap(([name = '', ...pairs]) => (name === '' ? [] : [{ name, values: readPairs(pairs) }]));

const readPairs = (pairs: readonly string[]): Values =>
  Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new Problem(400, `${faultHeader}: "${pair}" is not of the form name=value.`);
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );

/** A request on its way through a fault. */
export type FaultContext = {
  readonly request: PlainRequest;
  readonly world: HostedWorld;
  readonly operation: HostedOperation | undefined;
  /** True when the fault's rule matches the request. An effect also gets the requests that do not match. */
  readonly isMatch: boolean;
  /** True when the fault is to be applied to this request. Each call counts, so an effect calls this once, just before it acts. */
  trigger(): boolean;
  /** Says that the answer is the work of the fault although it is not applied to this request, as after it has removed a record. */
  takeAnswer(): void;
};

/** What a fault does: it answers itself, or passes the request to `next`, perhaps changed or delayed, and may change the reply. */
export type Effect = (context: FaultContext, next: AnswerRequest) => Promise<PlainReply>;

/** Answers with this reply, and does not carry the request out. */
export const answerInstead =
  (reply: PlainReply): Effect =>
  async (context, next) =>
    context.trigger() ? reply : next(context.request, context.world);

type Altered = Partial<Pick<FaultContext, 'request' | 'world'>>;

/** Carries the request out as `alter` says, perhaps later or in another world. `mayStrike` leaves requests out. */
export const answerAltered =
  (
    alter: (context: FaultContext) => Altered | Promise<Altered>,
    mayStrike: (request: PlainRequest) => boolean = () => true,
  ): Effect =>
  async (context, next) => {
    const struck = mayStrike(context.request) && context.trigger();
    const { request, world } = struck ? { ...context, ...(await alter(context)) } : context;
    return next(request, world);
  };

/** What an effect remembers of earlier requests. It ends with the fault. It lies in the state of the world. */
export type EffectMemory = {
  /** True when no fault of the world remembers anything. */
  isEmpty(): boolean;
  /** Whether the key was counted. */
  has(key: string): boolean;
  /** Adds one to the count of the key. Returns how often it was counted before. */
  count(key: string): number;
  forget(key: string): void;
};

/**
 * An effect uses no other random source or timer, so that tests can repeat it, and no other memory, so that it goes on wherever
 * the next request arrives.
 */
export type EffectTools = {
  readonly random: RandomSource;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly memory: EffectMemory;
};

/** A number that a fault takes. A number without `default` that is left out has the value undefined. */
type NumberParameter = {
  readonly type: 'number';
  readonly summary: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
};
type TextParameter = {
  readonly type: 'text';
  readonly summary: string;
  /** The only values allowed; any text when left out. */
  readonly choices?: readonly string[];
  readonly default?: string;
};
export type Parameter = NumberParameter | TextParameter;
type Parameters = Readonly<Record<string, Parameter>>;

type TypeOf<P extends Parameter> = P extends NumberParameter ? number : string;
/** The values of parameters after `readValues`. */
type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends { readonly default: number | string }
    ? TypeOf<P[Name]>
    : TypeOf<P[Name]> | undefined;
};
export type Values = Readonly<Record<string, number | string | undefined>>;

/** An entry of the catalogue. */
export type FaultKind = {
  readonly name: string;
  readonly summary: string;
  /** The evidence that such a failure happens: the contract, the real site, a recording, or `transport` for what any network does. */
  readonly source: string;
  readonly parameters: Parameters;
  /** The operations that a rule without `operations` applies to; all when left out. */
  readonly operations?: readonly string[];
  /** The `count` of a rule without one; unlimited when left out. */
  readonly count?: number;
  /** True when a request can ask for the fault by its header, because the fault needs no memory of other requests. */
  readonly isPerRequest: boolean;
  /** Values that replace the defaults when a request asks for the fault by its header. */
  readonly perRequest?: Values;
  make(values: Values, tools: EffectTools): Effect;
};

/** Declares a fault. `make` gets values typed by its parameters. */
export const faultKind = <const P extends Parameters>(
  kind: Omit<FaultKind, 'parameters' | 'make'> & {
    readonly parameters: P;
    readonly make: (values: ValuesOf<P>, tools: EffectTools) => Effect;
  },
): FaultKind => ({ ...kind, make: (values, tools) => kind.make(values as ValuesOf<P>, tools) }); // `readValues` has checked the values against these parameters

/** Selects the requests that a fault is applied to. */
export type FaultRule = {
  /** Operation ids; all when left out. */
  readonly operations?: readonly string[] | undefined;
  readonly method?: string | undefined;
  /** Such as `/node/*`. `*` and `{name}` stand for one segment, `/**` at the end for the rest. */
  readonly path?: string | undefined;
  /** Only requests with `Atoll-Fault: <this>`. */
  readonly header?: string | undefined;
  /** The share of the matching requests, 0 to 1. */
  readonly rate: number;
  /** The number of matching requests that pass first. */
  readonly after: number;
  /** The fault is applied this many times; unlimited when left out. */
  readonly count?: number | undefined;
};
