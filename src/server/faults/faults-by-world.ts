/** Keeps the faults of each world. They are part of its state, so a reset of the world removes them. */
import { faultCatalogue } from './catalogue.ts';
import type { FaultKind } from './fault.ts';
import { createFaults, type Faults, type FaultOptions } from './faults.ts';
import type { WorldState, CreateWorldInterceptors } from '../../openapi/openapi-host.ts';

export type FaultsByWorld = {
  /** The faults of a world. For a world that does not exist it returns an empty set, which affects no request. */
  of(world: string): Faults;
  /** Every fault that there is. */
  readonly catalogue: readonly FaultKind[];
  /** Gives each new world the interceptor that applies its faults. */
  readonly intercept: CreateWorldInterceptors;
};

export const createFaultsByWorld = (options: Omit<FaultOptions, 'seed' | 'state'> = {}): FaultsByWorld => {
  const byName = new Map<string, Faults>();
  const create = (state?: WorldState): Faults => createFaults({ seed: 'atoll', ...options, state });
  return {
    catalogue: faultCatalogue(options.ofApplication ?? []),
    of: (world) => byName.get(world) ?? create(),
    intercept: (world, state) => {
      const faults = create(state);
      byName.set(world, faults);
      return {
        interceptors: [faults],
        drop: () => {
          faults.end();
          // Another world may have taken the name already.
          if (byName.get(world) === faults) byName.delete(world);
        },
      };
    },
  };
};
