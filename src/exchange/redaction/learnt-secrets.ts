/** Remembers secrets that were met, to find them wherever they turn up. */

export type LearntSecrets = {
  /** `mark` takes the place of the secret from now on. */
  learn(secret: string, mark: string): void;
  /** Replaces all learnt secrets in a text, in each of their spellings. */
  replace(text: string): string;
};

/** `most` secrets are looked for in each text; the ones that were met last. Default: all. */
export const createLearntSecrets = (most = Infinity): LearntSecrets => {
  /** The one that was met last comes last. */
  const learnt = new Map<string, string>();
  return {
    learn: (secret, mark) => {
      for (const spelled of [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]) {
        learnt.delete(spelled);
        learnt.set(spelled, mark);
      }
      for (const oldest of learnt.keys()) {
        if (learnt.size <= most) break;
        learnt.delete(oldest);
      }
    },
    replace: (text) => {
      const found = [...learnt.keys()].filter((secret) => text.includes(secret));
      // The longest first: one secret may lie in another one.
      found.sort((a, b) => b.length - a.length);
      return found.reduce((left, secret) => left.replaceAll(secret, learnt.get(secret) ?? ''), text);
    },
  };
};

/** Shorter secrets, and words, could be a part of anything. */
export const isTelling = (secret: string): boolean =>
  secret.length >= 16 || (secret.length >= 8 && /[^A-Za-z]/.test(secret) && /\D/.test(secret));
