/** Defines the world of a repository: its site, and what a request needs of both. */
import type { Access } from './access/access.ts';
import type { SiteCaches } from './caches/site-caches.ts';
import type { Repository } from './content/repository.ts';
import type { Site } from './site/site.ts';
import type { HostedWorld } from '../openapi/openapi-host.ts';

export type World = Omit<HostedWorld, 'site'> & {
  readonly site: Site;
  /** The language that reads show records in, where they have such a translation. Undefined: their own. */
  readonly language?: string | undefined;
  readonly access: Access;
  readonly repository: Repository;
  /** The caches that reads are answered from, as on a real site. Undefined where every answer is fresh. */
  readonly caches: SiteCaches | undefined;
  /** The caches of an owner, made at the first call. They end with their owner, and with the data of the world. */
  readonly cachesOf: (owner: object) => SiteCaches;
};

/** The world that a host gives back: this application has made it. */
export const repositoryWorld = (world: HostedWorld): World => world as World;
