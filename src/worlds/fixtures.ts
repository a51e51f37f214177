/** Provides the fixtures that worlds start from. Each fixture is read once, and all worlds made from it share it. */
import { createHash } from 'node:crypto';
import type { Entity } from '../model/entity.ts';
import { indexKeys } from '../content/index-keys.ts';
import { seedStateFrom, type SeedState } from './seeded-ids.ts';
import { createSavedState, type SavedState } from './saved-state.ts';
import { initialRecords } from '../site/initial-records.ts';
import type { Site } from '../site/site.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import { recordViolations } from './check-fixture.ts';
import { refuse } from './read-fixture.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import type { InitialRecords } from '../storage/memory-entity-store.ts';
import { createRecordSet } from '../storage/record-set.ts';

export type FixtureOptions = {
  readonly site: Site;
  /** The directory of the server's own fixture, which fills a new repository. Resets return to it. */
  readonly fixture: string;
  /** The records of the server's own fixture, when they have been read and checked already. */
  readonly records?: InitialRecords | undefined;
  /** The bytes of the server's own fixture, when they are not in its directory. */
  readonly bytes?: BlobStorage | undefined;
  /** Finds the directory of a fixture for forks by its name. Undefined when there is none. */
  readonly fixtureNamed?: ((name: string) => Promise<string | undefined>) | undefined;
  /** The seed for uuids and secrets of worlds in memory. When left out, forks use a seed derived from their fixture. */
  readonly seed?: string | undefined;
};

export type Fixtures = {
  /** The site's terms and accounts, followed by the records of the server's own fixture. */
  initialRecords(): Promise<InitialRecords>;
  /** The bytes of the server's own fixture. */
  bytes(): BlobStorage;
  /** The server's own fixture as a saved state. */
  own(): Promise<SavedState>;
  /** A fixture by its name, or without a name the server's own fixture. Undefined when there is no such fixture. */
  named(name: string | undefined): Promise<SavedState | undefined>;
};

/** Reads a fixture on first use. A fixture that could not be read is read again the next time. */
export const createFixtures = (options: FixtureOptions): Fixtures => {
  const states = new Map<string, Promise<SavedState>>();
  const initialRecordsWith = async (directory: string): Promise<InitialRecords> => {
    const isOwn = directory === options.fixture;
    const { entities, counters } = (isOwn ? options.records : undefined) ?? (await readChecked(directory));
    return { entities: [...initialRecords(options.site), ...entities], counters };
  };
  /** The bytes are looked at when the fixture is named at the start; those of the package are whole. */
  const readChecked = async (directory: string): Promise<InitialRecords> => {
    const records = await readExport(directory);
    refuse(directory, recordViolations(records, options.site));
    return records;
  };
  const bytesOf = (directory: string): BlobStorage =>
    (directory === options.fixture ? options.bytes : undefined) ?? exportBlobs(directory);
  const stateOf = (directory: string): Promise<SavedState> => {
    const known = states.get(directory);
    if (known !== undefined) return known;
    const reading = initialRecordsWith(directory).then((initial) =>
      stateOfFixture(initial, bytesOf(directory), options),
    );
    states.set(directory, reading);
    reading.catch(() => states.delete(directory));
    return reading;
  };
  return {
    initialRecords: () => initialRecordsWith(options.fixture),
    bytes: () => bytesOf(options.fixture),
    own: () => stateOf(options.fixture),
    named: async (name) => {
      const directory = name === undefined ? options.fixture : await options.fixtureNamed?.(name);
      return directory === undefined ? undefined : stateOf(directory);
    },
  };
};

const stateOfFixture = (initial: InitialRecords, bytes: BlobStorage, options: FixtureOptions): SavedState => {
  const records = createRecordSet(indexKeys);
  for (const entity of initial.entities) records.apply({ put: entity });
  records.raise(initial.counters);
  // All schemes share one storage, so a world in memory has one byte limit for all of them.
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
