/** Makes the CSRF token that anonymous visitors get. It belongs to no session. */
import { keyedDigest } from '../../basics/digest.ts';
import type { Identifiers } from '../model/clock.ts';
import type { SharedState } from '../model/state/shared-state.ts';

/** So many processes may draw a secret at the same moment. */
const secretLimit = 100;

/**
 * Returns what gives the token. Draws a secret unless the state has one. Processes that drew at the same moment agree on the
 * least of their secrets as soon as they know of each other.
 */
export const createAnonymousToken = (state: SharedState, ids: Identifiers): (() => string) => {
  const secrets = state.map<string>('anonymous-token', secretLimit);
  const secret = (): string => {
    const [least] = [...secrets.entries()].map(([, each]) => each).sort();
    if (least !== undefined) return least;
    const drawn = ids.secret();
    secrets.set(state.process, drawn);
    return drawn;
  };
  // Drawn now: with a seed, the secrets of sessions depend on the order.
  secret();
  return () => keyedDigest(secret(), 'anonymous');
};
