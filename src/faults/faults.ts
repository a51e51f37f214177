/** Keeps and applies the faults of one world: those that were added, and those that a request asks for by its header. */
import { setMaxListeners } from 'node:events';
import { setTimeout as waitFor } from 'node:timers/promises';
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import { messageReply } from '../engine/text-reply.ts';
import { conflict, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { createRandomSource } from '../worlds/random-source.ts';
import { findFault, readValues } from './catalogue.ts';
import { faultHeader, faultHeaderKey, readFaultHeader, type RequestedFault } from './fault-header.ts';
import { createFaultTrigger, type FaultTrigger } from './fault-trigger.ts';
import type { Effect, EffectTools, FaultRule, Values } from './fault.ts';
import type { Interceptor, AnswerRequest, OperationOf } from '../worlds/interceptor.ts';

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

export type Faults = {
  /** Costs next to nothing while there is no fault and the request asks for none. */
  readonly intercept: Interceptor;
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
};

/** More faults can only be a mistake, such as tests that add faults and never clear them. */
const maxFaults = 100;

/** Applies faults in the order in which they were added, the first one outermost. */
export const createFaults = ({ seed, wait: customWait }: FaultOptions): Faults => {
  const ending = new AbortController();
  allowManyListeners(ending.signal);
  const wait = customWait ?? ((ms) => waitFor(ms, undefined, { signal: ending.signal }).catch(() => undefined));
  const active = new Map<string, ActiveFault>();
  let added = 0;
  const activate = (id: string, request: FaultRequest): ActiveFault =>
    createFault(id, { seed: `${seed} ${id}`, ...request }, wait);
  const faultsFor = (requested: readonly RequestedFault[]): ActiveFault[] => {
    const headers = new Set([...active.values()].map(({ settings }) => settings.header));
    const others = requested.filter(({ name }) => !headers.has(name));
    return [...active.values(), ...others.map((one) => activate('asked', forOneRequest(one)))];
  };
  return {
    intercept: (next, operationOf) => (request, world) => {
      const header = request.headers[faultHeaderKey];
      if (active.size === 0 && header === undefined) return next(request, world);
      return withRefusals(() => {
        const requested = readFaultHeader(header);
        return applyFaults(faultsFor(requested), { request, world, requested, operationOf }, next);
      });
    },
    list: () =>
      [...active.values()].map(({ settings, trigger }) => ({ ...settings, struck: trigger.triggeredCount() })),
    add: (request) => {
      if (active.size >= maxFaults) throw conflict(`There are ${maxFaults} faults already. Remove some.`);
      const id = `f${added + 1}`;
      active.set(id, activate(id, request));
      added += 1;
      return id;
    },
    remove: (id) => active.delete(id),
    clear: () => {
      active.clear();
      added = 0;
    },
    end: () => ending.abort(),
  };
};

type ActiveFault = {
  readonly settings: Omit<Fault, 'struck'>;
  readonly trigger: FaultTrigger;
  readonly effect: Effect;
};

const createFault = (id: string, request: FaultRequest, wait: EffectTools['wait']): ActiveFault => {
  const kind = findFault(request.fault);
  const parameters = readValues(kind, request.parameters ?? {});
  const { header, method, path, rate = 1, after = 0 } = request;
  const rule: FaultRule = {
    operations: request.operations ?? kind.operations,
    ...{ method, path, header, rate, after },
    count: request.count ?? kind.count,
  };
  const random = createRandomSource(request.seed ?? id);
  const effect = kind.make(parameters, { random, wait });
  const settings = { id, fault: kind.name, parameters, ...rule };
  return { settings, trigger: createFaultTrigger(rule, random), effect };
};

const forOneRequest = ({ name, values }: RequestedFault): FaultRequest => {
  const kind = findFault(name);
  if (!kind.isPerRequest)
    throw new Problem(400, `${name} lasts longer than a request: add it, by POST /_atoll/faults.`);
  return { fault: name, parameters: { ...kind.perRequest, ...values } };
};

type IncomingRequest = {
  readonly request: PlainRequest;
  readonly world: World;
  readonly requested: readonly RequestedFault[];
  readonly operationOf: OperationOf;
};

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
    const trigger = (): boolean => {
      const isTriggered = isMatch && faultTrigger.trigger();
      if (isTriggered) applied.push(settings.fault);
      return isTriggered;
    };
    return (request, world) => effect({ request, world, operation, isMatch, trigger }, inner);
  }, next);
  const reply = await outermost(incoming.request, incoming.world);
  if (applied.length === 0) return reply;
  return { ...reply, headers: { ...reply.headers, [faultHeader]: applied.join(', ') } };
};

/** Answers 400 when the request's header asks for an unknown fault or value. */
const withRefusals = async (work: () => Promise<PlainReply>): Promise<PlainReply> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
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
