/** Makes a saved state of the content of a fixture. */
import { createHash } from 'node:crypto';
import { beginSlices } from '../../basics/long-work.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { createRecordSet } from '../../storage/storage.ts';
import type { FixtureContent } from './fixture-content.ts';
import { createSavedState, type SavedState } from './saved-state.ts';
import { seedStateFrom, type SeedState } from './seeded-ids.ts';
import type { Entity, RecordModel } from '../../openapi/openapi-records.ts';

/**
 * All worlds made from the state share its records. `seed` is for uuids and secrets; without it they follow from the records. `onFree` is
 * called when the last holder releases the state.
 */
export const stateOfFixture = async (
  initial: FixtureContent,
  options: {
    readonly model: RecordModel;
    readonly site: Pick<HostedSite, 'storages'>;
    readonly seed?: string | undefined;
  },
  onFree?: () => void,
): Promise<SavedState> => {
  const records = createRecordSet(options.model);
  const slices = beginSlices();
  for (const entity of initial.entities) {
    if (slices.isOver()) await slices.next();
    records.apply({ put: entity });
  }
  records.raise(initial.counters);
  const blobs = new Map(options.site.storages.map(({ scheme }) => [scheme, initial.blobs]));
  let seedState: SeedState | undefined;
  const ownSeedState = (): SeedState => (seedState ??= seedStateFrom(options.seed ?? fingerprint(records.all())));
  return createSavedState({ model: options.model, records: records.freeze(), blobs, seedState: ownSeedState }, onFree);
};

/** A hash over the uuids of the records, which differ from fixture to fixture. */
const fingerprint = (entities: Iterable<Entity>): string => {
  const sum = createHash('sha256');
  for (const { uuid } of entities) sum.update(uuid);
  return sum.digest('hex');
};
