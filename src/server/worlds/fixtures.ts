/** Provides the fixtures that worlds start from. Each fixture is read once, and all worlds made from it share it. */
import { basename } from 'node:path';
import { onceFor } from '../../basics/once.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import { stateOfFixture } from './fixture-state.ts';
import { type CollectionSeeds, noSeeds, withSeeds } from './collections/collection-seeds.ts';
import type { SavedState } from './saved-state.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import type { BlobStorage } from '../../openapi/openapi-records.ts';
import type { FixtureContent } from './fixture-content.ts';
import { recordsHash, requireFit } from './check-fixture.ts';
import type { ContentRules } from './content-rules.ts';
import { packagedRemedy } from './read-fixture.ts';
import { sampleObjects } from './sample-name.ts';
import { exportBlobs, placeInExport, readExport } from '../../storage/storage-export.ts';
import type { InitialRecords } from '../../storage/storage.ts';

/** Makes content for any site. `notes` name the bundles of which the model allows no record. */
export type MakeSample = (
  site: HostedSite,
  request: {
    readonly objects: number;
    readonly seed: string | undefined;
    /** The folder of the package, which has the archive that the sample shows. */
    readonly root: string;
  },
) => Promise<FixtureContent & { readonly notes: readonly string[] }>;

/** Reads a directory with a fixture of the package. */
export type FixtureReader = (directory: string) => Promise<FixtureContent>;

export type FixtureOptions = {
  /** Says what fits the site, and makes samples. */
  readonly application: { readonly content: ContentRules; readonly makeSample?: MakeSample | undefined };
  readonly site: HostedSite;
  /** The folder of the package. A sample needs it. */
  readonly root?: string | undefined;
  /** The server's own fixture, which fills a new repository: its directory, or the name of a sample. Resets return to it. */
  readonly fixture: string;
  /** The name of a sample that takes its place where it does not fit the site. When left out: it is refused there. */
  readonly otherFixture?: string | undefined;
  /** The records of the server's own fixture, when they have been read and checked already. */
  readonly records?: InitialRecords | undefined;
  /** The bytes of the server's own fixture, when they are not in its directory. */
  readonly bytes?: BlobStorage | undefined;
  /** Finds a fixture for forks by its name: its directory, or the name of a sample. Undefined when there is none. */
  readonly fixtureNamed?: ((name: string) => Promise<string | undefined>) | undefined;
  /** Reads the directory of a fixture. When left out: as a directory in the export format. */
  readonly readFixture?: FixtureReader | undefined;
  /** The seed for uuids and secrets of worlds in memory. When left out, forks use a seed derived from their fixture. */
  readonly seed?: string | undefined;
  /** Whether fixtures are known to fit the site. When left out: `records` are, those of the package are checked. */
  readonly fixturesFit?: boolean | undefined;
  /** The hashes of records that have no violations on the site (`recordsHash`). They are not checked again. */
  readonly checkedRecords?: readonly string[] | undefined;
  /** The records with which the collections of documents begin. */
  readonly collectionSeeds?: CollectionSeeds | undefined;
  /** Gets a message about each thing that a sample cannot have, and that the other fixture is taken. */
  readonly warn?: ((message: string) => void) | undefined;
};

export type Fixtures = {
  /** The site's terms and accounts, followed by the records of the server's own fixture, and its bytes. */
  ownContent(): Promise<FixtureContent>;
  /** The server's own fixture as a saved state. Throws `ConfigurationError` when it does not fit the site. */
  own(): Promise<SavedState>;
  /**
   * A fixture by its name, or without a name the server's own fixture. Undefined when there is no such fixture. Throws 422
   * when it does not fit the site.
   */
  named(name: string | undefined): Promise<SavedState | undefined>;
  /** The same as `ownContent` of a fixture by its name. Undefined when there is none. Throws 422 when it does not fit the site. */
  namedContent(name: string): Promise<FixtureContent | undefined>;
  /** The name of the server's own fixture, without the directory that it is in. */
  ownName(): string;
};

