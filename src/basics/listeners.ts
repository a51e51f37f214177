/** Tells each entry that something gets to those who listen, and its end. */

export type Listener<T> = { readonly onEntry: (entry: T) => void; readonly onEnd: () => void };

/** Listens from now on, until the returned function is called. */
export type Listen<T> = (listener: Listener<T>) => () => void;

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
