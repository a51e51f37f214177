/** Fills a new repository from a fixture or an export: bytes first, then all records at once. */
import type { Entity } from '../model/entity.ts';
import { firstValue, textOf } from '../model/entity.ts';
import { schemeOf } from '../content/repository.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import type { Seed } from '../storage/memory-entity-store.ts';

const atOnce = 16;

/** Where the bytes of a file are read from. */
export type BytesOf = (file: Entity) => Pick<BlobStorage, 'open'> | undefined;

/** Takes back what has been copied, when the rest cannot be. */
export type TakeBack = (files: readonly Entity[]) => Promise<void>;

/**
 * The records with their bytes copied into the repository's own storages, some files at once. Throws an Error that names
 * the first file whose bytes are missing, and what else goes wrong; no copy is left then.
 */
export const withOwnBytes = async (
  seed: Seed,
  bytesOf: BytesOf,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
  takeBack: TakeBack = (files) => removeFrom(storages, files),
): Promise<Seed> => {
  const entities: Entity[] = [];
  const copies: Entity[] = [];
  const given = [...seed.entities];
  const own = async (entity: Entity): Promise<Entity> => {
    if (entity.blob === undefined) return entity;
    const copy = await copied(entity, entity.blob, bytesOf(entity), storages.get(schemeOf(entity)));
    copies.push(copy);
    return copy;
  };
  for (let start = 0; start < given.length; start += atOnce) {
    // Whatever is under way ends before anything is taken back.
    const some = await Promise.allSettled(given.slice(start, start + atOnce).map(own));
    const failed = some.find((each) => each.status === 'rejected');
    if (failed !== undefined) {
      await takeBack(copies);
      throw failed.reason;
    }
    entities.push(...some.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    onProgress(entities.length);
  }
  return { entities, counters: seed.counters };
};

const removeFrom = async (storages: ReadonlyMap<string, BlobStorage>, files: readonly Entity[]): Promise<void> => {
  for (const file of files) {
    // What has gone wrong is the news; bytes that cannot be removed now are swept at the next start.
    await storages
      .get(schemeOf(file))
      ?.remove(file.blob?.key ?? '')
      .catch(() => undefined);
  }
};

const copied = async (
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
