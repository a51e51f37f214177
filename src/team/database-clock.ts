/** Shows the time of the database, so that processes on machines whose clocks differ agree on it. */
import type { Queries } from './postgres/database.ts';
import type { Clock } from '../openapi/openapi-records.ts';

export type DatabaseClock = Clock & {
  /** Compares the clock of this machine with that of the database. Rejects when the database does not answer. */
  readonly compare: () => Promise<void>;
};

/** Clocks that differ by less are left as they are, in milliseconds: a request takes its time too, and records have whole seconds. */
const tolerance = 1000;

/**
 * Shows the time of `local` until the first comparison. When somebody sets the clock of the machine meanwhile, the time goes on as
 * before, until the next comparison.
 */
export const createDatabaseClock = (database: Queries, local: Clock): DatabaseClock => {
  let ahead = 0;
  const lastJump = jumpsOf(local);
  const follow = (): number => {
    const jump = lastJump();
    ahead -= jump;
    return jump;
  };
  return {
    now: () => {
      follow();
      return local.now() + ahead;
    },
    compare: async () => {
      follow();
      const before = local.now();
      const [row] = await database.query<{ now: number }>(
        'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
      );
      const after = local.now();
      // Set while the database answered: nobody knows which of the two times to compare with.
      if (follow() !== 0) return;
      if (row === undefined) return;
      const difference = Math.round(row.now - (before + after) / 2);
      const doubt = (after - before) / 2;
      ahead = Math.abs(difference) < tolerance + doubt ? 0 : difference;
    },
  };
};

/** Returns a function that says how far the clock was set since the last call, in milliseconds. Less than the tolerance is none. */
const jumpsOf = (clock: Clock): (() => number) => {
  const { steady } = clock;
  if (steady === undefined) return () => 0;
  let [before, steadyBefore] = [clock.now(), steady()];
  return () => {
    const [after, steadyAfter] = [clock.now(), steady()];
    const jump = Math.round(after - before - (steadyAfter - steadyBefore));
    [before, steadyBefore] = [after, steadyAfter];
    return Math.abs(jump) < tolerance ? 0 : jump;
  };
};
