/** Follows the change sequence of one generation of a world: what this process knows is what the world was at one number. */
import { shareNextRun } from '../../basics/semaphore.ts';
import type { Database, Queries } from './database.ts';
import { changesStatement } from './statements.ts';
import { readChange, readWorldRow, type WorldChange, type WorldColumns, type WorldRow } from './world-row.ts';

/** What a check found. `replaced`: the world has another generation, or this process has missed changes. */
type Found = 'current' | 'replaced' | 'gone';

export type Follower = {
  /** The world at the number up to which changes are applied. */
  row(): WorldRow;
  /** The row that the next generation begins with, once a check found it. */
  replacement(): WorldRow | undefined;
  isEnded(): boolean;
  /** Asks for changes and applies them. Calls share a check that started after they came. */
  check(): Promise<Found>;
  /** Asks within a transaction. */
  checkIn(queries: Queries): Promise<Found>;
  /** Applies a change of this process, with the row as it is after it. False when a check has applied it already, or later ones. */
  applyOwn(row: WorldRow, change: WorldChange): boolean;
  /** When the last check that was answered began, by `performance.now()`. */
  checkedAt(): number;
};

type ChangeRow = WorldColumns & { readonly change: number | null; readonly payload: string | null };

type FollowerOptions = {
  readonly database: Database;
  readonly row: WorldRow;
  /** Called with each change in order. */
  readonly apply: (change: WorldChange) => void;
};

export const createFollower = ({ database, row: first, apply }: FollowerOptions): Follower => {
  let row = first;
  let replacement: WorldRow | undefined;
  let isGone = false;
  let checkedAt = performance.now();

  const take = (rows: readonly ChangeRow[]): Found => {
    const [current] = rows;
    if (current === undefined) {
      isGone = true;
      return 'gone';
    }
    // Most checks find nothing new, and need not read the rest.
    if (current.generation === row.generation && current.seq <= row.seq) return 'current';
    const next = readWorldRow(current);
    if (next.generation !== row.generation) {
      replacement = next;
      return 'replaced';
    }
    const changes = rows.filter(({ change }) => change !== null && change > row.seq);
    if (changes.length < next.seq - row.seq) {
      // Too much was missed. Every cache of this world begins again, as after a reset.
      replacement = next;
      return 'replaced';
    }
    row = next;
    for (const { payload } of changes) apply(readChange(payload ?? '{}'));
    return 'current';
  };
  const ask = async (queries: Queries): Promise<Found> => {
    const began = performance.now();
    const rows = await queries.query<ChangeRow>(changesStatement, [row.id, row.seq, row.generation]);
    const found = take(rows);
    checkedAt = began;
    return found;
  };

  return {
    row: () => row,
    replacement: () => replacement,
    isEnded: () => isGone || replacement !== undefined,
    check: shareNextRun(() => ask(database)),
    checkIn: ask,
    applyOwn: (next, change) => {
      if (next.seq <= row.seq) return false;
      row = next;
      apply(change);
      return true;
    },
    checkedAt: () => checkedAt,
  };
};
