/** Stores uploaded bytes: receives them, then decides and commits their records. Removes the bytes when that fails. */
import { chunksOf } from '../../../basics/byte-streams.ts';
import type { Advice, Advise } from '../../model/advice.ts';
import type { Principal } from '../../model/principal.ts';
import { malformed, tooLarge } from '../../problem.ts';
import type { BlobStorage, ReceivedBlob } from '../../model/blob-storage.ts';
import type { StoreRead, StoreView } from '../../model/entity-store.ts';
import type { DecisionContext } from '../changes.ts';
import type { BlobReference, Entity } from '../../model/entity.ts';
import { dimensionsOf } from './media-icons.ts';
import { noSourceFile } from './media-source.ts';
import { schemeOf, type Repository } from '../repository.ts';

/** The records of stored bytes: the file, the file before the upload, and the media of an upload to a media. */
type StoredContent = {
  readonly file: Entity;
  readonly old: Entity | undefined;
  readonly media?: Entity | undefined;
};

/** A body that is still arriving. `length` is the `Content-Length`, where one was sent. */
export type ArrivingBytes = {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly length: number | undefined;
  /** Hears of values that are not stored as they were sent. */
  readonly advise?: Advise;
};

type PendingUpload<T extends StoredContent> = ArrivingBytes & {
  readonly maxBytes: number;
  /** Whether a body without bytes is stored. Default: false. */
  readonly mayBeEmpty?: boolean;
  /** The location that is expected before the bytes have been received. `decide` can choose another one. */
  readonly uri: string;
  readonly iconFile?: number | undefined;
  readonly reads: readonly StoreRead[];
  readonly decide: (view: StoreView, blob: BlobReference, context: DecisionContext) => T;
};

/**
 * Receives the bytes, decides and commits the records, then removes the replaced bytes. A failure leaves the old content
 * readable and no new bytes behind. Throws 400 for an empty body, 413, 507 and what `decide` throws.
 */
export const storeUpload = async <T extends StoredContent>(
  repository: Repository,
  principal: Principal,
  upload: PendingUpload<T>,
): Promise<T> => {
  const tally = repository.parts.uploads;
  if (tally === undefined) return store(repository, principal, upload);
  tally.running += 1;
  try {
    const stored = await store(repository, principal, upload);
    tally.stored += 1;
    tally.bytes += stored.file.blob?.size ?? 0;
    return stored;
  } catch (error) {
    tally.failed += 1;
    throw error;
  } finally {
    tally.running -= 1;
  }
};

const store = async <T extends StoredContent>(
  repository: Repository,
  principal: Principal,
  upload: PendingUpload<T>,
): Promise<T> => {
  const scheme = upload.uri.split('://')[0] ?? '';
  const { length: expectedBytes, maxBytes } = upload;
  if (expectedBytes !== undefined && expectedBytes > maxBytes) {
    throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
  }
  const received = await storageOf(repository, scheme).receive(upload.stream, { maxBytes, expectedBytes });
  if (received.size === 0 && upload.mayBeEmpty !== true) {
    await received.discard();
    throw malformed(`No bytes were copied to ${upload.uri}`);
  }
  return commit(repository, principal, upload, await keep(scheme, received));
};

/** A stored blob that no record names yet. `discard` removes it. */
type UnnamedBlob = {
  readonly scheme: string;
  readonly blob: BlobReference;
  readonly discard: () => Promise<void>;
};

/** Ignores a failed removal. No record names the bytes, so the next start sweeps them. */
const ignoreFailure = (removal: Promise<void>): Promise<void> => removal.catch(() => undefined);

const keep = async (scheme: string, received: ReceivedBlob): Promise<UnnamedBlob> => ({
  scheme,
  blob: { ...(await received.keep()), ...dimensionsOf(received.head) },
  discard: () => ignoreFailure(received.discard()),
});

const commit = async <T extends StoredContent>(
  repository: Repository,
  principal: Principal,
  upload: PendingUpload<T>,
  unnamed: UnnamedBlob,
): Promise<T> => {
  const { iconFile } = upload;
  const advices: Advice[] = [];
  const advise: Advise = upload.advise === undefined ? undefined : (advice) => void advices.push(advice);
  const stored = await repository
    .decide(upload.reads, { principal, iconFile, advise }, (view, context) => {
      const result = upload.decide(view, unnamed.blob, context);
      const isSameScheme = schemeOf(result.file) === unnamed.scheme;
      const puts = [result.file, ...(result.media === undefined ? [] : [result.media])].map((put) => ({ put }));
      return { changes: isSameScheme ? puts : [], result };
    })
    .catch(async (error: unknown) => {
      await unnamed.discard();
      throw error;
    });
  const scheme = schemeOf(stored.file);
  // Another request has made the media meanwhile, under another scheme. The bytes move there.
  if (scheme !== unnamed.scheme) return commit(repository, principal, upload, await move(repository, unnamed, scheme));
  advices.forEach((advice) => upload.advise?.(advice));
  if (stored.old?.blob !== undefined) {
    await ignoreFailure(storageOf(repository, scheme).remove(stored.old.blob.key));
  }
  return stored;
};

const move = async (repository: Repository, unnamed: UnnamedBlob, scheme: string): Promise<UnnamedBlob> => {
  try {
    const stream = await storageOf(repository, unnamed.scheme).open(unnamed.blob);
    if (stream === undefined) throw noSourceFile();
    const received = await storageOf(repository, scheme).receive(chunksOf(stream), { maxBytes: unnamed.blob.size });
    return await keep(scheme, received);
  } finally {
    await unnamed.discard();
  }
};

const storageOf = (repository: Repository, scheme: string): BlobStorage => {
  const storage = repository.parts.blobs.get(scheme);
  if (storage === undefined) throw new Error(`The site mounts no storage for the scheme "${scheme}".`);
  return storage;
};
