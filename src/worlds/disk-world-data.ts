/** The life of a world on disk, and how a reset puts another in its place. What it is made from is read elsewhere. */
import type { Entity } from '../model/entity.ts';
import type { Identifiers } from '../model/clock.ts';
import { indexKeys } from '../content/index-keys.ts';
import { schemeOf } from '../content/repository.ts';
import { seedStateOf, type WorldData } from './world-data.ts';
import { createSavedState, pinAll, type SavedState } from './saved-state.ts';
import type { ReplaceData } from './named-world.ts';
import { withOwnBytes } from './fill-repository.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import type { JournalEntityStore } from '../storage/journal/journal-entity-store.ts';
import type { PinnedBlobStorage } from '../storage/blobs/pinned-blobs.ts';
import type { FrozenRecords } from '../storage/record-layer.ts';
import { createRecordSet } from '../storage/record-set.ts';
import { writeProblem } from '../storage/write-problem.ts';

export type DiskWorldParts = {
  readonly journal: JournalEntityStore;
  readonly blobs: ReadonlyMap<string, PinnedBlobStorage>;
  /** As the disk has them: their `remove` does not wait for generations of the records. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
  readonly ids: Identifiers;
};

/** A life over the journal's records of the moment. What is kept of it lives in memory and keeps its bytes on the disk. */
export const createDiskWorldData = ({ journal, blobs, ids }: DiskWorldParts): WorldData => ({
  store: journal.store,
  blobs,
  ids,
  keep: () => {
    const records = journal.freeze();
    return createSavedState({ records, blobs, chance: () => seedStateOf(records.counters) }, pinAll(blobs));
  },
  end: () => undefined,
});

/**
 * Puts a state in the place of all that is stored: its bytes first, where they lie elsewhere, then all records at once,
 * durably, then the old bytes go. Rejects with a Problem, and nothing has changed then.
 */
export const replacementOnDisk =
  (parts: DiskWorldParts): ReplaceData =>
  async (state, begin) => {
    const { journal, blobs } = parts;
    const brought = await bringBytes(state, parts);
    let before: FrozenRecords;
    try {
      before = await journal.replace(brought.records);
    } catch (error) {
      await removeBytes(brought.files, parts);
      throw error;
    }
    const files = filesIn(brought.records);
    for (const [scheme, storage] of blobs) {
      storage.revive(files.filter((file) => schemeOf(file) === scheme).map(keyOfBlob));
    }
    begin(createDiskWorldData(parts));
    const named = new Set(files.map(placeOf));
    const unnamed = filesIn(before).filter((file) => !named.has(placeOf(file)));
    await removeBytes(unnamed, parts);
  };

type Brought = { readonly records: FrozenRecords; readonly files: readonly Entity[] };

/** The state's records, and those files among them whose bytes have been copied here. Rejects with a Problem, and without a copy. */
const bringBytes = async (state: SavedState, parts: DiskWorldParts): Promise<Brought> => {
  const { blobs } = parts;
  const records = createRecordSet(indexKeys, state.records);
  const foreign = filesIn(state.records).filter(
    (file) => state.blobs.get(schemeOf(file)) !== blobs.get(schemeOf(file)),
  );
  const sourceOf = (file: Entity): BlobStorage | undefined => state.blobs.get(schemeOf(file));
  const takeBack = (files: readonly Entity[]): Promise<void> => removeBytes(files, parts);
  const { entities } = await withOwnBytes(
    { entities: foreign, counters: {} },
    sourceOf,
    blobs,
    () => undefined,
    takeBack,
  ).catch((error: unknown) => {
    throw writeProblem(error);
  });
  const files = [...entities];
  for (const file of files) records.apply({ put: file });
  return { records: records.freeze(), files };
};

const filesIn = (records: FrozenRecords): readonly Entity[] =>
  createRecordSet(indexKeys, records)
    .list('file', { offset: 0, limit: records.size })
    .entities.filter(({ blob }) => blob !== undefined);

const keyOfBlob = (file: Entity): string => file.blob?.key ?? '';
const placeOf = (file: Entity): string => `${schemeOf(file)} ${keyOfBlob(file)}`;

/** No kept generation names them any more. Bytes that cannot be removed now are swept at the next start. */
const removeBytes = async (files: readonly Entity[], { blobs, storages }: DiskWorldParts): Promise<void> => {
  for (const file of files) {
    const scheme = schemeOf(file);
    const remove = async (key: string): Promise<void> => storages.get(scheme)?.remove(key);
    await blobs
      .get(scheme)
      ?.removeBy(keyOfBlob(file), remove)
      .catch(() => undefined);
  }
};
