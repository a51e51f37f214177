/** Alters a world for one request without a change of the stored records: hides records or bytes, or changes who the client is. */
import type { Identity, StoredChange, World } from '../../repository/repository.ts';
import { Repository } from '../../repository/repository-content.ts';
import {
  keyOf,
  type Entity,
  type EntityKey,
  type BlobStorage,
  type EntityStore,
  type StoreView,
} from '../../openapi/openapi-records.ts';

/** The world without some records. Writes reach the real world, but their decisions do not see the hidden records either. */
export const withoutRecords = (world: World, isHidden: (key: EntityKey) => boolean): World => {
  const shown = (entity: Entity | undefined): Entity | undefined =>
    entity === undefined || isHidden(keyOf(entity)) ? undefined : entity;
  const shownView = (view: StoreView): StoreView => ({
    ...view,
    get: (key) => shown(view.get(key)),
    lookup: (index) => view.lookup(index).filter(shown),
  });
  const store: EntityStore = {
    ...unwatched(world.store),
    getMany: async (keys) => (await world.store.getMany(keys)).map(shown),
    lookupMany: async (indexes) => (await world.store.lookupMany(indexes)).map((found) => found.filter(shown)),
    // It would show the hidden records.
    present: undefined,
    transact: (reads, decide) => world.store.transact(reads, (view) => decide(shownView(view))),
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

/** The world with every record, but without the bytes of some blobs. */
export const withoutBytes = (world: World, isGone: (blobKey: string) => boolean): World => {
  const blobs = new Map<string, BlobStorage>(
    [...world.blobs].map(([scheme, storage]) => [
      scheme,
      { ...storage, open: async (blob, range) => (isGone(blob.key) ? undefined : storage.open(blob, range)) },
    ]),
  );
  const store = unwatched(world.store);
  return { ...world, store, blobs, repository: new Repository({ ...world.repository.parts, store, blobs }) };
};

/** The world in which everybody may read the bytes of a file that no media uses. */
export const withUnusedFilesOpen = (world: World): World => {
  const store = unwatched(world.store);
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store, opensUnusedFiles: true }) };
};

/** The world in which what the site does by itself after a write fails. */
export const withFailingFollowUps = (world: World, failure: string): World => {
  const { reactions } = world.repository.parts;
  const afterCommit = reactions?.afterCommit;
  if (afterCommit === undefined) return world;
  const failing = { ...reactions, afterCommit: (change: StoredChange) => afterCommit({ ...change, failure }) };
  const store = unwatched(world.store);
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store, reactions: failing }) };
};

/** The world in which `change` replaces each recognised identity. */
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

/** The caches of a world for one request must not register with the store, which would keep them forever. */
const unwatched = (store: EntityStore): EntityStore => ({ ...store, watch: () => () => undefined });
