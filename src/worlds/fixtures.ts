/** The fixtures that worlds start from. Each is read once and shared by all worlds that are made from it. */
import { createHash } from 'node:crypto';
import type { Entity } from '../model/entity.ts';
import { indexKeys } from '../content/index-keys.ts';
import { seedStateFrom, type SeedState } from './seeded-ids.ts';
import { createSavedState, type SavedState } from './saved-state.ts';
import { seedEntities } from '../site/seed.ts';
import type { Site } from '../site/site.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import type { Seed } from '../storage/memory-entity-store.ts';
import { createRecordSet } from '../storage/record-set.ts';

export type FixtureOptions = {
  readonly site: Site;
  /** The directory of the server's own fixture, which fills a new repository. Resets return to it. */
  readonly fixture: string;
  /** The records of the server's own fixture, when they have been read already. */
  readonly records?: Seed | undefined;
  /** Finds the directory of a fixture for forks by its name. Undefined when there is none. */
  readonly fixtureNamed?: ((name: string) => Promise<string | undefined>) | undefined;
  /** The seed for uuids and secrets of worlds in memory. When left out, forks use one derived from their fixture. */
  readonly seed?: string | undefined;
};

export type Fixtures = {
  /** The site's terms and accounts, followed by the records of the server's own fixture. */
  seed(): Promise<Seed>;
  /** The server's own fixture as a saved state. */
  own(): Promise<SavedState>;
  /** A fixture by its name, or the server's own one without a name. Undefined when there is no such fixture. */
  named(name: string | undefined): Promise<SavedState | undefined>;
};

/** Reads a fixture on first use. A fixture that could not be read is read again the next time. */
export const createFixtures = (options: FixtureOptions): Fixtures => {
  const states = new Map<string, Promise<SavedState>>();
  const seedOf = async (directory: string): Promise<Seed> => {
    const isOwn = directory === options.fixture;
    const { entities, counters } = (isOwn ? options.records : undefined) ?? (await readExport(directory));
    return { entities: [...seedEntities(options.site), ...entities], counters };
  };
  const stateOf = (directory: string): Promise<SavedState> => {
    const known = states.get(directory);
    if (known !== undefined) return known;
    const reading = seedOf(directory).then((seed) => stateOfSeed(seed, directory, options));
    states.set(directory, reading);
    reading.catch(() => states.delete(directory));
    return reading;
  };
  return {
    seed: () => seedOf(options.fixture),
    own: () => stateOf(options.fixture),
    named: async (name) => {
      const directory = name === undefined ? options.fixture : await options.fixtureNamed?.(name);
      return directory === undefined ? undefined : stateOf(directory);
    },
  };
};

const stateOfSeed = (seed: Seed, directory: string, options: FixtureOptions): SavedState => {
  const records = createRecordSet(indexKeys);
  for (const entity of seed.entities) records.apply({ put: entity });
  records.raise(seed.counters);
  // All schemes share one storage, so a world in memory has one byte limit for all of them.
  const bytes = exportBlobs(directory);
  const blobs = new Map(options.site.storages.map(({ scheme }) => [scheme, bytes]));
  let seedState: SeedState | undefined;
  return createSavedState({
    records: records.freeze(),
    blobs,
    seedState: () => (seedState ??= seedStateFrom(options.seed ?? fingerprint(records.all()))),
  });
};

/** A hash over the uuids of the records, which differ from fixture to fixture. */
const fingerprint = (entities: readonly Entity[]): string => {
  const sum = createHash('sha256');
  for (const { uuid } of entities) sum.update(uuid);
  return sum.digest('hex');
};
