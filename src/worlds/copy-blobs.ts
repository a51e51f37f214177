/** Copies the bytes of a fixture or an export into a repository's own storages, before its records are written. */
import { firstValue, textOf, type Entity } from '../model/entity.ts';
import { schemeOf } from '../content/repository.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import type { Seed } from '../storage/memory-entity-store.ts';

const parallelCopies = 16;

/** The storage that the bytes of a file are read from. */
export type BlobSourceOf = (file: Entity) => Pick<BlobStorage, 'open'> | undefined;

/**
 * Copies all bytes, 16 files at a time, and returns the records with the keys of the copies. When a copy fails it throws
 * that error and leaves no copy behind: `removeCopies` gets those that were made. The Error for missing bytes names the
 * file.
 */
export const copyBlobs = async (
  seed: Seed,
  sourceOf: BlobSourceOf,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
  removeCopies = (files: readonly Entity[]): Promise<void> => removeFrom(storages, files),
): Promise<Seed> => {
  const entities: Entity[] = [];
  const copies: Entity[] = [];
  const originals = [...seed.entities];
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
  return { entities, counters: seed.counters };
};

const removeFrom = async (storages: ReadonlyMap<string, BlobStorage>, files: readonly Entity[]): Promise<void> => {
  for (const file of files) {
    // The caller needs the first error. The next start sweeps bytes that cannot be removed now.
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
  const stream = await source?.open(blob);
  if (stream === undefined || target === undefined) {
    throw new Error(`The bytes of ${textOf(firstValue(file, 'uri'))} are missing.`);
  }
  const received = await target.receive(stream, { maxBytes: blob.size });
  return { ...file, blob: { ...blob, ...(await received.keep()) } };
};
