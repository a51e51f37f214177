/** Turns an error of the database client into a refusal, notices that the database does not answer any more, and ends what waits for it. */
import type { Client } from 'pg';
import { errorCode } from '../../basics/error-code.ts';
import { DatabaseProblem } from './database.ts';
import { Problem, outOfSpace } from '../../openapi/openapi-terms.ts';

/** The engine undid the transaction and asks to run it again: a serialization failure or a deadlock. */
export const tellsToRetry = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '');

/** The disk of the database is full, or a quota is reached (53100 and 53400; 54023 is about space too). */
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
  // 57P01 to 57P03: the engine was asked to stop; 40003 says itself that the outcome is unknown.
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

const unreachable = (cause?: unknown): DatabaseProblem =>
  new DatabaseProblem('The database cannot be reached at the moment. Try again.', { cause });

export type Reachability = {
  /** Passes on the answer to a statement. Rejects when the database answers nobody for long and cannot be connected to either. */
  watched<T>(client: Client, answer: Promise<T>): Promise<T>;
  /** Passes on a connection. Rejects with 503 while the database does not answer; a connection that comes later is given to `release`. */
  connected<T>(connecting: () => Promise<T>, release: (connection: T) => void): Promise<T>;
  close(): void;
};

/** How long a statement may take before somebody looks whether the database is still there. */
const patienceMs = 400;
const intervalMs = 150;

type Waiting = { readonly since: number; readonly fail: (error: Error) => void };

/**
 * A network that drops packets gives no error for minutes, and a slow statement gives none either. So when something has waited for
 * a while and no statement was answered meanwhile, `probe` tries a new connection. When that fails too, all that wait are refused,
 * and so are new calls, until a probe succeeds.
 */
export const createReachability = (probe: () => Promise<void>): Reachability => {
  const guard = createGuard(probe);
  return {
    watched: (client, answer) =>
      new Promise((resolve, reject) => {
        const leave = guard.wait((error) => {
          reject(error);
          client.connection.stream.destroy();
        });
        answer
          .then((value) => {
            guard.answered();
            resolve(value);
          }, reject)
          .finally(leave);
      }),
    connected: (connecting, release) =>
      new Promise((resolve, reject) => {
        if (guard.isDown()) {
          reject(unreachable());
          return;
        }
        let isRefused = false;
        const leave = guard.wait((error) => {
          isRefused = true;
          reject(unreachable(error));
        });
        connecting()
          .then(
            (connection) => {
              if (isRefused) release(connection);
              else resolve(connection);
            },
            (error: unknown) => reject(unreachable(error)),
          )
          .finally(leave);
      }),
    close: guard.stop,
  };
};

/** Those who wait for the database, and whether it is known not to answer. `wait` returns what ends the waiting. */
const createGuard = (probe: () => Promise<void>) => {
  const waiting = new Set<Waiting>();
  let lastAnswer = 0;
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  let isDown = false;

  const failAll = (cause: unknown): void => {
    const error = Object.assign(new Error('The database does not answer.', { cause }), { code: 'ETIMEDOUT' });
    for (const each of [...waiting]) each.fail(error);
    waiting.clear();
  };
  const mustLook = (): boolean => {
    const [oldest] = waiting;
    return isDown || (oldest !== undefined && performance.now() - Math.max(oldest.since, lastAnswer) >= patienceMs);
  };
  const look = async (): Promise<void> => {
    if (waiting.size === 0 && !isDown) {
      stop();
      return;
    }
    if (isProbing || !mustLook()) return;
    isProbing = true;
    try {
      await probe();
      lastAnswer = performance.now();
      isDown = false;
    } catch (error) {
      isDown = true;
      failAll(error);
    } finally {
      isProbing = false;
    }
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const wait = (fail: Waiting['fail']): (() => void) => {
    const entry = { since: performance.now(), fail };
    waiting.add(entry);
    timer ??= setInterval(() => void look(), intervalMs).unref();
    return () => void waiting.delete(entry);
  };

  const answered = (): void => {
    lastAnswer = performance.now();
  };
  return { isDown: () => isDown, answered, wait, stop };
};
