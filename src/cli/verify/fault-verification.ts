/** Whether the faults of the catalogue do what their pages say: each is met by a client, in a world of its own. */
import { faultCatalogue, findFault } from '../../faults/catalogue.ts';
import { checkedWorld, type CheckedWorld } from './fault-check.ts';
import { serviceChecks } from './fault-checks-service.ts';
import { transportChecks } from './fault-checks-transport.ts';

/** `failure` is the sentence about what was met instead; undefined when the fault does what it should. */
export type Verified = { readonly fault: string; readonly failure: string | undefined };

/** Makes a new world of the `starter` fixture, which clients reach by a socket. */
export type ForkWorld = () => Promise<{ readonly url: string; drop(): Promise<void> }>;

const checks = { ...serviceChecks, ...transportChecks };

/** Meets one fault. A fault that nobody checks is a failure. */
export const verifyFault = async (
  fork: ForkWorld,
  fault: string,
  open: (url: string) => CheckedWorld = checkedWorld,
): Promise<Verified> => {
  const check = checks[fault];
  if (check === undefined) return { fault, failure: 'No check meets it.' };
  const world = await fork();
  try {
    await check(open(world.url));
    return { fault, failure: undefined };
  } catch (error) {
    return { fault, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    await world.drop();
  }
};

/** Meets the faults that are named, or all, one after another; `tell` hears of each. Throws 422 for a name that there is not. */
export const verifyFaults = async (
  fork: ForkWorld,
  names: readonly string[],
  tell: (verified: Verified) => void,
): Promise<readonly Verified[]> => {
  const wanted = names.length === 0 ? faultCatalogue : names.map(findFault);
  const all: Verified[] = [];
  for (const { name } of wanted) {
    const verified = await verifyFault(fork, name);
    all.push(verified);
    tell(verified);
  }
  return all;
};
