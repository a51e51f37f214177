/** What each test has counted, for the table at the end of a run. */
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.ts';
import type { History } from './history.ts';

/** Fewer rounds and shorter faults: `npm run test:suite -- postgres --short`. */
export const isShort = process.env['SUITE'] !== 'postgres';

/** A number for the long run and one for the short run. */
export const longOrShort = (long: number, short: number): number => (isShort ? short : long);

export type Counts = {
  readonly fault: string;
  /** How often the fault happened. */
  readonly rounds: number;
  readonly acknowledged: number;
  /** Requests without an answer, or with one that leaves open what happened. */
  readonly unknown: number;
  readonly reads: number;
  /** Violations that the comparison found: lost writes, doubles, halves, stale reads. */
  readonly violations: number;
  readonly note?: string;
};

/** `table.mjs` empties it before a run. */
const folder = join(root, 'coverage/postgres');

/** Adds a row to the table. */
export const count = async (counts: Counts): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await appendFile(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(counts)}\n`);
};

/** Adds the row of a history. */
export const countHistory = (
  fault: string,
  rounds: number,
  { counts }: History,
  violations: readonly string[],
  note?: string,
): Promise<void> =>
  count({
    ...{ fault, rounds, acknowledged: counts.acknowledged, unknown: counts.unknown, reads: counts.read },
    ...{ violations: violations.length, ...(note === undefined ? {} : { note }) },
  });
