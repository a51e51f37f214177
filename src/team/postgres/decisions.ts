/** Runs decisions one after another on the cached records of a world, and finds out which others they must read. */
import { changedKey, createStagedRecords } from '../../storage/storage-driver.ts';
import { type Totals, type WorldRow, totalName } from './world-row.ts';
import type { Wanted } from './world-reads.ts';
import type {
  Entity,
  EntityKey,
  Change,
  ChangedRecord,
  Counter,
  Decision,
  IndexKey,
  IndexKeys,
  RecordModel,
  KnownRecords,
  StoreRead,
  StoreView,
  Counters,
} from '../../openapi/openapi-records.ts';

/** A call of `transact` that waits for its batch. */
export type Call = {
  readonly reads: readonly StoreRead[];
  readonly decide: (view: StoreView) => Decision<unknown>;
  /** The ids that this call drew, by counter. A decision that runs again draws the same ones. */
  readonly drawn: Map<Counter, number[]>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** The cached records at the moment of the row. */
export type Known = KnownRecords & { readonly row: WorldRow };

/** The highest ids that this process has drawn. A batch that fails takes none of them back. */
export type Drawn = Map<string, number>;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** The changes of a batch, and how each of its calls ends once they are written. */
export type Decided = {
  readonly outcomes: readonly Outcome[];
  /** Each changed record with its versions before and after. */
  readonly changes: ReadonlyMap<EntityKey, { readonly before: Entity | undefined; readonly after: Entity | undefined }>;
  readonly texts: ReadonlyMap<Entity, string>;
  readonly counters: Counters;
  /** Whether a call that did not throw has drawn an id. */
  readonly hasDrawn: boolean;
};

class NotKnown extends Error {
  override name = 'NotKnown';
}

/** Runs all calls in order. Returns what must be loaded first, when that is so; then nothing counts and all run again. */
export const decide = (calls: readonly Call[], known: Known, drawn: Drawn, model: RecordModel): Decided | Wanted => {
  const run = createRun(known, drawn, model);
  const outcomes: Outcome[] = [];
  for (const call of calls) {
    const outcome = run.one(call);
    // The others run too, to find out what they must read. Without what the failed one would have changed, this is a guess.
    if (outcome !== undefined) outcomes.push(outcome);
  }
  return run.missing() ?? { outcomes, ...run.decided() };
};

type Missing = { readonly keys: Set<EntityKey>; readonly indexes: Set<IndexKey> };

/** Reads the cached records. Notes the missing ones, and throws. */
const createBase = (known: Known, wanted: Missing) => ({
  get: (key: EntityKey): Entity | undefined => {
    const found = known.record(key);
    if (found !== undefined) return found.entity;
    if (isFresh(key, known.row.counters)) return undefined;
    wanted.keys.add(key);
    throw new NotKnown();
  },
  lookup: (index: IndexKey): readonly Entity[] => {
    const found = known.lookup(index);
    if (found !== undefined) return found;
    wanted.indexes.add(index);
    throw new NotKnown();
  },
});

const createRun = (known: Known, drawn: Drawn, model: RecordModel) => {
  const wanted: Missing = { keys: new Set(), indexes: new Set() };
  const counters: Record<string, number> = { ...known.row.counters };
  const before = new Map<EntityKey, Entity | undefined>();
  const after = new Map<EntityKey, Entity | undefined>();
  const texts = new Map<Entity, string>();
  let hasDrawn = false;

  const raise = (raised: Counters): void => raiseAll(counters, raised);
  const { get, lookup } = createBase(known, wanted);
  const staged = createStagedRecords({ get, lookup, raise }, model);
  const draw = createDrawing(counters, drawn);
  const stage = (changes: readonly Change[]): void => {
    const encoded = changes.map((change) => ('put' in change ? JSON.stringify(change.put) : ''));
    // Reads all of them first, so that a change set is staged completely or not at all.
    for (const change of changes) before.set(changedKey(change), get(changedKey(change)));
    staged.stage(changes, { number: 0, touched: new Set() });
    for (const [at, change] of changes.entries()) {
      const key = changedKey(change);
      after.delete(key);
      after.set(key, 'put' in change ? change.put : undefined);
      if ('put' in change) texts.set(change.put, encoded[at] ?? '');
    }
  };

  return {
    /** Undefined when something is missing. */
    one: (call: Call): Outcome | undefined => {
      const missing = (): number => wanted.keys.size + wanted.indexes.size;
      const missingBefore = missing();
      try {
        const { changes, result } = call.decide({ ...staged.view, nextId: draw(call) });
        if (missing() > missingBefore) return undefined;
        stage(changes);
        hasDrawn ||= call.drawn.size > 0;
        return { result };
      } catch (error) {
        return missing() > missingBefore ? undefined : { error };
      }
    },
    missing: (): Wanted | undefined =>
      wanted.keys.size + wanted.indexes.size === 0
        ? undefined
        : { keys: [...wanted.keys], indexes: [...wanted.indexes] },
    decided: () => {
      const changes = new Map(
        [...after]
          .map(([key, entity]) => [key, { before: before.get(key), after: entity }] as const)
          .filter(([, change]) => change.before !== undefined || change.after !== undefined),
      );
      return { changes, texts, counters, hasDrawn };
    },
  };
};

const raiseAll = (counters: Record<string, number>, raised: Counters): void => {
  for (const [name, value] of Object.entries(raised)) counters[name] = Math.max(counters[name] ?? 0, value);
};

/** Draws ids for a call: those that it drew before, then new ones. */
const createDrawing =
  (counters: Record<string, number>, drawn: Drawn) =>
  (call: Call): StoreView['nextId'] => {
    const taken = new Map<Counter, number>();
    return (counter) => {
      const at = taken.get(counter) ?? 0;
      taken.set(counter, at + 1);
      const ids = call.drawn.get(counter) ?? [];
      call.drawn.set(counter, ids);
      const id = (ids[at] ??= Math.max(counters[counter] ?? 0, drawn.get(counter) ?? 0) + 1);
      counters[counter] = Math.max(counters[counter] ?? 0, id);
      drawn.set(counter, Math.max(drawn.get(counter) ?? 0, id));
      return id;
    };
  };

/** Whether no record can have this id yet: ids above the counter were never used. */
const isFresh = (key: EntityKey, counters: Counters): boolean => {
  const [type = '', id = ''] = key.split(':');
  return Number(id) > ((counters as Readonly<Record<string, number | undefined>>)[type] ?? 0);
};

/** The totals after the changes. */
export const totalsAfter = (totals: Totals, { changes }: Decided): Totals => {
  const next: Record<string, number> = { ...totals };
  const add = (entity: Entity | undefined, by: number): void => {
    if (entity === undefined) return;
    for (const name of [totalName(entity.type), totalName(entity.type, entity.bundle)]) {
      next[name] = (next[name] ?? 0) + by;
    }
  };
  for (const { before, after } of changes.values()) {
    add(before, -1);
    add(after, 1);
  }
  return Object.fromEntries(Object.entries(next).filter(([, count]) => count !== 0));
};

/** The keys of the changed records, and the index keys that they had before or have now. */
export const touchedBy = ({ changes }: Decided, indexes: IndexKeys): readonly string[] => {
  const touched = new Set<string>();
  for (const [key, { before, after }] of changes) {
    touched.add(key);
    for (const version of [before, after])
      if (version !== undefined) for (const index of indexes(version)) touched.add(index);
  }
  return [...touched];
};

export const changedBy = ({ changes }: Decided): readonly ChangedRecord[] =>
  [...changes].map(([key, { after }]) => ({ key, isRemoved: after === undefined }));
