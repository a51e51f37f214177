/** Waits at the start for a database that starts at the same time, as containers do. */
import { setTimeout as waitFor } from 'node:timers/promises';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { type Queries, DatabaseProblem } from './postgres/database.ts';
import { errorCode } from '../basics/error-code.ts';
import { storeUnreachableCode } from '../server/server.ts';

const betweenTriesMs = 250;

/**
 * Resolves when the database answers. `shown` is its address without the password. Rejects with `ConfigurationError` at once when it
 * refuses the account or has no such database, and with an error of the code `ATOLL_STORE_UNREACHABLE` when it has not answered after
 * `waitMs` milliseconds.
 */
export const reachDatabase = async (database: Queries, shown: string, waitMs: number): Promise<void> => {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      await database.query('select 1 as one');
      return;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) throw new ConfigurationError(`The database ${shown} ${refusal}`, { cause: error });
      if (!(error instanceof DatabaseProblem)) throw error;
      if (performance.now() >= until) throw unreachable(error, shown, waitMs);
    }
    await waitFor(betweenTriesMs);
  }
};

/** Why it never will answer, by the SQLSTATE. */
const refusalOf = (error: unknown): string | undefined => {
  const code = errorCode(error) ?? errorCode((error as { readonly cause?: unknown }).cause) ?? '';
  if (code.startsWith('28')) return 'refuses this account or its password.';
  if (code === '3D000') return 'does not exist on its server. Create it first.';
  if (code === '42501') return 'does not allow this account to do that.';
  return undefined;
};

const unreachable = (cause: Error, shown: string, waitMs: number): Error => {
  const seconds = Math.round(waitMs / 1000);
  return Object.assign(
    new Error(`The database ${shown} cannot be reached; waited for ${seconds} seconds.`, { cause }),
    {
      code: storeUnreachableCode,
    },
  );
};
