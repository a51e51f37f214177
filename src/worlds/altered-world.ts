/** A world as it is to appear to one request, without a change of what is stored: records that are not there, accounts without roles. */
import type { Identity } from '../model/principal.ts';
import { keyOf, type Entity, type EntityKey } from '../model/entity.ts';
import { Repository } from '../content/repository.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import type { EntityStore, StoreView } from '../model/entity-store.ts';
import type { World } from '../world.ts';

/**
 * The world without some records. What is changed in it is changed in the world itself, by decisions that do not see those
 * records either. For one request: replies made in it are kept by nobody.
 */
export const withoutRecords = (world: World, isHidden: (key: EntityKey) => boolean): World => {
  const shown = (entity: Entity | undefined): Entity | undefined =>
    entity === undefined || isHidden(keyOf(entity)) ? undefined : entity;
  const view = (real: StoreView): StoreView => ({
    ...real,
    get: (key) => shown(real.get(key)),
    lookup: (index) => real.lookup(index).filter(shown),
  });
  const store: EntityStore = {
    ...unwatched(world.store),
    getMany: async (keys) => (await world.store.getMany(keys)).map(shown),
    lookupMany: async (indexes) => (await world.store.lookupMany(indexes)).map((found) => found.filter(shown)),
    transact: (reads, decide) => world.store.transact(reads, (real) => decide(view(real))),
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

/** The world with every record, but without some bytes, told by their names. For one request. */
export const withoutBytes = (world: World, isGone: (name: string) => boolean): World => {
  const blobs = new Map<string, BlobStorage>(
    [...world.blobs].map(([scheme, storage]) => [
      scheme,
      { ...storage, open: async (blob, range) => (isGone(blob.key) ? undefined : storage.open(blob, range)) },
    ]),
  );
  const store = unwatched(world.store);
  return { ...world, store, blobs, repository: new Repository({ ...world.repository.parts, store, blobs }) };
};

/** The world in which whoever is recognised becomes somebody else. For one request. */
export const withIdentity = (world: World, change: (identity: Identity) => Promise<Identity>): World => {
  const providers = world.access.providers.map((provider) => ({
    ...provider,
    recognise: async (source: Parameters<typeof provider.recognise>[0]) => {
      const identity = await provider.recognise(source);
      return identity === undefined ? undefined : change(identity);
    },
  }));
  return { ...world, store: unwatched(world.store), access: { ...world.access, providers } };
};

/** Whoever keeps something for the world of one request need not be told of changes, nor be remembered by the store. */
const unwatched = (store: EntityStore): EntityStore => ({ ...store, watch: () => () => undefined });
