/** Shows the time of the database, so that processes on machines whose clocks differ agree on it. */
import type { Clock } from '../core/model/clock.ts';
import type { Queries } from './postgres/database.ts';

export type DatabaseClock = Clock & {
  /** Compares the clock of this machine with that of the database. Rejects when the database does not answer. */
  readonly compare: () => Promise<void>;
};

/** Clocks that differ by less are left as they are, in milliseconds: a request takes its time too, and records have whole seconds. */
const tolerance = 1000;

/** Shows the time of `local` until the first comparison. */
export const createDatabaseClock = (database: Queries, local: Clock): DatabaseClock => {
  let ahead = 0;
  return {
    now: () => local.now() + ahead,
    compare: async () => {
      const before = local.now();
      const [row] = await database.query<{ now: number }>(
        'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
      );
      const after = local.now();
      if (row === undefined) return;
      const difference = Math.round(row.now - (before + after) / 2);
      const doubt = (after - before) / 2;
      ahead = Math.abs(difference) < tolerance + doubt ? 0 : difference;
    },
  };
};
