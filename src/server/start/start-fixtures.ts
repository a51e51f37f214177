/** Chooses what new worlds of a server are filled with. */
import { isPackagedSite } from '../sources/packaged-sites.ts';
import type { SourceFiles, SourceLocations } from '../sources/source-files.ts';
import type { FixtureOptions } from '../worlds/fixtures.ts';
import { ownFixture, packagedFixture } from '../worlds/read-fixture.ts';
import { packagedFixtureReader } from '../worlds/short-fixture/packaged-fixtures.ts';

type FixtureSources = Pick<SourceLocations, 'root' | 'site' | 'prepared' | 'areDocumentsAlone'> & {
  readonly fixture: string;
};

/** The server's own fixture, and those that worlds can be made from. Throws `ConfigurationError`. */
export const fixturesOf = async (
  options: FixtureSources,
  sources: SourceFiles,
  packaged: string | undefined,
): Promise<FixtureOptionsOfStart> =>
  options.areDocumentsAlone === true ? noContent : contentFixtures(options, sources, packaged);

type FixtureOptionsOfStart = Omit<FixtureOptions, 'site' | 'root' | 'seed' | 'warn'>;

/** Documents alone have no content. */
const noContent: FixtureOptionsOfStart = {
  ...{ fixture: 'empty', otherFixture: undefined, fixturesFit: true },
  records: { entities: [], counters: {} },
};

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
