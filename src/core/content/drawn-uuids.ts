/** Gives a decision the same uuids each time that it runs: a store may run it several times until it knows all that it reads. */
import type { Identifiers } from '../model/clock.ts';

export type DrawnUuids = {
  /** Begins a run. Returns what draws its uuids. */
  begin(): () => string;
  /** The first uuid that each run draws. */
  first(): string;
};

export const createDrawnUuids = (ids: Pick<Identifiers, 'uuid'>): DrawnUuids => {
  const drawn: string[] = [];
  const at = (position: number): string => (drawn[position] ??= ids.uuid());
  return {
    begin: () => {
      let position = 0;
      return () => at(position++);
    },
    first: () => at(0),
  };
};
