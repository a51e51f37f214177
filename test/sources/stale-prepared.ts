/** The prepared texts of the package that are missing, or were made before a source has changed. */
import { join } from 'node:path';
import { readExpanded } from '../../src/application/sources/packaged-fixtures.ts';
import { prepareFixtures, preparePackage, readSources } from '../../src/application/sources/prepared-sources.ts';

type PreparedTexts = ReturnType<typeof preparePackage>;

/** Each site's is taken to be as that of the default one, and each fixture's as the starter's. */
export const stalePrepared = async (root: string, file: string): PreparedTexts => {
  if (!(await readSources(root, undefined, file)).isChecked) return preparePackage(root, file);
  const isExpanded = (await readExpanded(file, join(root, 'data/fixtures/starter'))) !== undefined;
  return isExpanded ? [] : prepareFixtures(root, file);
};
