/** Turns an error of the database client into the refusal that the caller receives. */
import { errorCode } from '../../basics/error-code.ts';
import { outOfSpace, Problem } from '../../core/problem.ts';
import { DatabaseProblem } from './database.ts';

/** The engine undid the transaction and tells to run it again: a serialization failure or a deadlock. */
export const tellsToRetry = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '');

/** The disk of the database is full, or a quota is reached (53100 and 53400; 54023 is no space either). */
const isOutOfSpace = (code: string): boolean => code === '53100' || code === '53400';

/**
 * SQLSTATEs of an engine that cannot serve now: connection failures (08), too many connections or no memory (53), ended or starting
 * up (57), a lock not got in time (55P03), a full or failing disk (58), read only (25006), unknown outcome of CockroachDB (40003).
 */
const passing = /^(08|53|57|58)...$|^(55P03|25006|25P03|40001|40P01|40003|XX000)$/;

/**
 * Of these, those of an engine that answers: too many connections or no memory (53), a statement that took too long (57014), a lock
 * not got in time (55P03), and a conflict with others each time (40001, 40P01).
 */
const tooBusy = /^(53...|57014|55P03|40001|40P01)$/;

/** Whether the connection ended before the answer came, so that nobody knows what the engine did. */
const isConnectionLost = (error: unknown): boolean => {
  const code = errorCode(error);
  if (code === undefined)
    return error instanceof Error && /connection|timeout|timed out|terminated|queryable/i.test(error.message);
  // 57P01 to 57P03: the engine is told to stop; 40003 says itself that the outcome is unknown.
  return /^(08...|57P0.|40003|E[A-Z]+)$/.test(code);
};

/** `isUnknown`: the error came after a write was sent whose answer did not arrive. */
export const problemOf = (error: unknown, isUnknown = false): unknown => {
  if (error instanceof Problem) return error;
  const code = errorCode(error);
  if (code !== undefined && isOutOfSpace(code)) return outOfSpace(error);
  if (isUnknown && isConnectionLost(error)) {
    return new DatabaseProblem('The connection to the database ended. The change may have been made.', {
      isUnknown,
      cause: error,
    });
  }
  if (code !== undefined && tooBusy.test(code)) return busy(error);
  if (isConnectionLost(error) || (code !== undefined && passing.test(code))) return unreachable(error);
  return error;
};

/** The database answers, but not this call in time. */
export const busy = (cause?: unknown): DatabaseProblem =>
  new DatabaseProblem('The database is too busy at the moment. Try again.', { cause });

export const unreachable = (cause?: unknown): DatabaseProblem =>
  new DatabaseProblem('The database cannot be reached at the moment. Try again.', { cause });