/** Reads a fixture on first use. A fixture that could not be read is read again the next time. */
export const createFixtures = (options: FixtureOptions): Fixtures => {
  const stateOf = onceFor(async (place: string) =>
    stateOfFixture(await contentOf(place, options), { ...options, model: options.application.content.model }),
  );
  const { withOwn, ownPlace } = ownFixture(options);
  return {
    ownContent: () => withOwn((place) => contentOf(place, options)),
    own: () => withOwn(stateOf),
    ownName: () => basename(ownPlace()),
    named: (name) =>
      refusing(async () => {
        if (name === undefined) return withOwn(stateOf);
        const place = await options.fixtureNamed?.(name);
        return place === undefined ? undefined : stateOf(place);
      }),
    namedContent: (name) =>
      refusing(async () => {
        const place = await options.fixtureNamed?.(name);
        return place === undefined ? undefined : contentOf(place, options);
      }),
  };
};

/** What does not fit the site is the refusal of a request. */
const refusing = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    throw error instanceof ConfigurationError ? new Problem(422, error.message) : error;
  }
};

/** Reads the server's own fixture. From the time that it does not fit the site, the other one is read in its place. */
const ownFixture = ({ fixture, otherFixture, warn }: FixtureOptions) => {
  let place = fixture;
  const withOwn = async <T>(read: (place: string) => Promise<T>): Promise<T> => {
    try {
      return await read(place);
    } catch (error) {
      if (otherFixture === undefined || place === otherFixture || !(error instanceof ConfigurationError)) throw error;
      place = otherFixture;
      warn?.(
        `The fixture ${basename(fixture)} does not fit the site, so a new repository begins with ${otherFixture}.`,
      );
      return read(place);
    }
  };
  return { withOwn, ownPlace: (): string => place };
};

const contentOf = async (place: string, options: FixtureOptions): Promise<FixtureContent> => {
  const { entities, counters, blobs } = (await sampleAt(place, options)) ?? (await readChecked(place, options));
  const content = {
    entities: [...options.application.content.initialRecords(options.site), ...entities],
    ...{ counters, blobs },
  };
  return withSeeds(content, options.collectionSeeds ?? noSeeds);
};

const sampleAt = async (
  place: string,
  { application, site, seed, warn, root }: FixtureOptions,
): Promise<FixtureContent | undefined> => {
  const objects = sampleObjects(place);
  if (objects === undefined) return undefined;
  if (root === undefined || application.makeSample === undefined)
    throw new Error('A sample needs a repository and the folder of the package.');
  const sample = await application.makeSample(site, { objects, seed, root });
  for (const note of sample.notes) warn?.(note);
  return sample;
};

/** The bytes are looked at when the fixture is named at the start; those of the package are whole. */
const readChecked = async (directory: string, options: FixtureOptions): Promise<FixtureContent> => {
  const { application, site, fixturesFit, checkedRecords = [] } = options;
  const isOwn = directory === options.fixture;
  const own = isOwn ? options.records : undefined;
  const read: InitialRecords & { readonly blobs?: BlobStorage } =
    own ?? (await (options.readFixture ?? readExport)(directory));
  const content = { entities: read.entities, counters: read.counters };
  const blobs = (isOwn ? options.bytes : undefined) ?? read.blobs ?? exportBlobs(directory);
  if (own !== undefined && fixturesFit !== false) return { ...content, blobs };
  if (checkedRecords.length > 0 && checkedRecords.includes(recordsHash(content))) return { ...content, blobs };
  const judgesState = own === undefined && fixturesFit !== true;
  // No message to a client names a directory.
  const name = own === undefined ? basename(directory) : 'of the server';
  requireFit(`The fixture ${name}`, application.content.faultsOf(content, site, { judgesState }), {
    placeOf: (fault) => placeInExport(directory, fault),
    remedy: packagedRemedy,
  });
  return { ...content, blobs };
};
