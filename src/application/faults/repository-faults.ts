/** Lists the faults on demand that only a repository has. */
import type { FaultKind } from '../../server/server.ts';
import { serviceFaults } from './service-faults.ts';
import { siteFaults } from './site-faults.ts';

/** In the order of the catalogue. */
export const repositoryFaults: readonly FaultKind[] = [...serviceFaults, ...siteFaults];
