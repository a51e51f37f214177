/** Keeps the faults of each world. A reset of the world removes its faults. */
import { createFaults, type Faults, type FaultOptions } from './faults.ts';
import type { CreateWorldInterceptors } from '../worlds/named-world.ts';

export type FaultsByWorld = {
  /** The faults of a world. For a world that does not exist it returns an empty set, which affects no request. */
  of(world: string): Faults;
  /** Gives each new world the interceptor that applies its faults. */
  readonly intercept: CreateWorldInterceptors;
};

export const createFaultsByWorld = (options: Omit<FaultOptions, 'seed'> = {}): FaultsByWorld => {
  const byName = new Map<string, Faults>();
  const create = (): Faults => createFaults({ seed: 'atoll', ...options });
  return {
    of: (world) => byName.get(world) ?? create(),
    intercept: (world) => {
      const faults = create();
      byName.set(world, faults);
      return {
        interceptors: [faults.intercept],
        reset: () => faults.clear(),
        drop: () => {
          faults.end();
          byName.delete(world);
        },
      };
    },
  };
};
