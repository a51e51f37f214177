/** Makes the views of world data: one `World` for each address, made on first use. */
import { createAccess, type AccessState } from '../../core/access/create-access.ts';
import type { SigningKeySource } from '../../basics/secrets/signing-key.ts';
import { createCachesByOwner } from '../../core/caches/site-caches.ts';
import { Repository } from '../../core/content/repository.ts';
import type { RepositoryParts } from '../../core/content/repository-parts.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { UploadTally } from '../../basics/work-tally.ts';
import type { CacheMode, Site } from '../../core/site/site.ts';
import type { World } from '../../core/world.ts';
import { once } from '../../basics/once.ts';
import type { WorldAddress } from './world-address.ts';

/** The settings that a reset keeps. All worlds share the signing key: a token names its world, and is valid there alone. */
export type WorldSettings = {
  readonly name: string;
  readonly site: Site;
  readonly durability: World['durability'];
  /** How reads are answered. When left out: as the site says. */
  readonly caches?: CacheMode | undefined;
  readonly clock: Clock;
  readonly signingKey: SigningKeySource;
  /** Reads a generic icon of the site by its file name. */
  readonly readIcon: (name: string) => Promise<Uint8Array>;
  /** Counts each upload to any world. */
  readonly uploads?: UploadTally | undefined;
};

/** What a request reads and writes. */
export type ServedData = Pick<World, 'store' | 'blobs' | 'ids'> & Pick<RepositoryParts, 'released'>;

/**
 * All views share records, bytes, sessions and counters. They differ in the addresses they write and in their cookie.
 * `accessState` supplies the sessions and counters. It is called when the first view is made.
 */
export const createWorldViews = (
  settings: WorldSettings,
  { store, blobs, ids, released }: ServedData,
  accessState: () => AccessState,
): ((address: WorldAddress) => World) => {
  const { readIcon, signingKey, caches: mode, uploads, ...common } = settings;
  const { name, site, clock } = settings;
  const views = new Map<WorldAddress, World>();
  const shared = once(() => {
    const cachesOf = createCachesByOwner(store, clock);
    return {
      accessAt: createAccess({ site, store, clock, ids, signingKey, world: name, state: accessState() }),
      repository: new Repository({ site, store, blobs, released, clock, ids, readIcon, uploads }),
      cachesOf,
      caches: (mode ?? site.caches) === 'reference' ? cachesOf(views) : undefined,
    };
  });
  return (address) => {
    const known = views.get(address);
    if (known !== undefined) return known;
    const { baseUrl, basePath } = address;
    const { accessAt, ...parts } = shared();
    const view: World = { ...common, ...parts, baseUrl, basePath, store, blobs, ids, access: accessAt(address) };
    views.set(address, view);
    return view;
  };
};
