/** Defines a world: what a host keeps for the requests of one of its worlds. Each request is answered in one world. */
import type { CollectionNamed, CollectionStore } from '../collections/collection-store.ts';
import type { BlobStorage } from '../ports/blob-storage.ts';
import type { Clock, Identifiers } from '../ports/clock.ts';
import type { EntityStore } from '../ports/entity-store.ts';
import type { FollowUps } from '../../basics/follow-ups.ts';
import type { KeptEvents } from './kept-events.ts';
import type { HostedSite } from './site.ts';

/** An application adds what its own requests need. */
export type HostedWorld = {
  readonly name: string;
  /** Scheme, host, port and the world's prefix, without a trailing slash: `http://localhost:8000`. */
  readonly baseUrl: string;
  /** The path of the base URL: empty, or a prefix such as `/~w7`. Site-relative `url` values begin with it. */
  readonly basePath: string;
  /** What an acknowledged write survives: a power cut (`full`), the end of the process (`os`), or neither (`memory`). */
  readonly durability: 'full' | 'os' | 'memory';
  readonly store: EntityStore;
  /** By scheme. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** The records of collections. Undefined where a world has none, as one in a database. */
  readonly collections?: CollectionStore | undefined;
  /** A collection by its name, for handlers. Throws a `Problem` 501 where the world has none. */
  readonly collection: CollectionNamed;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly site: HostedSite;
  /** What the application does by itself after changes, some time later. Undefined where it does nothing. */
  readonly followUps?: FollowUps | undefined;
  /** The messages that it has sent. Undefined where it sends none. */
  readonly events?: KeptEvents | undefined;
};
