/** The faults of one world: those that were added, and those that a request asks for by its header. */
import { setMaxListeners } from 'node:events';
import { setTimeout as waitFor } from 'node:timers/promises';
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import { messageReply } from '../engine/text-reply.ts';
import { conflict, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { createRandomSource } from '../worlds/random-source.ts';
import { findFault, readValues } from './catalogue.ts';
import { faultHeader, faultHeaderKey, readFaultHeader, type AskedFault } from './fault-header.ts';
import { createMatcher, type Matcher } from './fault-matching.ts';
import type { Effect, EffectTools, FaultRule, FaultContext, Values } from './fault.ts';
import type { Interceptor, AnswerRequest, OperationOf } from '../worlds/interceptor.ts';

/** A fault to be added: an entry of the catalogue, its values, where and when it strikes. */
export type FaultRequest = Partial<FaultRule> & {
  readonly fault: string;
  readonly parameters?: Values | undefined;
  /** Of its chance; what was given to the world and the fault's id when left out. */
  readonly seed?: string | undefined;
};

/** A fault as it is listed. `struck`: how often it has. */
export type Fault = FaultRule & {
  readonly id: string;
  readonly fault: string;
  readonly parameters: Values;
  readonly struck: number;
};

export type Faults = {
  /** Costs next to nothing while there is no fault and the request asks for none. */
  readonly intercept: Interceptor;
  list(): readonly Fault[];
  /** The new fault's id. Throws 422 for a fault or a value that there is not, 409 when there are too many. */
  add(request: FaultRequest): string;
  /** False when there is no such fault. */
  remove(id: string): boolean;
  clear(): void;
  /** The world is gone: whoever waits goes on at once. */
  end(): void;
};

export type FaultOptions = {
  /** Chance begins here: the same seed, the same faults and the same requests are struck in the same way. */
  readonly seed: string;
  /** Real time, whatever the clock of the world says. */
  readonly wait?: EffectTools['wait'];
};

/** More are a mistake: tests that add and never clear. */
const mostFaults = 100;

/** No faults, as a world begins. They meet a request in the order in which they were added, the first outermost. */
export const createFaults = ({ seed, wait: given }: FaultOptions): Faults => {
  const over = new AbortController();
  // As many listen as requests wait; Node would warn of the eleventh.
  setMaxListeners(0, over.signal);
  const wait = given ?? ((ms) => waitUnless(over.signal, ms));
  const active = new Map<string, Active>();
  let added = 0;
  const make = (id: string, request: FaultRequest): Active =>
    createFault(id, { seed: `${seed} ${id}`, ...request }, wait);
  const meeting = (asked: readonly AskedFault[]): Active[] => {
    const names = new Set([...active.values()].map(({ header }) => header));
    const others = asked.filter(({ name }) => !names.has(name));
    return [...active.values(), ...others.map((one) => make('asked', forOneRequest(one)))];
  };
  return {
    intercept: (next, operationOf) => (request, world) => {
      const header = request.headers[faultHeaderKey];
      if (active.size === 0 && header === undefined) return next(request, world);
      return refusing(() => {
        const asked = readFaultHeader(header);
        return throughFaults(meeting(asked), { request, world, asked, operationOf }, next);
      });
    },
    list: () => [...active.values()].map(listed),
    add: (request) => {
      if (active.size >= mostFaults) throw conflict(`There are ${mostFaults} faults already. Remove some.`);
      const id = `f${added + 1}`;
      active.set(id, make(id, request));
      added += 1;
      return id;
    },
    remove: (id) => active.delete(id),
    clear: () => {
      active.clear();
      added = 0;
    },
    end: () => over.abort(),
  };
};

/** Resolves when the time is over, or at once when nobody is to be kept waiting any more. */
const waitUnless = (signal: AbortSignal, ms: number): Promise<unknown> =>
  waitFor(ms, undefined, { signal }).catch(() => undefined);

/** A fault that is in force. */
type Active = Omit<Fault, 'struck'> & { readonly matcher: Matcher; readonly effect: Effect };

const createFault = (
  id: string,
  request: FaultRequest & { seed?: string | undefined },
  wait: EffectTools['wait'],
): Active => {
  const kind = findFault(request.fault);
  const parameters = readValues(kind, request.parameters ?? {});
  const { header, method, path, rate = 1, after = 0 } = request;
  const rule: FaultRule = {
    ...{ header, method, path, rate, after },
    operations: request.operations ?? kind.operations,
    count: request.count ?? kind.count,
  };
  const chance = createRandomSource(request.seed ?? id);
  const effect = kind.make(parameters, { chance, wait });
  return { id, fault: kind.name, parameters, ...rule, matcher: createMatcher(rule, chance), effect };
};

/** An entry of the catalogue for one request, with the values that make sense there. */
const forOneRequest = ({ name, values }: AskedFault): FaultRequest => {
  const kind = findFault(name);
  if (!kind.isPerRequest)
    throw new Problem(400, `${name} lasts longer than a request: add it, by POST /_atoll/faults.`);
  return { fault: name, parameters: { ...kind.perRequest, ...values } };
};

const listed = ({
  id,
  fault,
  parameters,
  operations,
  method,
  path,
  header,
  rate,
  after,
  count,
  matcher,
}: Active): Fault => ({
  ...{ id, fault, parameters, operations, method, path, header, rate, after, count },
  struck: matcher.struck(),
});

type Incoming = {
  readonly request: PlainRequest;
  readonly world: World;
  readonly asked: readonly AskedFault[];
  readonly operationOf: OperationOf;
};

/** Each fault stands around those after it; which of them have struck is told by a header of the reply. */
const throughFaults = async (
  faults: readonly Active[],
  incoming: Incoming,
  next: AnswerRequest,
): Promise<PlainReply> => {
  const operation = incoming.operationOf(incoming.request);
  const names = incoming.asked.map(({ name }) => name);
  const struck: string[] = [];
  const outermost = faults.reduceRight<AnswerRequest>((inner, { fault, matcher, effect }) => {
    const isMeant = matcher.matches(incoming.request, operation, names);
    const strikes: FaultContext['strikes'] = () => {
      const isIts = isMeant && matcher.strikes();
      if (isIts) struck.push(fault);
      return isIts;
    };
    return (request, world) => effect({ request, world, operation, isMeant, strikes }, inner);
  }, next);
  const reply = await outermost(incoming.request, incoming.world);
  if (struck.length === 0) return reply;
  return { ...reply, headers: { ...reply.headers, [faultHeader]: struck.join(', ') } };
};

/** A header that asks for what there is not is refused, not overlooked. */
const refusing = async (work: () => Promise<PlainReply>): Promise<PlainReply> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return messageReply(400, error.message);
  }
};
