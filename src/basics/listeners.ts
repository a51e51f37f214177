/** Passes entries to listeners, and tells them when no more will come. */
import { inTime } from './in-time.ts';

export type Listener<T> = { readonly onEntry: (entry: T) => void; readonly onEnd: () => void };

/** Listens from now on, until the returned function is called. */
export type Listen<T> = (listener: Listener<T>) => () => void;

/** The first entry to come that matches. Undefined when none comes within so many milliseconds. Rejects with `ended()` when no more will come. */
export const nextEntry = async <T>(
  listen: Listen<T>,
  matches: (entry: T) => boolean,
  { ms, ended }: { readonly ms: number; readonly ended: () => Error },
): Promise<T | undefined> => {
  let stop = (): void => undefined;
  const entry = new Promise<T | undefined>((resolve, reject) => {
    const onEntry = (each: T): void => (matches(each) ? resolve(each) : undefined);
    stop = listen({ onEntry, onEnd: () => reject(ended()) });
  });
  return inTime(entry, ms, () => undefined).finally(stop);
};

export const createListeners = <T>() => {
  const listeners = new Set<Listener<T>>();
  const listen: Listen<T> = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    listen,
    /** Those who listen now. */
    present: listeners as ReadonlySet<Listener<T>>,
    tell: (entry: T): void => {
      for (const { onEntry } of listeners) onEntry(entry);
    },
    /** Tells the end to all listeners and removes them. */
    end: (): void => {
      for (const { onEnd } of listeners) onEnd();
      listeners.clear();
    },
  };
};
