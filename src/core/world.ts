/** Defines a world: a repository with everything that a request needs of it. Each request is answered in one world. */
import type { Access } from './access/access.ts';
import type { SiteCaches } from './caches/site-caches.ts';
import type { Repository } from './content/repository.ts';
import type { KeptEvents } from './model/reactions.ts';
import type { FollowUps } from '../basics/follow-ups.ts';
import type { CollectionNamed, CollectionStore } from '../openapi/openapi-terms.ts';
import type { Site } from './site/site.ts';
import type { BlobStorage, EntityStore, Clock, Identifiers } from '../openapi/openapi-records.ts';

export type World = {
  readonly name: string;
  /** Scheme, host, port and the world's prefix, without a trailing slash: `http://localhost:8000`. */
  readonly baseUrl: string;
  /** The path of the base URL: empty, or a prefix such as `/~w7`. Site-relative `url` values begin with it. */
  readonly basePath: string;
  readonly site: Site;
  /** The language that reads show records in, where they have such a translation. Undefined: their own. */
  readonly language?: string | undefined;
  /** What an acknowledged write survives: a power cut (`full`), the end of the process (`os`), or neither (`memory`). */
  readonly durability: 'full' | 'os' | 'memory';
  readonly store: EntityStore;
  /** One storage per scheme of the site. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** The records of collections. Undefined where a world has none: on a team server. */
  readonly collections?: CollectionStore | undefined;
  /** A collection by its name, for handlers. Throws a `Problem` 501 where the world has none. */
  readonly collection: CollectionNamed;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly access: Access;
  readonly repository: Repository;
  /** What the site does by itself after changes, some time later. Undefined where it does nothing. */
  readonly followUps?: FollowUps | undefined;
  /** The messages that the site has sent. Undefined where it sends none. */
  readonly events?: KeptEvents | undefined;
  /** The caches that reads are answered from, as on a real site. Undefined where every answer is fresh. */
  readonly caches: SiteCaches | undefined;
  /** The caches of an owner, made at the first call. They end with their owner, and with the data of the world. */
  readonly cachesOf: (owner: object) => SiteCaches;
};
