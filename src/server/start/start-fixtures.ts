/** Chooses what new worlds of a server are filled with. */
import { isPackagedSite } from '../site-folders/packaged-sites.ts';
import type { SourceFiles, SourceLocations } from '../sources/source-files.ts';
import { exportBlobs } from '../../storage/export/export-directory.ts';
import type { FixtureContent } from '../worlds/check-fixture.ts';
import type { FixtureOptions } from '../worlds/fixtures.ts';
import { ownFixture, packagedFixture } from '../worlds/read-fixture.ts';
import { packagedFixtureReader } from '../worlds/short-fixture/packaged-fixtures.ts';
import { allBegun } from '../../openapi/openapi-records.ts';

type FixtureSources = Pick<SourceLocations, 'root' | 'site' | 'prepared' | 'areDocumentsAlone'> & {
  readonly fixture: string;
};

/** The server's own fixture, and those that worlds can be made from. Throws `ConfigurationError`. */
export const fixturesOf = async (
  options: FixtureSources,
  sources: SourceFiles,
  packaged: string | undefined,
): Promise<FixtureOptionsOfStart> =>
  options.areDocumentsAlone === true
    ? documentFixtures(options, sources, packaged)
    : contentFixtures(options, sources, packaged);

type FixtureOptionsOfStart = Omit<FixtureOptions, 'application' | 'site' | 'root' | 'seed' | 'warn'>;

/** Documents alone have no content but the records of collections. They begin with examples, unless the fixture is `empty` or a file. */
const documentFixtures = async (
  options: FixtureSources,
  sources: SourceFiles,
  packaged: string | undefined,
): Promise<FixtureOptionsOfStart> => {
  const named = async (name: string): Promise<string | undefined> => (name === 'empty' ? name : undefined);
  const own =
    options.fixture === 'empty'
      ? { fixture: 'empty', records: withoutExamples }
      : { fixture: 'examples', records: withoutContent };
  return {
    ...{ otherFixture: undefined, fixturesFit: true, fixtureNamed: named },
    readFixture: async () => withoutExamples,
    ...(packaged === undefined ? await ownFixture(options.root, options.fixture, sources.site) : own),
  };
};

const withoutContent: FixtureContent = { entities: [], counters: {}, blobs: exportBlobs('') };
/** No collection begins with the examples of its document. */
const withoutExamples: FixtureContent = { ...withoutContent, counters: { [allBegun]: 1 } };

const contentFixtures = async (
  options: FixtureSources,
  sources: SourceFiles,
  packaged: string | undefined,
): Promise<FixtureOptionsOfStart> => ({
  ...(packaged === undefined ? await ownFixture(options.root, options.fixture, sources.site) : { fixture: packaged }),
  fixtureNamed: (name: string): Promise<string | undefined> => packagedFixture(options.root, name),
  readFixture: packagedFixtureReader(options.root, options.prepared),
  // The fixtures of the package are made for its default site.
  fixturesFit: sources.isChecked && !isPackagedSite(options.site) ? true : undefined,
  checkedRecords: sources.checkedRecords,
});
