/** Keeps and applies the faults of one world: those that were added, and those that a request asks for by its header. */
import { setMaxListeners } from 'node:events';
import { setTimeout as waitFor } from 'node:timers/promises';
import {
  type PlainReply,
  type PlainRequest,
  messageReply,
  createMemoryState,
  type WorldState,
  faultHeader,
  faultHeaderKey,
  type AnswerRequest,
  type Interceptor,
  type OperationOf,
  type HostedWorld,
} from '../../openapi/openapi-host.ts';
import { randomNumbers } from '../../basics/random-source.ts';
import { faultCatalogue, findFault, readValues } from './catalogue.ts';
import {
  type FaultKind,
  type Effect,
  type EffectTools,
  type FaultRule,
  readFaultHeader,
  type RequestedFault,
  type Values,
} from './fault.ts';
import { createFaultState, type FaultMemory, type FaultState, type StoredFault } from './fault-state.ts';
import { createFaultTrigger, type FaultTrigger } from './fault-trigger.ts';
import { conflict, Problem } from '../../openapi/openapi-terms.ts';

/** A fault to be added: its name in the catalogue, its values and its rule. */
export type FaultRequest = Partial<FaultRule> & {
  readonly fault: string;
  readonly parameters?: Values | undefined;
  /** The seed of the fault's random numbers. When left out: made of `FaultOptions.seed` and the fault's id. */
  readonly seed?: string | undefined;
};

/** A fault as `/_atoll/faults` lists it. `struck`: how often it was applied. */
export type Fault = FaultRule & {
  readonly id: string;
  readonly fault: string;
  readonly parameters: Values;
  readonly struck: number;
};

/** As an interceptor it is passed by while there is no fault and the request asks for none. */
export type Faults = Interceptor & {
  list(): readonly Fault[];
  /** Returns the id of the new fault. Throws 422 for an unknown fault or value, 409 when there are too many faults. */
  add(request: FaultRequest): string;
  /** Returns false when there is no such fault. */
  remove(id: string): boolean;
  clear(): void;
  /** Ends all delays, because the world is gone. */
  end(): void;
};

export type FaultOptions = {
  /** With the same seed and the same faults, the same requests are affected in the same way. */
  readonly seed: string;
  /** Waits for real milliseconds, whatever the clock of the world says. */
  readonly wait?: EffectTools['wait'];
  /** Where the faults are kept, and how often they struck. When left out: in memory. */
  readonly state?: WorldState | undefined;
  /** The faults that only the application has. */
  readonly ofApplication?: readonly FaultKind[] | undefined;
};

/** More faults can only be a mistake, such as tests that add faults and never clear them. */
const maxFaults = 100;

/** Applies faults in the order in which they were added, the first one outermost. */
export const createFaults = (options: FaultOptions): Faults => {
  const { seed, wait: customWait, state = createMemoryState(), ofApplication = [] } = options;
  const kinds = faultCatalogue(ofApplication);
  const ending = new AbortController();
  allowManyListeners(ending.signal);
  const wait = customWait ?? ((ms) => waitFor(ms, undefined, { signal: ending.signal }).catch(() => undefined));
  const stored = createFaultState<FaultRequest>(state);
  const activate: Activate = ({ id, number, request }, memory) =>
    // The ending of an id may be another one after each start.
    createFault(id, { seed: `${seed} f${number}`, ...request }, { kinds, wait, memory });
  const active = createActiveFaults(stored, activate);
  const activateOnce = (one: RequestedFault): ActiveFault => {
    const memory = createFaultState(createMemoryState()).memory('asked');
    return createFault('asked', { seed: `${seed} asked`, ...forOneRequest(kinds, one) }, { kinds, wait, memory });
  };
  const faultsFor = (requested: readonly RequestedFault[]): ActiveFault[] => {
    const added = active();
    const headers = new Set(added.map(({ settings }) => settings.header));
    const others = requested.filter(({ name }) => !headers.has(name));
    return [...added, ...others.map(activateOnce)];
  };
  return {
    intercept: (next, operationOf) => (request, world) => {
      return withRefusals(request, () => {
        const requested = readFaultHeader(request.headers[faultHeaderKey]);
        return applyFaults(faultsFor(requested), { request, world, requested, operationOf }, next);
      });
    },
    only: { header: faultHeaderKey, entries: stored.entries },
    list: () => active().map(({ settings, trigger }) => ({ ...settings, struck: trigger.triggeredCount() })),
    add: (request) => {
      if (stored.entries.size >= maxFaults) throw conflict(`There are ${maxFaults} faults already. Remove some.`);
      readRequest(kinds, 'new', request);
      return stored.add(request);
    },
    remove: (id) => stored.remove(id),
    clear: () => stored.clear(),
    end: () => ending.abort(),
  };
};

type ActiveFault = {
  readonly settings: Omit<Fault, 'struck'>;
  readonly trigger: FaultTrigger;
  readonly effect: Effect;
};

type Activate = (fault: StoredFault<FaultRequest>, memory: FaultMemory) => ActiveFault;

