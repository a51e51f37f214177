/** Reads the fixtures of the package. The build expands those that are written short, so that a start reads one file. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { contentRulesOnDisk } from '../content/content-rules-on-disk.ts';
import { type FixtureReader, readShort, shortFixtureAt } from '../../server/server-application.ts';
import { loadSite } from './disk-site.ts';
import { siteDirectory } from './packaged-sites.ts';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import { exportBlobs, readExport } from '../../storage/storage-export.ts';
import type { InitialRecords } from '../../storage/storage.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** The content of an expanded file. */
type Expanded = {
  /** The hash of the short fixture that it was made from. */
  readonly sourceSha256: string;
  readonly entities: readonly Entity[];
  readonly counters: InitialRecords['counters'];
};

/**
 * Takes the records of a short fixture from the file that the build made of it, and expands it where there is none or the fixture
 * has changed since. A short fixture of the package is for the default site. Throws `ConfigurationError`, or an error with
 * `ATOLL_EXPORT_UNREADABLE`.
 */
export const packagedFixtureReader =
  (root: string, preparedFile: string | undefined): FixtureReader =>
  async (directory) => {
    const blobs = exportBlobs(directory);
    const short = await shortFixtureAt(directory);
    if (short === undefined) return { ...(await readExport(directory)), blobs };
    const expanded = preparedFile === undefined ? undefined : await readExpanded(preparedFile, directory);
    if (expanded !== undefined) return { ...expanded, blobs };
    const site = await loadSite(siteDirectory(root, undefined));
    return readShort(short, { rules: contentRulesOnDisk, site }, root);
  };

/** The expanded file of a fixture, next to the prepared file of the default site. */
const expandedFile = (preparedFile: string, directory: string): string =>
  join(dirname(preparedFile), `fixture-${basename(directory)}.json`);

/** The records of the expanded file of a fixture. Undefined without such a file, or when the fixture has changed since. */
export const readExpanded = async (preparedFile: string, directory: string): Promise<InitialRecords | undefined> => {
  const [short, text] = await Promise.all([
    shortFixtureAt(directory),
    readFile(expandedFile(preparedFile, directory), 'utf8').catch(() => undefined),
  ]);
  if (short === undefined || text === undefined) return undefined;
  const { sourceSha256, entities, counters } = JSON.parse(text) as Expanded; // the build wrote it
  return sourceSha256 === (await hashOf(short)) ? { entities, counters } : undefined;
};

/** The name and the text of the expanded file of a fixture. Undefined for one that is not written short. */
export const expandPackaged = async (
  preparedFile: string,
  directory: string,
  read: FixtureReader,
): Promise<{ readonly file: string; readonly text: string } | undefined> => {
  const short = await shortFixtureAt(directory);
  if (short === undefined) return undefined;
  const sourceSha256 = await hashOf(short);
  const { entities, counters } = await read(directory);
  const expanded: Expanded = { sourceSha256, entities: [...entities], counters };
  return { file: expandedFile(preparedFile, directory), text: JSON.stringify(expanded) };
};

const hashOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readRegularFile(file))
    .digest('hex');
