/** Which faults are in force in which world. They belong to the world's name: a reset removes them, a drop forgets them. */
import { createFaults, type Faults, type FaultOptions } from './faults.ts';
import type { SurroundWorld } from './worlds-place.ts';

export type FaultsByWorld = {
  /** The faults of a world; for one that is gone, or never was, some that strike nobody. */
  of(world: string): Faults;
  /** What lies around a new world. */
  readonly surround: SurroundWorld;
};

/** No world yet. */
export const createFaultsByWorld = (options: Omit<FaultOptions, 'seed'> = {}): FaultsByWorld => {
  const byName = new Map<string, Faults>();
  const made = (): Faults => createFaults({ seed: 'atoll', ...options });
  return {
    of: (world) => byName.get(world) ?? made(),
    surround: (world) => {
      const faults = made();
      byName.set(world, faults);
      return {
        around: [faults.around],
        reset: () => faults.clear(),
        drop: () => {
          faults.end();
          byName.delete(world);
        },
      };
    },
  };
};
