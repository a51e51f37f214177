/** Which faults are in force in which world. They belong to the world's name: a reset removes them, a drop forgets them. */
import { createFaults, type Faults, type FaultOptions } from './faults.ts';
import type { SurroundWorld } from './worlds-place.ts';

export type FaultsByWorld = {
  /** The faults of a world; none for a world that nobody has told of. */
  of(world: string): Faults;
  /** What lies around a new world. */
  readonly surround: SurroundWorld;
};

/** No world yet. */
export const createFaultsByWorld = (options: Omit<FaultOptions, 'seed'> = {}): FaultsByWorld => {
  const byName = new Map<string, Faults>();
  const of = (world: string): Faults => {
    const faults = byName.get(world) ?? createFaults({ seed: 'atoll', ...options });
    byName.set(world, faults);
    return faults;
  };
  return {
    of,
    surround: (world) => {
      const faults = of(world);
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
