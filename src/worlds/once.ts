/** Made when it is first asked for, and kept: a promise that rejects too. */
export const once = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
