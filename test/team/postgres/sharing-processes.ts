/** The states of several processes that share a world, without a database: what each of them writes reaches the others at `exchange`. */
import type { WorldState } from '../../../src/openapi/openapi-host.ts';
import { createStoredState } from '../../../src/team/postgres/stored-state.ts';
import type { StateChange } from '../../../src/team/postgres/world-row.ts';

export type SharingProcesses<Names extends readonly string[]> = {
  readonly states: { readonly [at in keyof Names]: WorldState };
  /** All write what they have to write, one after another, and learn of it. Returns the changes. */
  readonly exchange: () => readonly StateChange[];
  /** Another process, which begins with what is stored. */
  readonly start: (name: string) => WorldState;
};

export const createSharingProcesses = <const Names extends readonly string[]>(
  ...names: Names
): SharingProcesses<Names> => {
  const processes = names.map(createStoredState);
  const stored = new Map<string, StateChange>();
  return {
    states: processes.map(({ shared }) => shared) as never, // one for each name
    exchange: () =>
      processes.flatMap((writer) => {
        const changes = writer.take();
        for (const change of changes) stored.set(JSON.stringify([change[0], change[1]]), change);
        for (const process of processes) process.apply(changes);
        return changes;
      }),
    start: (name) => {
      const started = createStoredState(name);
      processes.push(started);
      started.load([...stored.values()]);
      return started.shared;
    },
  };
};
