/** Defines what is observed of one world: its traffic and its coverage. */
import type { TrafficLog } from '../traffic/traffic-log.ts';
import type { CoverageTally } from '../../contract/coverage/coverage-tally.ts';

/** A reset of the world keeps them. */
export type WorldRecord = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

/** The memory for so many requests of one world, in bytes. Long ones take from what short ones leave; few ones may be long. */
export const memoryOf = (entries: number): number => Math.max(entries, 1000) * 4096;