/** Makes what applies a fault when its first request arrives, and keeps it for as long as the fault is there. */
const createActiveFaults = (stored: FaultState<FaultRequest>, activate: Activate): (() => ActiveFault[]) => {
  let known = new Map<string, ActiveFault>();
  return () => {
    const present = new Map<string, ActiveFault>();
    for (const fault of stored.list()) {
      const { key } = fault;
      const activated = known.get(key) ?? unlessUnknown(() => activate(fault, stored.memory(key)));
      if (activated !== undefined) present.set(key, activated);
    }
    known = present;
    return [...present.values()];
  };
};

/** A newer version may have added a fault that this one does not know. Here it does not strike. */
const unlessUnknown = (activate: () => ActiveFault): ActiveFault | undefined => {
  try {
    return activate();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  }
};

/** Throws 422 for an unknown fault or value. */
const readRequest = (kinds: readonly FaultKind[], id: string, request: FaultRequest) => {
  const kind = findFault(kinds, request.fault);
  const parameters = readValues(kind, request.parameters ?? {});
  const { header, method, path, rate = 1, after = 0 } = request;
  const rule: FaultRule = {
    operations: request.operations ?? kind.operations,
    ...{ method, path, header, rate, after },
    count: request.count ?? kind.count,
  };
  return { kind, rule, settings: { id, fault: kind.name, parameters, ...rule } };
};

type FaultTools = Pick<EffectTools, 'wait'> & { readonly kinds: readonly FaultKind[]; readonly memory: FaultMemory };

const createFault = (id: string, request: FaultRequest, { kinds, wait, memory }: FaultTools): ActiveFault => {
  const { kind, rule, settings } = readRequest(kinds, id, request);
  const { counts } = memory;
  const numbers = randomNumbers(request.seed ?? id);
  // What was drawn is in the state, so that requests draw one after another from one row of numbers.
  const random = (): number => {
    const { drawn } = counts.sum();
    counts.add('drawn');
    return numbers(drawn);
  };
  const effect = kind.make(settings.parameters, { random, wait, memory: memory.effect });
  return { settings, trigger: createFaultTrigger(rule, random, counts), effect };
};

const forOneRequest = (kinds: readonly FaultKind[], { name, values }: RequestedFault): FaultRequest => {
  const kind = findFault(kinds, name);
  if (!kind.isPerRequest)
    throw new Problem(400, `${name} lasts longer than a request: add it, by POST /_atoll/faults.`);
  return { fault: name, parameters: { ...kind.perRequest, ...values } };
};

type IncomingRequest = {
  readonly request: PlainRequest;
  readonly world: HostedWorld;
  readonly requested: readonly RequestedFault[];
  readonly operationOf: OperationOf;
};

/** What a fault has done to one request, and the answer that it got in return. */
type FaultShare = { isInvolved: boolean; isAltered: boolean; answer: PlainReply | undefined };

/** Wraps each fault around the faults after it. A header of the reply names the faults that were applied. */
const applyFaults = async (
  faults: readonly ActiveFault[],
  incoming: IncomingRequest,
  next: AnswerRequest,
): Promise<PlainReply> => {
  const operation = incoming.operationOf(incoming.request);
  const names = incoming.requested.map(({ name }) => name);
  const applied: string[] = [];
  const outermost = faults.reduceRight<AnswerRequest>((inner, { settings, trigger: faultTrigger, effect }) => {
    const isMatch = faultTrigger.matches(incoming.request, operation, names);
    return async (request, world) => {
      const share: FaultShare = { isInvolved: false, isAltered: false, answer: undefined };
      const trigger = (): boolean => {
        const isTriggered = isMatch && faultTrigger.trigger();
        if (isTriggered) applied.push(settings.fault);
        share.isInvolved ||= isTriggered;
        return isTriggered;
      };
      const goOn: AnswerRequest = async (nextRequest, nextWorld) => {
        share.isAltered ||= nextRequest !== request || nextWorld !== world;
        return (share.answer = await inner(nextRequest, nextWorld));
      };
      const context = { request, world, operation, isMatch, trigger, takeAnswer: () => void (share.isInvolved = true) };
      const reply = await effect(context, goOn);
      // A delay alone leaves the answer the repository's own.
      if (share.isInvolved && (share.isAltered || reply !== share.answer)) noteOrdered(incoming.request);
      return reply;
    };
  }, next);
  const reply = await outermost(incoming.request, incoming.world);
  if (applied.length === 0) return reply;
  return { ...reply, headers: { ...reply.headers, [faultHeader]: applied.join(', ') } };
};

const noteOrdered = ({ observations }: PlainRequest): void => {
  if (observations !== undefined) observations.isOrdered = true;
};

/** Answers 400 when the request's header asks for an unknown fault or value. No document has this 400. */
const withRefusals = async (request: PlainRequest, work: () => Promise<PlainReply>): Promise<PlainReply> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    noteOrdered(request);
    return messageReply(400, error.message);
  }
};

/** Each waiting request listens. Node would warn of them; it refuses the signals of jsdom, of which it warns of none. */
const allowManyListeners = (signal: AbortSignal): void => {
  try {
    setMaxListeners(0, signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
};
