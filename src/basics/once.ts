/** Makes a value on the first call and returns the same one from then on, even a promise that rejects. */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
