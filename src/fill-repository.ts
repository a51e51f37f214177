/** Fills a new repository from a fixture or an export: bytes first, then all records at once. */
import type { Entity } from './content/entity.ts';
import { firstValue, textOf } from './content/entity.ts';
import { schemeOf } from './content/repository.ts';
import type { BlobStorage } from './storage/blob-storage.ts';
import { exportBlobs } from './storage/export-directory.ts';
import type { Seed } from './storage/memory-entity-store.ts';

const atOnce = 16;

/**
 * The records of an export with their bytes copied into the repository's own storages, some files at once. Throws an
 * Error that names the first file whose bytes are missing.
 */
export const withOwnBytes = async (
  seed: Seed,
  directory: string,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
): Promise<Seed> => {
  const source = exportBlobs(directory);
  const entities: Entity[] = [];
  const given = [...seed.entities];
  for (let start = 0; start < given.length; start += atOnce) {
    const some = given.slice(start, start + atOnce);
    entities.push(
      ...(await Promise.all(
        some.map(async (entity) =>
          entity.blob === undefined ? entity : copied(entity, entity.blob, source, storages, directory),
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
  source: Pick<BlobStorage, 'open'>,
  storages: ReadonlyMap<string, BlobStorage>,
  directory: string,
): Promise<Entity> => {
  const stream = await source.open(blob);
  const target = storages.get(schemeOf(file));
  if (stream === undefined || target === undefined) {
    throw new Error(`${directory}: the bytes of ${textOf(firstValue(file, 'uri'))} are missing.`);
  }
  const received = await target.receive(stream, { maxBytes: blob.size });
  return { ...file, blob: { ...blob, ...(await received.keep()) } };
};
