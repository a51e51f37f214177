/** Which faults are in force in which world. They belong to the world's name: a reset removes them, a drop forgets them. */
import { createFaults, type Faults, type FaultOptions } from './faults.ts';
import type { InterceptWorld } from '../worlds/named-world.ts';

export type FaultsByWorld = {
  /** The faults of a world; for one that is gone, or never was, some that strike nobody. */
  of(world: string): Faults;
  /** What lies around a new world. */
  readonly intercept: InterceptWorld;
};

/** No world yet. */
export const createFaultsByWorld = (options: Omit<FaultOptions, 'seed'> = {}): FaultsByWorld => {
  const byName = new Map<string, Faults>();
  const made = (): Faults => createFaults({ seed: 'atoll', ...options });
  return {
    of: (world) => byName.get(world) ?? made(),
    intercept: (world) => {
      const faults = made();
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
