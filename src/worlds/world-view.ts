/** A world's life as requests meet it: one `World` for each address, made when somebody first comes that way. */
import { createAccess, type AccessMemory } from '../access/create-access.ts';
import type { SigningKeySource } from '../access/signing-key.ts';
import { Repository } from '../content/repository.ts';
import type { Clock } from '../model/clock.ts';
import type { Site } from '../site/site.ts';
import type { World } from '../world.ts';
import { once } from './once.ts';
import type { WorldAddress } from './world-address.ts';
import type { WorldData } from './world-data.ts';

/** What outlasts a life. The key for tokens is the server's: a token holds in every world where its account exists. */
export type WorldSettings = {
  readonly name: string;
  readonly site: Site;
  readonly durability: World['durability'];
  readonly clock: Clock;
  readonly signingKey: SigningKeySource;
  /** Reads a generic icon of the site by its file name. */
  readonly readIcon: (name: string) => Promise<Uint8Array>;
};

/**
 * All faces share records, bytes, sessions and counters; what differs is the addresses they write and their cookie.
 * `memory` gives those sessions and counters when the first face is made.
 */
export const createWorldViews = (
  setting: WorldSettings,
  life: WorldData,
  memory: () => AccessMemory,
): ((address: WorldAddress) => World) => {
  const { readIcon, signingKey, ...lasting } = setting;
  const { store, blobs, ids } = life;
  const shared = once(() => {
    const access = createAccess({ site: setting.site, store, clock: setting.clock, ids, signingKey, memory: memory() });
    return {
      access,
      repository: new Repository({ site: setting.site, store, blobs, clock: setting.clock, ids, readIcon }),
    };
  });
  const faces = new Map<WorldAddress, World>();
  return (address) => {
    const { baseUrl, basePath } = address;
    const known = faces.get(address);
    if (known !== undefined) return known;
    const { access, repository } = shared();
    const made: World = { ...lasting, baseUrl, basePath, store, blobs, ids, access: access(address), repository };
    faces.set(address, made);
    return made;
  };
};
