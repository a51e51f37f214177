/** The row of a world in the database, as far as all processes need it at each change. */
import type { EntityKey, ChangedRecord, Counters } from '../../openapi/openapi-records.ts';

/** Ids of layers, the top first, descending. The top belongs to one world alone; those below never change. */
export type Chain = readonly number[];

/** The number of visible records, by type and by `type/bundle`. A missing name is 0. */
export type Totals = Readonly<Record<string, number>>;

export type WorldRow = {
  readonly id: number;
  readonly name: string;
  /** Grows with each reset. Records of one generation say nothing about those of another. */
  readonly generation: number;
  /** Grows by one with each change of the world, in the transaction of the change, which holds the row's lock. */
  readonly seq: number;
  readonly chain: Chain;
  /** Whether the top layer has rows. A fork needs a new top only then. */
  readonly isTopUsed: boolean;
  readonly counters: Counters;
  readonly totals: Totals;
};

/** The columns of `atoll_worlds` that `readWorldRow` reads. */
export const worldColumns = 'id, name, generation, seq, chain, top_used, counters, totals';

export type WorldColumns = {
  readonly id: number;
  readonly name: string;
  readonly generation: number;
  readonly seq: number;
  readonly chain: readonly number[];
  readonly top_used: boolean;
  readonly counters: string;
  readonly totals: string;
};

export const readWorldRow = (row: WorldColumns): WorldRow => ({
  ...{ id: row.id, name: row.name, generation: row.generation, seq: row.seq, chain: row.chain },
  isTopUsed: row.top_used,
  // The program wrote both.
  counters: JSON.parse(row.counters) as Counters,
  totals: JSON.parse(row.totals) as Totals,
});

/** The name of a total. */
export const totalName = (type: string, bundle?: string): string => (bundle === undefined ? type : `${type}/${bundle}`);

/** A value of the shared state that was set, or removed with null: topic, key, JSON. */
export type StateChange = readonly [topic: string, key: string, value: string | null];

/** One row of `atoll_changes`: what a batch, a flush or a command changed in a world. */
export type WorldChange = {
  /** Keys of records, and index keys that they had before or have now. */
  readonly touched: readonly string[];
  readonly changed: readonly ChangedRecord[];
  readonly state: readonly StateChange[];
};

/** A change that moves the chain, or nothing: a fork of the world gives it a new top. */
export const emptyChange: WorldChange = { touched: [], changed: [], state: [] };

type ChangeText = {
  readonly touched?: readonly string[];
  readonly put?: readonly EntityKey[];
  readonly removed?: readonly EntityKey[];
  readonly state?: readonly StateChange[];
};

/** The payload of a row of `atoll_changes`. */
export const changeText = ({ touched, changed, state }: WorldChange): string => {
  const keysWhere = (isRemoved: boolean): readonly EntityKey[] =>
    changed.filter((each) => each.isRemoved === isRemoved).map(({ key }) => key);
  const text: ChangeText = { touched, put: keysWhere(false), removed: keysWhere(true), state };
  return JSON.stringify(text, (_name, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : value,
  );
};

export const readChange = (payload: string): WorldChange => {
  // The program wrote it.
  const { touched = [], put = [], removed = [], state = [] } = JSON.parse(payload) as ChangeText;
  const changed = [
    ...put.map((key) => ({ key, isRemoved: false })),
    ...removed.map((key) => ({ key, isRemoved: true })),
  ];
  return { touched, changed, state };
};
