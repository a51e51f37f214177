/** The way of bytes into the repository: received, kept, decided upon, committed; and back out again when that fails. */
import type { Principal } from '../../model/principal.ts';
import { malformed, tooLarge, type Problem } from '../../problem.ts';
import type { BlobStorage, ReceivedBlob } from '../../model/blob-storage.ts';
import type { StoreRead, StoreView } from '../../model/entity-store.ts';
import type { DecisionContext } from '../changes.ts';
import type { BlobReference, Entity } from '../../model/entity.ts';
import { noSourceFile } from './media-source.ts';
import { pixelsOf } from './pixels.ts';
import { schemeOf, type Repository } from '../repository.ts';

/** What became of the bytes: their file, what it looked like before, and the media around it, if any. */
export type Stored = { readonly file: Entity; readonly old: Entity | undefined; readonly media?: Entity | undefined };

export type Arrival<T extends Stored> = {
  readonly stream: AsyncIterable<Uint8Array>;
  /** The `Content-Length`, where one was sent. */
  readonly length?: number | undefined;
  /** The most bytes that the media type takes; the site's limit when left out. */
  readonly maxBytes?: number | undefined;
  /** Where the bytes are bound for, as far as can be told before they have arrived. */
  readonly uri: string;
  readonly iconFile: number | undefined;
  readonly reads: readonly StoreRead[];
  readonly decide: (view: StoreView, blob: BlobReference, ground: DecisionContext) => T;
};

/**
 * Receives the bytes, gives them their place, then decides and commits the records, then lets go of the old bytes
 * (house 1.11). What fails on the way leaves the old content readable and nothing behind. Throws 400 for an empty body,
 * 413, 507 and whatever `decide` throws.
 */
export const storeArrival = async <T extends Stored>(
  repository: Repository,
  principal: Principal,
  arrival: Arrival<T>,
): Promise<T> => {
  const scheme = arrival.uri.split('://')[0] ?? '';
  const { length: expectedBytes, maxBytes = repository.parts.site.maxUploadBytes } = arrival;
  if (expectedBytes !== undefined && expectedBytes > maxBytes) throw tooManyUploaded(maxBytes);
  const received = await storageOf(repository, scheme).receive(arrival.stream, { maxBytes, expectedBytes });
  if (received.size === 0) {
    await received.discard();
    throw malformed(`No bytes were copied to ${arrival.uri}`);
  }
  return commit(repository, principal, arrival, await keep(scheme, received));
};

const tooManyUploaded = (maxBytes: number): Problem => tooLarge(`The body is larger than ${maxBytes} bytes.`);

/** Bytes in their place that no record names yet. `takeBack` removes them. */
type HeldBytes = {
  readonly scheme: string;
  readonly blob: BlobReference;
  readonly takeBack: () => Promise<void>;
};

/** Bytes that cannot be removed now change nothing for the client: no record names them, and the next start sweeps them. */
const whateverHappens = (removal: Promise<void>): Promise<void> => removal.catch(() => undefined);

const keep = async (scheme: string, received: ReceivedBlob): Promise<HeldBytes> => ({
  scheme,
  blob: { ...(await received.keep()), ...pixelsOf(received.head) },
  takeBack: () => whateverHappens(received.discard()),
});

const commit = async <T extends Stored>(
  repository: Repository,
  principal: Principal,
  arrival: Arrival<T>,
  held: HeldBytes,
): Promise<T> => {
  const stored = await repository.parts.store
    .transact(arrival.reads, (view) => {
      const upload = arrival.decide(view, held.blob, repository.ground(view, principal, arrival.iconFile));
      const fits = schemeOf(upload.file) === held.scheme;
      const puts = [upload.file, ...(upload.media === undefined ? [] : [upload.media])].map((put) => ({ put }));
      return { changes: fits ? puts : [], result: upload };
    })
    .catch(async (error: unknown) => {
      await held.takeBack();
      throw error;
    });
  const scheme = schemeOf(stored.file);
  // Another request made the media meanwhile, under another scheme: the bytes follow it there.
  if (scheme !== held.scheme) return commit(repository, principal, arrival, await move(repository, held, scheme));
  if (stored.old?.blob !== undefined) {
    await whateverHappens(storageOf(repository, scheme).remove(stored.old.blob.key));
  }
  return stored;
};

const move = async (repository: Repository, held: HeldBytes, scheme: string): Promise<HeldBytes> => {
  try {
    const stream = await storageOf(repository, held.scheme).open(held.blob);
    if (stream === undefined) throw noSourceFile();
    const received = await storageOf(repository, scheme).receive(stream, { maxBytes: held.blob.size });
    return await keep(scheme, received);
  } finally {
    await held.takeBack();
  }
};

const storageOf = (repository: Repository, scheme: string): BlobStorage => {
  const storage = repository.parts.blobs.get(scheme);
  if (storage === undefined) throw new Error(`The site mounts no storage for the scheme "${scheme}".`);
  return storage;
};
