/** Stores uploaded bytes, and their records when the bytes are durable. */
import { pictureSizeOf } from '../../../basics/file-beginnings.ts';
import { chunksOf } from '../../../basics/byte-streams.ts';
import type { Advice, Advise } from '../../../openapi/openapi-host.ts';
import type { Principal } from '../../model/principal.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { DecisionContext } from '../changes.ts';
import { adviseOfBytes } from './corrupted-bytes.ts';
import { readFileText } from './file-text.ts';
import { noSourceFile } from './media-source.ts';
import type { Repository } from '../repository.ts';
import { malformed, tooLarge } from '../../../openapi/openapi-terms.ts';
import {
  type BlobStorage,
  type ReceivedBlob,
  type StoreRead,
  type StoreView,
  type BlobReference,
  type Entity,
  firstValue,
  textOf,
  schemeOf,
} from '../../../openapi/openapi-records.ts';

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
  /** What the client calls the bytes. */
  readonly contentType?: string | undefined;
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
  /** The type of the media that the bytes are for. */
  readonly bundle?: Bundle | undefined;
  readonly reads: readonly StoreRead[];
  readonly decide: (view: StoreView, blob: BlobReference, context: DecisionContext) => T;
};

/**
 * Receives the bytes, decides and commits the records, then lets the replaced bytes go. A failure leaves the old content
 * readable, and of the new bytes only those that something else names. Throws 400 for an empty body, 413, 507 and what `decide` throws.
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
  const { length: expectedBytes, maxBytes } = upload;
  if (expectedBytes !== undefined && expectedBytes > maxBytes) {
    throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
  }
  let scheme = upload.uri.split('://')[0] ?? '';
  // The bytes arrive, and are hashed on the way.
  let received = await storageOf(repository, scheme).receive(upload.stream, { maxBytes, expectedBytes });
  try {
    if (received.size === 0 && upload.mayBeEmpty !== true) throw malformed(`No bytes were copied to ${upload.uri}`);
    for (;;) {
      // They and the name that they get are synced. No name that a record has ever leads to less.
      const blob = { ...(await received.keep()), ...pictureSizeOf(received.head) };
      // The record that names them is in the journal, synced, when this resolves.
      const stored = await commit(repository, principal, upload, { scheme, blob, head: received.head });
      const wanted = schemeOf(stored.file);
      if (wanted === scheme) {
        received.settle();
        if (stored.old !== undefined) await repository.release(stored.old);
        // Now comes the answer.
        return stored;
      }
      // Another request has made the media meanwhile, under another scheme. The bytes move there.
      const stream = await storageOf(repository, scheme).open(blob);
      if (stream === undefined) throw noSourceFile();
      const moved = await storageOf(repository, wanted).receive(chunksOf(stream), { maxBytes: blob.size });
      await received.discard().catch(() => undefined);
      [received, scheme] = [moved, wanted];
    }
  } catch (error) {
    // The next start sweeps what cannot be removed now.
    await received.discard().catch(() => undefined);
    throw error;
  }
};

/** Decides the records and writes them, unless they are those of another scheme. */
const commit = async <T extends StoredContent>(
  repository: Repository,
  principal: Principal,
  upload: PendingUpload<T>,
  { scheme, blob, head }: Pick<ReceivedBlob, 'head'> & { readonly scheme: string; readonly blob: BlobReference },
): Promise<T> => {
  const { iconFile, contentType, bundle } = upload;
  const fileText = bundle && (await readFileText(storageOf(repository, scheme), blob, bundle));
  const advices: Advice[] = [];
  const advise: Advise = upload.advise === undefined ? undefined : (advice) => void advices.push(advice);
  const stored = await repository.decide(upload.reads, { principal, iconFile, fileText, advise }, (view, context) => {
    const result = upload.decide(view, blob, context);
    adviseOfBytes({ head, uri: textOf(firstValue(result.file, 'uri')), contentType }, context.advise);
    const puts = [result.file, ...(result.media === undefined ? [] : [result.media])].map((put) => ({ put }));
    return { changes: schemeOf(result.file) === scheme ? puts : [], result };
  });
  if (schemeOf(stored.file) === scheme) advices.forEach((advice) => upload.advise?.(advice));
  return stored;
};

const storageOf = (repository: Repository, scheme: string): BlobStorage => {
  const storage = repository.parts.blobs.get(scheme);
  if (storage === undefined) throw new Error(`The site mounts no storage for the scheme "${scheme}".`);
  return storage;
};
