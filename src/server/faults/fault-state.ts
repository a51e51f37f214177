/** Keeps the faults of a world, how often they struck and what they remember. They lie in the state of the world. */
import type { StateTally, WorldState } from '../../openapi/openapi-host.ts';
import type { EffectMemory } from './fault.ts';

/** The state of a fault: matching requests that passed before it began, random numbers that it drew, and how often it was applied. */
type Counts = { readonly passed: number; readonly drawn: number; readonly struck: number };

export type FaultCounts = {
  sum(): Counts;
  /** Counts one more. */
  add(what: keyof Counts): void;
};

export type FaultMemory = { readonly counts: FaultCounts; readonly effect: EffectMemory };

/** `key`: another one for each fault that is ever added. `number`: its place in the order of adding. */
export type StoredFault<Request> = {
  readonly key: string;
  readonly id: string;
  readonly number: number;
  readonly request: Request;
};

export type FaultState<Request> = {
  /** All of them, whose number every request asks for. */
  readonly entries: { readonly size: number };
  /** In the order in which they were added. */
  list(): StoredFault<Request>[];
  /** Returns the id: f1, f2, … with the name of the process where several may add a fault at the same moment. */
  add(request: Request): string;
  /** Returns false when there is no such fault. */
  remove(id: string): boolean;
  clear(): void;
  memory(key: string): FaultMemory;
};

/** More than the faults that a world may have: some may be added at the same moment. */
const faultLimit = 1000;
const memoryLimit = 10_000;
const noCounts: Counts = { passed: 0, drawn: 0, struck: 0 };

export const createFaultState = <Request>(state: WorldState): FaultState<Request> => {
  const faults = state.map<StoredFault<Request>>('faults', faultLimit);
  /** The number of the last fault that was added. */
  const added = state.tally<number>('faults-added', faultLimit);
  const counts = state.tally<Counts>('fault-counts', memoryLimit);
  const remembered = state.tally<number>('fault-memory', memoryLimit);
  let keys = 0;
  const forget = (key: string): void => {
    counts.delete(key);
    remembered.deleteBelow(`${key} `);
  };
  return {
    entries: faults,
    list: () => {
      const list = [...faults.entries()].map(([, fault]) => fault);
      return list.sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1));
    },
    add: (request) => {
      const number = Math.max(0, ...added.all('')) + 1;
      const id = state.uniqueName(`f${number}`);
      added.change('', () => number);
      keys += 1;
      faults.set(id, { key: `${id}/${keys}`, id, number, request });
      return id;
    },
    remove: (id) => {
      const fault = faults.get(id);
      if (fault === undefined) return false;
      faults.delete(id);
      forget(fault.key);
      return true;
    },
    clear: () => {
      for (const [id] of [...faults.entries()]) faults.delete(id);
      for (const tally of [added, counts, remembered]) tally.clear();
    },
    memory: (key) => ({
      counts: {
        sum: () => counts.all(key).reduce(addUp, noCounts),
        add: (what) => counts.change(key, (before = noCounts) => ({ ...before, [what]: before[what] + 1 })),
      },
      effect: effectMemory(remembered, key),
    }),
  };
};

const effectMemory = (remembered: StateTally<number>, key: string): EffectMemory => {
  const nameOf = (part: string): string => `${key} ${part}`;
  return {
    isEmpty: () => remembered.size === 0,
    has: (part) => remembered.all(nameOf(part)).length > 0,
    count: (part) => {
      const name = nameOf(part);
      const before = remembered.all(name).reduce((sum, each) => sum + each, 0);
      remembered.change(name, (times = 0) => times + 1);
      return before;
    },
    forget: (part) => remembered.delete(nameOf(part)),
  };
};

const addUp = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  drawn: a.drawn + b.drawn,
  struck: a.struck + b.struck,
});
