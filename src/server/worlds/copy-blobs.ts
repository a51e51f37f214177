/** Copies the bytes of a fixture or an export into a repository's own storages, before its records are written. */
import { chunksOf } from '../../basics/byte-streams.ts';
import { firstValue, textOf, type Entity } from '../../core/model/entity.ts';
import { schemeOf } from '../../core/content/repository.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { InitialRecords } from '../../storage/memory-entity-store.ts';

const parallelCopies = 16;

/** The storage that the bytes of a file are read from. */
type BlobSourceOf = (file: Entity) => Pick<BlobStorage, 'open'> | undefined;

/**
 * Copies all bytes, 16 files at a time, and returns the records with the keys of the copies. When a copy fails, the copies
 * made so far are passed to `removeCopies`, and the error is thrown. The error for missing bytes names the file.
 */
export const copyBlobs = async (
  initial: InitialRecords,
  sourceOf: BlobSourceOf,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
  removeCopies = (files: readonly Entity[]): Promise<void> => removeFrom(storages, files),
): Promise<InitialRecords> => {
  const entities: Entity[] = [];
  const copies: Entity[] = [];
  const originals = [...initial.entities];
  const copyOf = async (entity: Entity): Promise<Entity> => {
    if (entity.blob === undefined) return entity;
    const copy = await copyBlob(entity, entity.blob, sourceOf(entity), storages.get(schemeOf(entity)));
    copies.push(copy);
    return copy;
  };
  for (let start = 0; start < originals.length; start += parallelCopies) {
    // Every copy must have ended before the copies are removed.
    const batch = await Promise.allSettled(originals.slice(start, start + parallelCopies).map(copyOf));
    const failed = batch.find((each) => each.status === 'rejected');
    if (failed !== undefined) {
      await removeCopies(copies);
      throw failed.reason;
    }
    entities.push(...batch.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    onProgress(entities.length);
  }
  return { entities, counters: initial.counters };
};

/** Removes the copies made before a copy failed. */
const removeFrom = async (storages: ReadonlyMap<string, BlobStorage>, files: readonly Entity[]): Promise<void> => {
  for (const file of files) {
    // A failed removal is ignored: the caller needs the error of the copy, and the next start sweeps what remains.
    await storages
      .get(schemeOf(file))
      ?.remove(file.blob?.key ?? '')
      .catch(() => undefined);
  }
};

const copyBlob = async (
  file: Entity,
  blob: NonNullable<Entity['blob']>,
  source: Pick<BlobStorage, 'open'> | undefined,
  target: BlobStorage | undefined,
): Promise<Entity> => {
  const stream = target === undefined ? undefined : await source?.open(blob);
  if (stream === undefined || target === undefined) {
    throw new Error(`The bytes of ${textOf(firstValue(file, 'uri'))} are missing.`);
  }
  const received = await target.receive(chunksOf(stream), { maxBytes: blob.size });
  return { ...file, blob: { ...blob, ...(await received.keep()) } };
};
