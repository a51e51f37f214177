/** Opens the main world of a repository, in memory or in IndexedDB, and the fixtures that worlds begin with. */
import { recordModel, type Site } from '../repository/repository.ts';
import type { BrowserOptions } from './browser-options.ts';
import { openPersistentData } from './persistence/open-persistent-data.ts';
import { preparedContent } from './prepared-content.ts';
import { generatedSigningKey, type SigningKeySource } from './signing-key.ts';
import type { BlobPool } from '../storage/storage.ts';
import type { FixtureContent } from '../server/server-application.ts';
import {
  type ReadHealth,
  createMemoryWorldBytes,
  stateOfFixture,
  type SavedState,
  createMemoryWorldData,
  type MainWorld,
} from '../server/server-worlds.ts';
import { createWorldClock, systemClock, systemIds } from '../server/server.ts';
import type { Identifiers } from '../openapi/openapi-records.ts';

type Fixtures = {
  readonly ownName: string;
  readonly ownContent: () => FixtureContent;
  /** The fixture of this name, or without a name the own one. Undefined when there is none. */
  readonly named: (name: string | undefined) => Promise<SavedState | undefined>;
};

/** The fixtures of the prepared site. Each is read once. */
export const fixturesOf = ({ site: prepared, fixture, seed }: BrowserOptions, site: Site): Fixtures => {
  const [first = ''] = Object.keys(prepared.fixtures);
  const ownName = fixture ?? first;
  const states = new Map<string, Promise<SavedState>>();
  const contentOf = (name: string): FixtureContent => preparedContent(prepared, site, name);
  return {
    ownName,
    ownContent: () => contentOf(ownName),
    named: async (name = ownName) => {
      if (name !== ownName && !Object.hasOwn(prepared.fixtures, name)) return undefined;
      const known = states.get(name) ?? stateOfFixture(contentOf(name), { model: recordModel, site, seed });
      states.set(name, known);
      return known;
    },
  };
};

type OpenedMainWorld = {
  readonly main: MainWorld;
  readonly signingKey: SigningKeySource;
  readonly health: ReadHealth;
  /** Where the bytes of worlds in memory are. */
  readonly pool: BlobPool;
  /** Waits for open writes. Close the worlds before. */
  close(): Promise<void>;
};

type Parts = { readonly ids?: Identifiers | undefined; readonly signingKey?: SigningKeySource | undefined };

/** Rejects with `ConfigurationError` when there is no such fixture, or another tab has the repository of this name open. */
export const openMainWorld = (
  options: BrowserOptions,
  site: Site,
  fixtures: Fixtures,
  parts: Parts,
): Promise<OpenedMainWorld> =>
  options.persist === undefined
    ? inMemory(options, fixtures, parts)
    : inDatabase(options, options.persist, site, fixtures);

const inMemory = async (
  { seed, clock = systemClock }: BrowserOptions,
  fixtures: Fixtures,
  { ids = systemIds, signingKey = generatedSigningKey(async () => undefined) }: Parts,
): Promise<OpenedMainWorld> => {
  const pool = createMemoryWorldBytes();
  // With a seed, uuids and secrets continue from the seed state of the saved state.
  const dataFrom = (state: SavedState) => createMemoryWorldData(state, pool, seed === undefined ? ids : undefined);
  const own = await fixtures.named(undefined);
  if (own === undefined) throw new Error('The own fixture always exists, or is refused.');
  return {
    main: {
      data: dataFrom(own),
      replaceData: async (state, publish) => publish(dataFrom(state)),
      clock: createWorldClock(clock),
      durability: 'memory',
    },
    ...{ signingKey, pool },
    health: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
};

const inDatabase = async (
  { clock = systemClock, onError }: BrowserOptions,
  databaseName: string,
  site: Site,
  fixtures: Fixtures,
): Promise<OpenedMainWorld> => {
  const opened = await openPersistentData({
    ...{ databaseName, site, clock },
    initial: async () => fixtures.ownContent(),
    ids: systemIds,
    warn: (message) => onError?.(new Error(message)),
  });
  return { ...opened, pool: createMemoryWorldBytes() };
};
