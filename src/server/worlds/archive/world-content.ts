/** Takes the content of a world in memory or on disk, and replaces it. */
import { repositoryWorld } from '../../../core/world.ts';
import type { HostedWorld } from '../../../openapi/openapi-host.ts';
import type { Awaitable } from '../../../basics/awaitable.ts';
import type { BlobPool } from '../../../storage/blobs/blob-pool.ts';
import type { ExportSource } from '../../../storage/export/exported-files.ts';
import { createRecordSet } from '../../../storage/record-set.ts';
import type { Site } from '../../../core/site/site.ts';
import type { FixtureContent } from '../check-fixture.ts';
import { copyBlobs } from '../copy-blobs.ts';
import { stateOfFixture } from '../fixture-state.ts';
import type { SavedState } from '../saved-state.ts';
import type { Entity, BlobStorage } from '../../../openapi/openapi-records.ts';
import { schemeOf, recordModel } from '../../../core/model/record-model.ts';

/** The records and bytes of a world at one moment. They stay as they are until `release`. */
export type HeldContent = { readonly content: ExportSource; release(): Awaitable<void> };

/** What is needed of a world to take its content. */
export type HoldableWorld = { saveState(): SavedState };

/** The content as it is now. Requests go on meanwhile. */
export const holdContent = (world: HoldableWorld): HeldContent => {
  const state = world.saveState();
  const release = state.hold();
  const records = createRecordSet(recordModel, state.records);
  const blobsOf = (file: Entity): BlobStorage | undefined => state.blobs.get(schemeOf(file));
  return { content: { entities: records.all(), counters: records.counters(), blobsOf }, release };
};

/** What is needed of a world to replace its content. */
export type ReplaceableWorld = {
  readonly world: HostedWorld;
  reset(state: SavedState): Promise<void>;
};

/**
 * Replaces everything in a world, durably where the world is. A reset still returns to what it was made from. The bytes of
 * `content` are not read afterwards. Rejects with a Problem (507 or 503) when they cannot be written; then nothing changes.
 */
const replaceContent = async (world: ReplaceableWorld, content: FixtureContent, pool: BlobPool): Promise<void> => {
  const { site, durability } = repositoryWorld(world.world);
  // A world on disk takes the bytes at once. Others read those of their state later, when those of the content may be gone.
  await world.reset(
    durability === 'memory' ? await pooledState(content, site, pool) : await stateOfFixture(content, { site }),
  );
};

/** Both for worlds that are found by their names. `find` throws when there is none. */
export const contentCommands = (find: (name: string) => HoldableWorld & ReplaceableWorld, pool: BlobPool) => ({
  hold: (name: string): HeldContent => holdContent(find(name)),
  replaceContent: async (name: string, content: FixtureContent): Promise<void> =>
    replaceContent(find(name), content, pool),
});

/** A state of the content with bytes of its own, which go with it. */
const pooledState = async (content: FixtureContent, site: Site, pool: BlobPool): Promise<SavedState> => {
  const blobs = pool.openStorage();
  const storages = new Map(site.storages.map(({ scheme }) => [scheme, blobs]));
  try {
    const { settle, ...records } = await copyBlobs(content, () => content.blobs, storages);
    settle();
    return await stateOfFixture({ ...records, blobs }, { site }, () => blobs.close());
  } catch (error) {
    blobs.close();
    throw error;
  }
};
