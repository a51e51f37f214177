/** One repository with all that makes it run. A request happens in a world and knows no other. */
import type { Access } from './access/access.ts';
import type { Repository } from './content/repository.ts';
import type { BlobStorage } from './model/blob-storage.ts';
import type { EntityStore } from './model/entity-store.ts';
import type { Site } from './site/site.ts';
import type { Clock, Identifiers } from './model/clock.ts';

export type World = {
  readonly name: string;
  /** Scheme, host, port and the world's prefix, without a slash at the end: `http://localhost:8000`. */
  readonly baseUrl: string;
  /** The path part of the base URL: empty, or a prefix such as `/~w7`, that site-relative `url` values begin with. */
  readonly basePath: string;
  readonly site: Site;
  /** What an acknowledged write has survived: a power cut, the end of the process, or nothing. */
  readonly durability: 'full' | 'os' | 'memory';
  readonly store: EntityStore;
  /** One storage per scheme of the site. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly access: Access;
  readonly repository: Repository;
};
