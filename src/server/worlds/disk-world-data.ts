/** Makes the data of the main world on disk, and replaces them in a reset. */
import { seedStateOf, type WorldData } from './world-data.ts';
import { createSavedState, type SavedState } from './saved-state.ts';
import type { ReplaceData } from './named-world.ts';
import { copyBlobs } from './copy-blobs.ts';
import {
  type BlobSweeper,
  type JournalEntityStore,
  type FrozenRecords,
  createRecordSet,
  writeProblem,
} from '../../storage/storage.ts';
import {
  type Entity,
  type Identifiers,
  type BlobStorage,
  schemeOf,
  type RecordModel,
} from '../../openapi/openapi-records.ts';

type DiskWorldParts = {
  readonly model: RecordModel;
  /** On disk the journal's store. In a browser another store that replaces all records durably at once. */
  readonly journal: Pick<JournalEntityStore, 'store' | 'freeze' | 'replace'> & {
    statistics(): { readonly records: number };
  };
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  readonly sweeper: BlobSweeper;
  readonly ids: Identifiers;
};

/** World data over the journal's current records. A saved state is kept in memory, and its bytes on disk. */
export const createDiskWorldData = ({ model, journal, blobs, sweeper, ids }: DiskWorldParts): WorldData => ({
  store: journal.store,
  blobs,
  released: sweeper.released,
  ids,
  saveState: () => {
    const records = journal.freeze();
    const seedState = () => seedStateOf(records.counters);
    return createSavedState({ model, records, blobs, seedState }, sweeper.hold(records));
  },
  freeze: () => journal.freeze(),
  size: () => journal.statistics().records,
  release: () => undefined,
});

/**
 * Replaces everything stored by a state: brings the bytes that are not here yet, then writes all records durably at once, then sweeps.
 * Rejects with a Problem and leaves everything unchanged when the bytes or records cannot be written.
 */
export const replaceDataOnDisk =
  (parts: DiskWorldParts): ReplaceData =>
  async (state, publish) => {
    const { journal, blobs, sweeper } = parts;
    const foreign = filesIn(state).filter((file) => blobsOf(state, file) !== blobs.get(schemeOf(file)));
    const copied = await copyBlobs({ entities: foreign, counters: {} }, (file) => blobsOf(state, file), blobs).catch(
      (error: unknown) => {
        throw writeProblem(error);
      },
    );
    let former: FrozenRecords;
    try {
      former = await journal.replace(withFiles(state, copied.entities));
    } catch (error) {
      await copied.discard();
      throw error;
    }
    publish(createDiskWorldData(parts));
    copied.settle();
    await sweeper.replaced(former);
  };

const blobsOf = (state: SavedState, file: Entity): BlobStorage | undefined => state.blobs.get(schemeOf(file));

const withFiles = ({ model, records }: SavedState, files: Iterable<Entity>): FrozenRecords => {
  const set = createRecordSet(model, records);
  for (const file of files) set.apply({ put: file });
  return set.freeze();
};

const filesIn = ({ model, records }: SavedState): readonly Entity[] =>
  createRecordSet(model, records)
    .list('file', { offset: 0, limit: records.size })
    .entities.filter(({ blob }) => blob !== undefined);
