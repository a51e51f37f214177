/** Takes the content of a world in memory or on disk, and replaces it. */
import type { HostedSite, HostedWorld } from '../../../openapi/openapi-host.ts';
import type { Awaitable } from '../../../basics/awaitable.ts';
import { type BlobPool, createRecordSet } from '../../../storage/storage.ts';
import type { ExportSource } from '../../../storage/storage-export.ts';
import type { FixtureContent } from '../fixture-content.ts';
import { copyBlobs } from '../copy-blobs.ts';
import { stateOfFixture } from '../fixture-state.ts';
import type { SavedState } from '../saved-state.ts';
import { type Entity, type BlobStorage, schemeOf, type RecordModel } from '../../../openapi/openapi-records.ts';

/** The records and bytes of a world at one moment. They stay as they are until `release`. */
export type HeldContent = { readonly content: ExportSource; release(): Awaitable<void> };

/** What is needed of a world to take its content. */
export type HoldableWorld = { saveState(): SavedState };

/** The content as it is now. Requests go on meanwhile. */
export const holdContent = (world: HoldableWorld): HeldContent => {
  const state = world.saveState();
  const release = state.hold();
  const records = createRecordSet(state.model, state.records);
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
const replaceContent = async (
  world: ReplaceableWorld,
  content: FixtureContent,
  { pool, model }: ContentOptions,
): Promise<void> => {
  const { site, durability } = world.world;
  const options = { model, site };
  // A world on disk takes the bytes at once. Others read those of their state later, when those of the content may be gone.
  await world.reset(
    durability === 'memory' ? await pooledState(content, options, pool) : await stateOfFixture(content, options),
  );
};

type ContentOptions = { readonly pool: BlobPool; readonly model: RecordModel };

/** Both for worlds that are found by their names. `find` throws when there is none. */
export const contentCommands = (find: (name: string) => HoldableWorld & ReplaceableWorld, options: ContentOptions) => ({
  hold: (name: string): HeldContent => holdContent(find(name)),
  replaceContent: async (name: string, content: FixtureContent): Promise<void> =>
    replaceContent(find(name), content, options),
});

/** A state of the content with bytes of its own, which go with it. */
type StateOptions = { readonly model: RecordModel; readonly site: HostedSite };

const pooledState = async (content: FixtureContent, options: StateOptions, pool: BlobPool): Promise<SavedState> => {
  const blobs = pool.openStorage();
  const storages = new Map(options.site.storages.map(({ scheme }) => [scheme, blobs]));
  try {
    const { settle, ...records } = await copyBlobs(content, () => content.blobs, storages);
    settle();
    return await stateOfFixture({ ...records, blobs }, options, () => blobs.close());
  } catch (error) {
    blobs.close();
    throw error;
  }
};
