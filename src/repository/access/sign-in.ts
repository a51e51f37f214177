/** Checks a name and a password: first flood control, then the cache, then the hash. */
import type { CredentialCache, Fingerprint } from './credential-cache.ts';
import type { Flood, FloodRefusal } from './flood.ts';
import { passwordMatches } from './passwords.ts';

type SignInAttempt = {
  /** The active account of the name. Undefined when there is none: then only the address is counted. */
  readonly uid: number | undefined;
  /** The credential cache's fingerprint of name and password. */
  readonly fingerprint: Fingerprint;
  /** Called only when the password has to be hashed. */
  readonly password: () => string;
  readonly address: string;
  /** Undefined when no active account has the name. The attempt then takes as long as with a hash. */
  readonly passwordHash: string | undefined;
};

type SignInOutcome = 'accepted' | 'wrong' | FloodRefusal;
/** Rejects with a Problem 503 when too many passwords are being hashed. Such an attempt is not counted. */
type SignIn = (attempt: SignInAttempt) => Promise<SignInOutcome>;

/** HTTP Basic and the login form each have their own `flood`, as on the real site. */
export const createSignIn = (flood: Flood, cache: CredentialCache): SignIn => {
  const pending = new Map<string, Promise<SignInOutcome>>();

  const checkPassword = async (attempt: SignInAttempt): Promise<SignInOutcome> => {
    const { uid, password, address, passwordHash } = attempt;
    flood.register(uid, address);
    try {
      if (!(await passwordMatches(password(), passwordHash))) return 'wrong';
    } catch (error) {
      flood.withdraw(uid, address);
      throw error;
    }
    flood.withdraw(uid, address);
    flood.clear(uid, address);
    return 'accepted';
  };

  return async (attempt) => {
    const { uid, fingerprint, address, passwordHash } = attempt;
    const key = (): string => JSON.stringify([fingerprint, address, passwordHash]);
    // A browser opens a page with many requests at once. The same credentials are one attempt and one hash.
    const same = pending.size === 0 ? undefined : pending.get(key());
    if (same !== undefined) return same;
    const refusal = flood.refusal(uid, address);
    if (refusal !== undefined) return refusal;
    if (cache.holds(fingerprint, passwordHash)) {
      flood.clear(uid, address);
      return 'accepted';
    }
    const checking = checkPassword(attempt).finally(() => pending.delete(key()));
    pending.set(key(), checking);
    const outcome = await checking;
    if (outcome === 'accepted') cache.keep(fingerprint, passwordHash);
    return outcome;
  };
};
