/** Makes the signing key before the first token needs it, and never while the worlds close. */

export type KeyWarming = {
  /** Rejects when the key cannot be made. After `end` it does nothing. */
  readonly warm: () => Promise<void>;
  /** Resolves when no key is being made any more. Never rejects: who warms the key hears of its failure. */
  readonly end: () => Promise<void>;
};

export const createKeyWarming = (signingKey: () => Promise<unknown>): KeyWarming => {
  let made: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  return {
    warm: async () => {
      if (!hasEnded) await (made = signingKey());
    },
    end: async () => {
      hasEnded = true;
      await made.catch(() => undefined);
    },
  };
};
