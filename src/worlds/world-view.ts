/** Makes the views of world data: one `World` for each address, made on first use. */
import { createAccess, type AccessState } from '../access/create-access.ts';
import type { SigningKeySource } from '../access/signing-key.ts';
import { Repository } from '../content/repository.ts';
import type { Clock } from '../model/clock.ts';
import type { Site } from '../site/site.ts';
import type { World } from '../world.ts';
import { once } from './once.ts';
import type { WorldAddress } from './world-address.ts';
import type { WorldData } from './world-data.ts';

/** The settings that a reset keeps. All worlds share the signing key: a token is valid in every world that has its account. */
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
 * All views share records, bytes, sessions and counters. They differ in the addresses they write and in their cookie.
 * `accessState` supplies the sessions and counters. It is called when the first view is made.
 */
export const createWorldViews = (
  settings: WorldSettings,
  { store, blobs, ids }: WorldData,
  accessState: () => AccessState,
): ((address: WorldAddress) => World) => {
  const { readIcon, signingKey, ...common } = settings;
  const { site, clock } = settings;
  const shared = once(() => ({
    accessAt: createAccess({ site, store, clock, ids, signingKey, state: accessState() }),
    repository: new Repository({ site, store, blobs, clock, ids, readIcon }),
  }));
  const views = new Map<WorldAddress, World>();
  return (address) => {
    const known = views.get(address);
    if (known !== undefined) return known;
    const { baseUrl, basePath } = address;
    const { accessAt, repository } = shared();
    const view: World = { ...common, baseUrl, basePath, store, blobs, ids, access: accessAt(address), repository };
    views.set(address, view);
    return view;
  };
};
