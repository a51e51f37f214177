/** Fills a new repository from a fixture or an export: bytes first, then all records at once. */
import type { Entity } from './content/entity.ts';
import { firstValue, textOf } from './content/entity.ts';
import { schemeOf } from './content/repository.ts';
import type { BlobStorage } from './storage/blob-storage.ts';
import type { Seed } from './storage/memory-entity-store.ts';

const atOnce = 16;

/** Where the bytes of a file are read from. */
export type BytesOf = (file: Entity) => Pick<BlobStorage, 'open'> | undefined;

/**
 * The records with their bytes copied into the repository's own storages, some files at once. Throws an Error that names
 * the first file whose bytes are missing.
 */
export const withOwnBytes = async (
  seed: Seed,
  bytesOf: BytesOf,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Seed> => {
  const entities: Entity[] = [];
  const given = [...seed.entities];
  for (let start = 0; start < given.length; start += atOnce) {
    const some = given.slice(start, start + atOnce);
    entities.push(
      ...(await Promise.all(
        some.map(async (entity) =>
          entity.blob === undefined
            ? entity
            : copied(entity, entity.blob, bytesOf(entity), storages.get(schemeOf(entity))),
        ),
      )),
    );
    onProgress(entities.length);
  }
  return { entities, counters: seed.counters };
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
