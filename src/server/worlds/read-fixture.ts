/** Reads and checks a fixture: a directory in the export format, or a short fixture. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { StoredRecordFault } from '../../basics/records/record-faults.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { exportBlobs, placeInExport, readExport, isExport } from '../../storage/storage-export.ts';
import type { FixtureContent } from './fixture-content.ts';
import { contentFaults, type JudgedBy, requireFit, type UnfitOptions } from './check-fixture.ts';
import type { ContentRules } from './content-rules.ts';
import { sampleObjects } from './sample-name.ts';
import type { BlobStorage } from '../../openapi/openapi-records.ts';

/** The schema of short fixtures, for editors and for the check; below the folder of the package. */
const fixtureSchema = 'data/fixture.schema.json';

/** The fixtures of the package; below its folder. */
export const fixtureFolder = 'data/fixtures';

/** Whether a name is that of a short fixture: one file. */
const isShortFixture = (place: string): boolean => /\.(ya?ml|json)$/i.test(place);

/** The name of the short fixture in a folder that has its files too. */
const folderFile = 'fixture.yaml';

/** The file of a short fixture: the place itself, or the one in a folder that is not an export. Undefined when there is none. */
export const shortFixtureAt = async (place: string): Promise<string | undefined> => {
  if (isShortFixture(place)) return place;
  const file = join(place, folderFile);
  return !(await isExport(place)) && (await isThere(file)) ? file : undefined;
};

/** What an application says of fixtures for its site. */
export type FixtureRules = {
  readonly rules: Pick<ContentRules, 'faultsOf' | 'expand'>;
  readonly site: HostedSite;
};

/** Reads a short fixture. `root` is the folder of the package. Throws `ConfigurationError` with file and line. */
export const readShort = async (file: string, { rules, site }: FixtureRules, root: string): Promise<FixtureContent> => {
  if (rules.expand === undefined) throw new Error('This host reads no short fixtures.');
  // Loaded late: most servers have another fixture.
  const { readShortFixture } = await import('./short-fixture/read-short-fixture.ts');
  const content = await rules.expand(await readShortFixture(file, join(root, fixtureSchema)), site);
  refuse(file, rules.faultsOf(content, site));
  return content;
};

/** Reads a directory, records and bytes. Throws `ConfigurationError`, or an error with `ATOLL_EXPORT_UNREADABLE`. */
export const readDirectory = async (directory: string, judged: JudgedBy): Promise<FixtureContent> => {
  const content = await readExport(directory);
  const blobs = exportBlobs(directory);
  refuse(directory, await contentFaults(content, blobs, judged), (fault) => placeInExport(directory, fault));
  return { ...content, blobs };
};

const otherFixtures = 'sample makes content for any site, empty has none.';

/** What to do about a fixture of the package that does not fit the site. */
export const packagedRemedy = `Name another: ${otherFixtures}`;

const ownRemedy = `Correct it, or name another with --fixture: ${otherFixtures}`;

/** Throws `ConfigurationError` with the first fault of records that are to become a fixture. */
export const refuse = (
  fixture: string,
  faults: readonly StoredRecordFault[],
  placeOf?: UnfitOptions['placeOf'],
): void => requireFit(`The fixture ${fixture}`, faults, { placeOf, remedy: ownRemedy });

/** Reads and checks a fixture that is none of the package: a short one, or a directory. Throws `ConfigurationError`. */
export const ownFixture = async (
  root: string,
  fixture: string,
  rules: FixtureRules,
): Promise<{ readonly fixture: string; readonly records: FixtureContent; readonly bytes: BlobStorage }> => {
  const place = resolve(fixture);
  const short = await shortFixtureAt(place);
  if (short === undefined && !(await isExport(place))) {
    throw new ConfigurationError(
      `There is no fixture "${fixture}". Name empty, starter, sample, a directory with an export.json or a ${folderFile}, or a YAML or JSON file.`,
    );
  }
  const content = short === undefined ? await readDirectory(place, rules) : await readShort(short, rules, root);
  return { fixture: place, records: content, bytes: content.blobs };
};

/** The directory of a fixture of the package, or the name of a sample. Other directories can be named at the start only. */
export const packagedFixture = async (root: string, name: string): Promise<string | undefined> => {
  if (sampleObjects(name) !== undefined) return name;
  if (!/^[\w-]+$/.test(name)) return undefined;
  const directory = join(root, fixtureFolder, name);
  return (await isExport(directory)) || (await isThere(join(directory, folderFile))) ? directory : undefined;
};

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined;
