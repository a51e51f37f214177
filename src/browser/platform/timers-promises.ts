/** Replaces the used members of `node:timers/promises`. */
import { clearTimeout, setImmediate as nextTurn, setTimeout as start } from './timers.ts';

type Options = { readonly signal?: AbortSignal };

/** Rejects with the reason of the signal when it aborts. */
export const setTimeout = <T>(ms: number, value?: T, { signal }: Options = {}): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortError(signal));
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortError(signal));
    };
    const timer = start(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

export const setImmediate = (): Promise<void> => new Promise((resolve) => nextTurn(() => resolve()));

const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: reason }), { name: 'AbortError', code: 'ABORT_ERR' });
