/** Chooses what new worlds of the repository are filled with. */
import { type FixturesOf, ownFixture, packagedFixture } from '../../server/server-application.ts';
import { contentRulesOnDisk } from '../content/content-rules-on-disk.ts';
import { packagedFixtureReader } from './packaged-fixtures.ts';
import { isPackagedSite } from '../../server/server.ts';
import { firstContent } from './packaged-sites.ts';

export const repositoryFixtures: FixturesOf = async (options, sources) => {
  const { root, site, prepared, drupalConfig } = options;
  const { fixture, otherFixture } = firstContent(options.fixture, { site, isImported: drupalConfig !== undefined });
  const packaged = await packagedFixture(root, fixture);
  const rules = { rules: contentRulesOnDisk, site: sources.site };
  return {
    otherFixture,
    ...(packaged === undefined ? await ownFixture(root, fixture, rules) : { fixture: packaged }),
    fixtureNamed: (name: string): Promise<string | undefined> => packagedFixture(root, name),
    readFixture: packagedFixtureReader(root, prepared),
    // The fixtures of the package are made for its default site.
    fixturesFit: sources.isChecked === true && !isPackagedSite(site) ? true : undefined,
    checkedRecords: sources.checkedRecords,
  };
};
