/** Makes a value on the first call and returns the same one from then on, even a promise that rejects. */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** Makes a value for each key on its first call, and returns the same one from then on. What could not be made is made again by the next call. */
export const onceFor = <Key, Value>(make: (key: Key) => Promise<Value>): ((key: Key) => Promise<Value>) => {
  const made = new Map<Key, Promise<Value>>();
  return (key) => onceIn(made, key, () => make(key));
};

/** The value that the map has for a key, or else a new one, which it has from then on. One that could not be made leaves the map. */
export const onceIn = <Key, Value>(
  made: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> => {
  const known = made.get(key);
  if (known !== undefined) return known;
  const making = make();
  made.set(key, making);
  making.catch(() => made.delete(key));
  return making;
};
