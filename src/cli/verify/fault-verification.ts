/** Verifies that the faults of the catalogue do what their pages say, each in a world of its own. */
import { faultCatalogue, findFault } from '../../faults/catalogue.ts';
import { checkedWorld, type CheckedWorld } from './fault-check.ts';
import { serviceChecks } from './fault-checks-service.ts';
import { transportChecks } from './fault-checks-transport.ts';

/** `failure` says what happened instead. It is undefined when the fault does what it should. */
type FaultResult = { readonly fault: string; readonly failure: string | undefined };

/** Creates a world of the `starter` fixture, which clients reach by a socket. */
export type ForkWorld = () => Promise<{ readonly url: string; drop(): Promise<void> }>;

const checks = { ...serviceChecks, ...transportChecks };

/** Verifies one fault. A fault without a check counts as a failure. Tests pass another `openWorld` to see a check fail. */
export const verifyFault = async (
  fork: ForkWorld,
  fault: string,
  openWorld: (url: string) => CheckedWorld = checkedWorld,
): Promise<FaultResult> => {
  const check = checks[fault];
  if (check === undefined) return { fault, failure: 'It has no check.' };
  const world = await fork();
  try {
    await check(openWorld(world.url));
    return { fault, failure: undefined };
  } catch (error) {
    return { fault, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    await world.drop();
  }
};

/** Verifies the named faults, or all of them, one after another, and reports each. Throws a problem 422 for an unknown name. */
export const verifyFaults = async (
  fork: ForkWorld,
  names: readonly string[],
  onResult: (result: FaultResult) => void,
): Promise<readonly FaultResult[]> => {
  const kinds = names.length === 0 ? faultCatalogue : names.map(findFault);
  const results: FaultResult[] = [];
  for (const { name } of kinds) {
    const result = await verifyFault(fork, name);
    results.push(result);
    onResult(result);
  }
  return results;
};
