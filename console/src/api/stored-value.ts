/** Keeps a value in the browser's storage, and tells React when it changes. */
import { useSyncExternalStore } from 'react';

export type StoredValue<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** A hook that returns the value and renders again when it changes. */
  readonly use: () => Value;
};

/** `storage` is `sessionStorage` for secrets, so that they end with the tab. Values are kept as JSON. */
export const storedValue = <Value>(storage: Storage, key: string, initial: Value): StoredValue<Value> => {
  const listeners = new Set<() => void>();
  let value = (read(storage, key) as Value | undefined) ?? initial; // only this file writes these keys
  const get = (): Value => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next) => {
      value = next;
      write(storage, key, next);
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
};

/** A browser may refuse its storage, and another version may have written another form. Then the value starts from its default. */
const read = (storage: Storage, key: string): unknown => {
  try {
    const text = storage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const write = (storage: Storage, key: string, value: unknown): void => {
  try {
    if (value === undefined) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // The value then lasts as long as the page.
  }
};
