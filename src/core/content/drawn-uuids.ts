/** Draws the uuids of a decision, the same ones where it runs again. */
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
