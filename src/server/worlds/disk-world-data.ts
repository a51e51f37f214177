/** Makes the data of the main world on disk, and replaces them in a reset. */
import type { Entity } from '../../core/model/entity.ts';
import type { Identifiers } from '../../core/model/clock.ts';
import { indexKeys } from '../../core/content/index-keys.ts';
import { schemeOf } from '../../core/content/repository.ts';
import { seedStateOf, type WorldData } from './world-data.ts';
import { blobKeyOf, blobNameOf } from './file-blobs.ts';
import { createSavedState, pinAll, type SavedState } from './saved-state.ts';
import type { ReplaceData } from './named-world.ts';
import { copyBlobs } from './copy-blobs.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { JournalEntityStore } from '../../storage/journal/journal-entity-store.ts';
import type { PinnedBlobStorage } from '../../storage/blobs/pinned-blobs.ts';
import type { FrozenRecords } from '../../storage/record-layer.ts';
import { createRecordSet } from '../../storage/record-set.ts';
import { writeProblem } from '../../storage/write-problem.ts';

type DiskWorldParts = {
  /** On disk the journal's store. In a browser another store that replaces all records durably at once. */
  readonly journal: Pick<JournalEntityStore, 'store' | 'freeze' | 'replace'> & {
    statistics(): { readonly records: number };
  };
  readonly blobs: ReadonlyMap<string, PinnedBlobStorage>;
  /** The storages below `blobs`. Their `remove` is immediate: it does not wait for older generations of the records. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
  readonly ids: Identifiers;
};

/** World data over the journal's current records. A saved state is kept in memory and pins its bytes on disk. */
export const createDiskWorldData = ({ journal, blobs, ids }: DiskWorldParts): WorldData => ({
  store: journal.store,
  blobs,
  ids,
  saveState: () => {
    const records = journal.freeze();
    return createSavedState({ records, blobs, seedState: () => seedStateOf(records.counters) }, pinAll(blobs));
  },
  freeze: () => journal.freeze(),
  size: () => journal.statistics().records,
  release: () => undefined,
});

/**
 * Replaces everything stored by a state: copies the state's bytes, then writes all records durably at once, then removes
 * the old bytes. Rejects with a Problem and leaves everything unchanged when the bytes or records cannot be written.
 */
export const replaceDataOnDisk =
  (parts: DiskWorldParts): ReplaceData =>
  async (state, publish) => {
    const { journal, blobs } = parts;
    const { records, files } = await copyForeignBytes(state, parts);
    let before: FrozenRecords;
    try {
      before = await journal.replace(records);
    } catch (error) {
      await removeBytes(files, parts);
      throw error;
    }
    const present = filesIn(records);
    for (const [scheme, storage] of blobs) {
      storage.cancelRemovals(present.filter((file) => schemeOf(file) === scheme).map(blobKeyOf));
    }
    publish(createDiskWorldData(parts));
    const named = new Set(present.map(blobNameOf));
    await removeBytes(
      filesIn(before).filter((file) => !named.has(blobNameOf(file))),
      parts,
    );
  };

/** The state's records, and the files whose bytes had to be copied here. Rejects with a Problem and leaves no copy behind. */
const copyForeignBytes = async (state: SavedState, parts: DiskWorldParts) => {
  const { blobs } = parts;
  const sourceOf = (file: Entity): BlobStorage | undefined => state.blobs.get(schemeOf(file));
  const records = createRecordSet(indexKeys, state.records);
  const foreign = filesIn(state.records).filter((file) => sourceOf(file) !== blobs.get(schemeOf(file)));
  const { entities } = await copyBlobs(
    { entities: foreign, counters: {} },
    sourceOf,
    blobs,
    () => undefined,
    (files) => removeBytes(files, parts),
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

/** Removes bytes at once: no kept generation names them. The next start sweeps bytes that cannot be removed now. */
const removeBytes = async (files: readonly Entity[], { blobs, storages }: DiskWorldParts): Promise<void> => {
  for (const file of files) {
    const scheme = schemeOf(file);
    const remove = async (key: string): Promise<void> => storages.get(scheme)?.remove(key);
    await blobs
      .get(scheme)
      ?.removeWith(blobKeyOf(file), remove)
      .catch(() => undefined);
  }
};
