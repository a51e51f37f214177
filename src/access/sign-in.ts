/** One attempt with a name and a password: flood control, then the cache, then the hash. Accounts are looked up elsewhere. */
import type { CredentialCache, Fingerprint } from './credential-cache.ts';
import type { Flood, FloodRefusal } from './flood.ts';
import { passwordMatches } from './passwords.ts';

/** `passwordHash` is undefined where nobody of that name may sign in; the attempt costs the same then. */
export type SignInAttempt = {
  readonly name: string;
  /** Of name and password, by the cache. */
  readonly fingerprint: Fingerprint;
  /** Asked for only when it has to be hashed. */
  readonly password: () => string;
  readonly address: string;
  readonly passwordHash: string | undefined;
};

export type SignInOutcome = 'accepted' | 'wrong' | FloodRefusal;
/** Rejects with a Problem 503 when too many passwords are being hashed; such an attempt is not counted. */
export type SignIn = (attempt: SignInAttempt) => Promise<SignInOutcome>;

/** Attempts counted by `flood`; each way to sign in has counters of its own (reference 5.1). */
export const createSignIn = (flood: Flood, cache: CredentialCache): SignIn => {
  const underway = new Map<string, Promise<SignInOutcome>>();

  const judge = async (attempt: SignInAttempt): Promise<SignInOutcome> => {
    const { name, password, address, passwordHash } = attempt;
    flood.register(name, address);
    try {
      if (!(await passwordMatches(password(), passwordHash))) return 'wrong';
    } catch (error) {
      flood.withdraw(name, address);
      throw error;
    }
    flood.withdraw(name, address);
    flood.clear(name, address);
    return 'accepted';
  };

  return async (attempt) => {
    const { name, fingerprint, address, passwordHash } = attempt;
    const key = (): string => JSON.stringify([fingerprint, address, passwordHash]);
    // A client's first page asks for many things at once: the same credentials are one attempt and one hash.
    const same = underway.size === 0 ? undefined : underway.get(key());
    if (same !== undefined) return same;
    const refusal = flood.refusal(name, address);
    if (refusal !== undefined) return refusal;
    if (cache.holds(fingerprint, passwordHash)) {
      flood.clear(name, address);
      return 'accepted';
    }
    const judged = judge(attempt).finally(() => underway.delete(key()));
    underway.set(key(), judged);
    const outcome = await judged;
    if (outcome === 'accepted') cache.keep(fingerprint, passwordHash);
    return outcome;
  };
};
