/** The fixtures that worlds begin with: read once, then shared by all worlds that are made from them. */
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
  /** The directory of the fixture that the server was started with, and its records if they have been read already. */
  readonly fixture: string;
  readonly records?: Seed | undefined;
  readonly fixtureNamed?: ((name: string) => Promise<string | undefined>) | undefined;
  /** Fixes chance, whatever the fixture. */
  readonly seed?: string | undefined;
};

export type Fixtures = {
  /** The records of the server's own fixture, below them the site's terms and accounts. */
  seed(): Promise<Seed>;
  /** The state that the server's own fixture is. */
  own(): Promise<SavedState>;
  /** That of another, or without a name the own one; undefined when there is none of this name. */
  named(name: string | undefined): Promise<SavedState | undefined>;
};

/** Nothing is read before it is asked for; a fixture that could not be read is read again the next time. */
export const createFixtures = (options: FixtureOptions): Fixtures => {
  const states = new Map<string, Promise<SavedState>>();
  const seedOf = async (directory: string): Promise<Seed> => {
    const isOwn = directory === options.fixture;
    const filled = (isOwn ? options.records : undefined) ?? (await readExport(directory));
    return { entities: [...seedEntities(options.site), ...filled.entities], counters: filled.counters };
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
  // All schemes share the fixture's bytes, and in memory one allowance above them.
  const bytes = exportBlobs(directory);
  const blobs = new Map(options.site.storages.map(({ scheme }) => [scheme, bytes]));
  let chance: SeedState | undefined;
  return createSavedState({
    records: records.freeze(),
    blobs,
    chance: () => (chance ??= seedStateFrom(options.seed ?? fingerprint(records.all()))),
  });
};

/** What two fixtures do not share: the uuids of their records. */
const fingerprint = (entities: readonly Entity[]): string => {
  const sum = createHash('sha256');
  for (const { uuid } of entities) sum.update(uuid);
  return sum.digest('hex');
};
