/** Lets bytes go when nothing names them any more: no record, no saved state, no kept generation of the records. */
import { beginSlices } from '../../basics/long-work.ts';
import { createSemaphore } from '../../basics/semaphore.ts';
import { entityOf, type FrozenRecords } from '../record-layer.ts';
import { createRecordSet } from '../record-set.ts';
import {
  type BlobStorage,
  type BlobReference,
  type Entity,
  type RecordModel,
  schemeOf,
} from '../../openapi/openapi-records.ts';

/** The files of the records. A generation that is kept names all bytes that records have named since it began. */
export type Generations = {
  /** The generation to which changes are written now. */
  current(): number;
  oldestKept(): number;
  /** The disk was full at the last write, so space matters more than old generations. */
  isOutOfSpace(): boolean;
  /** Requests a compaction after the next batch, and then a sweep. */
  compact(): void;
};

export type BlobSweeper = {
  /** Bytes that these records name stay until the returned function is called. */
  hold(records: FrozenRecords): () => void;
  /** A record that named the bytes is gone or names others. Resolves when they are gone where the disk is full, else soon. */
  readonly released: (file: Entity) => Promise<void>;
  /** Records name the bytes no longer, but a kept generation does. */
  wait(scheme: string, blob: Pick<BlobReference, 'key' | 'size'>): void;
  /** All records were replaced, and no kept generation names the former ones. */
  replaced(former: FrozenRecords): Promise<void>;
  readonly sweep: () => Promise<void>;
  /** Sweeps without regard to kept generations, because space is missing. */
  readonly makeRoom: () => Promise<void>;
};

type BlobSweeperOptions = {
  readonly model: RecordModel;
  readonly storages: ReadonlyMap<string, BlobStorage>;
  /** The published records as they are now. */
  readonly freeze: () => FrozenRecords;
  /** When left out: no older records are kept. */
  readonly generations?: Generations;
};

/** More released bytes than this request a compaction or a sweep, so that they do not pile up in a quiet repository. */
const limits = { withGenerations: 256 * 1024 * 1024, without: 16 * 1024 * 1024 };

/** Bytes that a record has released. No generation before this one names them. */
type Released = { readonly generation: number; readonly size: number };

/** The released bytes of each storage. `states` says which records name bytes, the published ones first. */
const createWaiting = (
  { storages, model }: Pick<BlobSweeperOptions, 'storages' | 'model'>,
  states: () => readonly FrozenRecords[],
) => {
  const enqueue = createSemaphore(1);
  const waiting = new Map([...storages.values()].map((storage) => [storage, new Map<string, Released>()]));

  /** By key alone: several schemes may lie in one bucket or have equal bytes. */
  const unnamed = async (due: ReadonlyMap<string, Released>, forget: (key: string) => void) => {
    const keys = new Set(due.keys());
    const [published, ...others] = states();
    await dropNamed(keys, published, model);
    // What records name again is released again one day.
    for (const key of due.keys()) if (!keys.has(key)) forget(key);
    for (const records of others) await dropNamed(keys, records, model);
    return keys;
  };
  return {
    add: (scheme: string, { key, size }: Pick<BlobReference, 'key' | 'size'>, generation: number): void => {
      const storage = storages.get(scheme);
      if (storage !== undefined) waiting.get(storage)?.set(key, { generation, size });
    },
    all: (): readonly Released[] => [...waiting.values()].flatMap((released) => [...released.values()]),
    sweepWhere: (mayGo: (released: Released) => boolean): Promise<void> =>
      enqueue(async () => {
        for (const [storage, released] of waiting) {
          const due = new Map([...released].filter(([, each]) => mayGo(each)));
          // Not when it was released again meanwhile.
          const forget = (key: string): void => {
            if (released.get(key) === due.get(key)) released.delete(key);
          };
          if (due.size > 0) (await storage.sweep(() => unnamed(due, forget))).forEach(forget);
        }
      }),
  };
};

export const createBlobSweeper = ({ model, storages, freeze, ...options }: BlobSweeperOptions): BlobSweeper => {
  const limit = options.generations === undefined ? limits.without : limits.withGenerations;
  const held = new Set<{ readonly records: FrozenRecords }>();
  const waiting = createWaiting({ storages, model }, () => [freeze(), ...[...held].map(({ records }) => records)]);
  /** Kept generations name most bytes that wait, and go with the next compaction. */
  const isWorthSweeping = (): boolean =>
    options.generations === undefined && waiting.all().reduce((sum, { size }) => sum + size, 0) > limit;
  let bytesSinceSweep = 0;

  const makeRoom = (): Promise<void> => {
    bytesSinceSweep = 0;
    return waiting.sweepWhere(() => true);
  };
  const generations: Generations = options.generations ?? {
    ...{ current: () => 0, oldestKept: () => 1, isOutOfSpace: () => false, compact: () => void makeRoom() },
  };
  const sweep = async (): Promise<void> => {
    const oldest = generations.oldestKept();
    bytesSinceSweep = 0;
    await waiting.sweepWhere(({ generation }) => generation < oldest);
    const bytes = waiting.all().reduce((sum, { generation, size }) => (generation < oldest ? sum : sum + size), 0);
    if (bytes > limit) generations.compact();
  };
  return {
    hold: (records) => {
      const state = { records };
      held.add(state);
      return () => {
        // While others are held, only for bytes that are worth reading all files.
        if (held.delete(state) && (held.size === 0 || isWorthSweeping())) void sweep();
      };
    },
    released: async (file) => {
      if (file.blob === undefined) return;
      // The change that released the bytes is in this generation or an earlier one.
      waiting.add(schemeOf(file), file.blob, generations.current());
      bytesSinceSweep += file.blob.size;
      if (generations.isOutOfSpace()) await makeRoom();
      else if (bytesSinceSweep > limit) generations.compact();
    },
    wait: (scheme, blob) => waiting.add(scheme, blob, generations.current()),
    replaced: async (former) => {
      for await (const file of filesOf(former, model)) {
        if (file.blob !== undefined) waiting.add(schemeOf(file), file.blob, noGeneration);
      }
      await sweep();
    },
    sweep,
    makeRoom,
  };
};

/** Before the first one. */
const noGeneration = -1;

/** Read in slices, between which other requests are answered. */
async function* filesOf(records: FrozenRecords, model: RecordModel): AsyncGenerator<Entity> {
  const slices = beginSlices();
  const { fileType } = model;
  if (fileType === undefined) return;
  const { records: files } = createRecordSet(model, records).listHeld(fileType, { offset: 0, limit: records.size });
  for (const file of files) {
    yield entityOf(file);
    if (slices.isOver()) await slices.next();
  }
}

/** Leaves the keys that no record names. */
const dropNamed = async (keys: Set<string>, records: FrozenRecords | undefined, model: RecordModel): Promise<void> => {
  if (keys.size === 0 || records === undefined) return;
  for await (const { blob } of filesOf(records, model)) {
    keys.delete(blob?.key ?? '');
    if (keys.size === 0) return;
  }
};
