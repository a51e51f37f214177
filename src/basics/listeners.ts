/** Tells each entry that something gets to those who listen, and its end. */
import { inTime } from './in-time.ts';

export type Listener<T> = { readonly onEntry: (entry: T) => void; readonly onEnd: () => void };

/** Listens from now on, until the returned function is called. */
export type Listen<T> = (listener: Listener<T>) => () => void;

/** The first entry to come that matches. Undefined when none comes within so many milliseconds, and when no more will come. */
export const nextEntry = async <T>(
  listen: Listen<T>,
  matches: (entry: T) => boolean,
  ms: number,
): Promise<T | undefined> => {
  let stop = (): void => undefined;
  const entry = new Promise<T | undefined>((resolve) => {
    // In the next turn of the event loop, in which those who add an entry have finished it.
    const onEntry = (each: T): void => void setImmediate(() => (matches(each) ? resolve(each) : undefined));
    stop = listen({ onEntry, onEnd: () => resolve(undefined) });
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
