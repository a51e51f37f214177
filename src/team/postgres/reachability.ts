/** Notices that the database does not answer any more, and ends what waits for it. */
import type { Client } from 'pg';
import { unreachable } from './database-problem.ts';

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
