/** Remembers since when something has not been needed. */
import type { Clock } from '../../core/model/clock.ts';

/**
 * For how long nothing may have named a layer or bytes before they are removed, in milliseconds: a request in progress may still read
 * a layer that a merge has replaced.
 */
export const graceMs = 600_000;

/** Remembers since when something was not needed. */
export type Seen<Key> = {
  /** Those of `unneeded` that were in it for the whole grace time. The others are forgotten when they are not in it. */
  longAgo(unneeded: readonly Key[]): readonly Key[];
};

export const createSeen = <Key>(clock: Clock): Seen<Key> => {
  let since = new Map<Key, number>();
  return {
    longAgo: (unneeded) => {
      const now = clock.now();
      since = new Map(unneeded.map((key) => [key, since.get(key) ?? now]));
      return unneeded.filter((key) => now - (since.get(key) ?? now) >= graceMs);
    },
  };
};
