/** Brings the bytes of a fixture or an export into a repository's own storages, before its records are written. */
import { chunksOf } from '../../basics/byte-streams.ts';
import type { JournalEntityStore, InitialRecords } from '../../storage/storage.ts';
import type { FixtureContent } from './fixture-content.ts';
import {
  firstValue,
  textOf,
  type Entity,
  type BlobStorage,
  type ReceivedBlob,
  schemeOf,
} from '../../openapi/openapi-records.ts';

const parallelCopies = 16;

/** The storage that the bytes of a file are read from. */
type BlobSourceOf = (file: Entity) => Pick<BlobStorage, 'open'> | undefined;

/** Records with the names of their own bytes. No sweep takes these before `settle` or `discard`. */
type CopiedRecords = InitialRecords & {
  /** The records are written. */
  readonly settle: () => void;
  /** They are not, so what was copied goes. */
  readonly discard: () => Promise<void>;
};

/**
 * Brings all bytes that are not there yet, 16 files at a time. When a copy fails, the copies made so far go, and the error is thrown. The
 * error for missing bytes names the file.
 */
export const copyBlobs = async (
  initial: InitialRecords,
  sourceOf: BlobSourceOf,
  storages: ReadonlyMap<string, BlobStorage>,
  onProgress: (done: number) => void = () => undefined,
): Promise<CopiedRecords> => {
  const entities: Entity[] = [];
  const copies: ReceivedBlob[] = [];
  const originals = [...initial.entities];
  const discard = async (): Promise<void> => {
    // A failed removal is ignored: the caller needs the error of the copy, and the next start sweeps what remains.
    for (const copy of copies) await copy.discard().catch(() => undefined);
  };
  const copyOf = async (entity: Entity): Promise<Entity> => {
    if (entity.blob === undefined) return entity;
    const copy = await receiveCopy(entity, entity.blob, sourceOf(entity), storages.get(schemeOf(entity)));
    copies.push(copy);
    return { ...entity, blob: { ...entity.blob, ...(await copy.keep()) } };
  };
  for (let start = 0; start < originals.length; start += parallelCopies) {
    // Every copy must have ended before the copies are removed.
    const batch = await Promise.allSettled(originals.slice(start, start + parallelCopies).map(copyOf));
    const failed = batch.find((each) => each.status === 'rejected');
    if (failed !== undefined) {
      await discard();
      throw failed.reason;
    }
    entities.push(...batch.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    onProgress(entities.length);
  }
  const settle = (): void => copies.forEach((copy) => copy.settle());
  return { entities, counters: initial.counters, settle, discard };
};

/** Fills a new repository: its bytes first, then its records. */
export const fillNew = async (
  { fill }: Pick<JournalEntityStore, 'fill'>,
  { blobs: source, ...records }: FixtureContent,
  storages: ReadonlyMap<string, BlobStorage>,
): Promise<void> => {
  const { entities, counters, settle } = await copyBlobs(records, () => source, storages);
  await fill(entities, counters);
  settle();
};

const receiveCopy = async (
  file: Entity,
  blob: NonNullable<Entity['blob']>,
  source: Pick<BlobStorage, 'open'> | undefined,
  target: BlobStorage | undefined,
): Promise<ReceivedBlob> => {
  const present = await target?.find?.(blob);
  if (present !== undefined) return present;
  const stream = target === undefined ? undefined : await source?.open(blob);
  if (stream === undefined || target === undefined) {
    throw new Error(`The bytes of ${textOf(firstValue(file, 'uri'))} are missing.`);
  }
  return target.receive(chunksOf(stream), { maxBytes: blob.size });
};
