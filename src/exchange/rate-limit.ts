/** Spreads requests over time, so that a target gets no more of them than it bears. */

export type RateLimit = {
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>;
};

/** At most `perSecond` requests in a second, evenly spread. Undefined: as many as come. */
export const createRateLimit = (perSecond: number | undefined): RateLimit => {
  if (perSecond === undefined) return { turn: () => Promise.resolve() };
  const gapMs = 1000 / perSecond;
  let next = 0;
  return {
    turn: () => {
      const now = performance.now();
      const at = Math.max(now, next);
      next = at + gapMs;
      return at <= now ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, at - now));
    },
  };
};
