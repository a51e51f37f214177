/** Reads the site and the documents. The build prepares and checks them, so that an unchanged package starts quickly. */
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { onceFor } from '../../basics/once.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { resolveDocument } from '../../openapi/openapi-parts.ts';
import { readContract } from './read-contract.ts';
import {
  hashOfFiles,
  controlFile,
  documentFile,
  hashOfDocuments,
  type PreparedDocuments,
  readPrepared,
  readDocument,
  type SiteSources,
  recordsHash,
  type FixtureReader,
  fixtureFolder,
} from '../../server/server-application.ts';
import { loadSite } from './disk-site.ts';
import { specialisedFor } from './site-document.ts';
import { packagedSites, preparedFor, siteDirectory } from './packaged-sites.ts';
import { readYaml, type YamlReader } from '../../basics/yaml/read-yaml.ts';
import { checkRecords } from '../../repository/repository-content.ts';
import type { Site } from '../../repository/repository.ts';
import { expandPackaged, packagedFixtureReader } from './packaged-fixtures.ts';

/** What a start reads of a site of the repository. */
export type StartSources = SiteSources & StartDocuments & { readonly site: Site };

/** The documents for any site. `document` is that of the default site. */
type StartDocuments = Pick<SiteSources, 'document' | 'controlDocument' | 'areDocumentsChecked'>;

/** The content of a prepared file. */
type Prepared = PreparedDocuments & {
  /** The hash of the files of the site, by name and content. */
  readonly siteSha256: string;
  /** The contents of the site's files by their names below the site's folder. They have been checked against their schemas. */
  readonly siteFiles: Readonly<Record<string, unknown>>;
  readonly checkedRecords: readonly string[];
};

/**
 * Reads from the prepared file what none of its source files has changed of, and the rest from the source files.
 * Throws `ConfigurationError`.
 */
export const readSources = async (
  root: string,
  site: string | undefined,
  preparedFile: string | undefined,
): Promise<StartSources> => {
  const directory = siteDirectory(root, site);
  const prepared = await readPreparedSite(
    root,
    preparedFile === undefined ? undefined : preparedFor(preparedFile, site),
  );
  if (prepared === undefined || (await siteHash(directory)) !== prepared.siteSha256) {
    const [loaded, documents] = await Promise.all([loadSite(directory), documentsFrom(prepared, root, preparedFile)]);
    return { site: loaded, ...documents, isChecked: false };
  }
  const { document, controlDocument, siteFiles, checkedRecords } = prepared;
  const read: YamlReader = (file) => Promise.resolve(siteFiles[nameIn(directory, file)] as never); // the build checked each file against its schema
  const loaded = await loadSite(directory, read);
  return { site: loaded, document, controlDocument, areDocumentsChecked: true, isChecked: true, checkedRecords };
};

/** The documents for a site that comes from elsewhere. Throws `ConfigurationError`. */
export const readDocuments = async (root: string, preparedFile: string | undefined): Promise<StartDocuments> =>
  documentsFrom(await readPrepared(root, preparedFile), root, preparedFile);

/** The documents of the prepared file that was read, or else of the default site's, or else of their own files. */
const documentsFrom = async (
  read: PreparedDocuments | undefined,
  root: string,
  preparedFile: string | undefined,
): Promise<StartDocuments> => {
  const prepared = read === undefined || read.isAsWritten ? read : await readPrepared(root, preparedFile);
  if (prepared?.isAsWritten === true) {
    const { document, controlDocument } = prepared;
    return { document, controlDocument, areDocumentsChecked: true };
  }
  const [document, controlDocument] = await Promise.all([
    readContract(join(root, documentFile)),
    readDocument(join(root, controlFile)),
  ]);
  return { document, controlDocument, areDocumentsChecked: false };
};

/** The package may be built on one system and used on another, so names in the prepared file have slashes everywhere. */
const withSlashes = (name: string): string => name.replaceAll(sep, '/');

const nameIn = (directory: string, file: string): string => withSlashes(relative(directory, file));

/** The build writes both into one file. */
const readPreparedSite = async (root: string, file: string | undefined): Promise<Prepared | undefined> =>
  (await readPrepared(root, file)) as Prepared | undefined;

/** Reads and checks everything and returns the text of the prepared file. Throws when something cannot be prepared. */
export const prepare = async (
  root: string,
  packagedSite?: string,
  readFixture: FixtureReader = packagedFixtureReader(root, undefined),
): Promise<string> => {
  const directory = siteDirectory(root, packagedSite);
  const siteFiles: Record<string, unknown> = {};
  const read: YamlReader = async (file, schema) => {
    const content = await readYaml(file, schema);
    siteFiles[nameIn(directory, file)] = content;
    return content;
  };
  const documentsSha256 = hashOfDocuments(root);
  const [siteSha256, site, written, controlDocument] = await Promise.all([
    siteHash(directory),
    loadSite(directory, read),
    readContract(join(root, documentFile)),
    readDocument(join(root, controlFile)),
  ]);
  const document = specialisedFor(written, site, written.servers?.[0]?.url ?? '');
  await Promise.all([resolveDocument(document), resolveDocument(controlDocument)]);
  const isAsWritten = JSON.stringify(document) === JSON.stringify(written);
  const checkedRecords = await fittingRecords(root, site, readFixture);
  const documents = { documentsSha256, document, isAsWritten, controlDocument };
  const prepared: Prepared = { ...documents, siteSha256, siteFiles, checkedRecords };
  const text = JSON.stringify(prepared);
  if (!areEqual(JSON.parse(text), prepared)) throw new Error('Something of the site or the documents is no JSON.');
  return text;
};

/** The packaged fixtures without violations on a site, by the hashes of their records. */
const fittingRecords = async (root: string, site: Site, readFixture: FixtureReader): Promise<string[]> => {
  const read = await Promise.all((await fixturesIn(root)).map((directory) => unlessUnfit(readFixture(directory))));
  return read
    .flatMap((records) => records ?? [])
    .filter((records) => checkRecords(records, site, { judgesState: true }).faults.length === 0)
    .map(recordsHash);
};

const fixturesIn = async (root: string): Promise<string[]> =>
  (await readdir(join(root, fixtureFolder)).catch(() => [])).map((name) => join(root, fixtureFolder, name));

/** A fixture that does not fit the default site is not prepared: the start that wants it says why. */
const unlessUnfit = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  });

type PreparedText = { readonly file: string; readonly text: string };

/** The expanded fixtures of the package. `file` is the prepared file of the default site. */
export const prepareFixtures = async (
  root: string,
  file: string,
  read: FixtureReader = packagedFixtureReader(root, undefined),
): Promise<readonly PreparedText[]> => {
  const directories = await fixturesIn(root);
  const expanded = await Promise.all(directories.map((each) => unlessUnfit(expandPackaged(file, each, read))));
  return expanded.flatMap((each) => each ?? []);
};

/** The prepared file of each site of the package, and the expanded fixtures. `file` is that of the default site. */
export const preparePackage = async (root: string, file: string): Promise<readonly PreparedText[]> => {
  const readOnce = onceFor(packagedFixtureReader(root, undefined));
  const sites = packagedSites.map(async (site) => ({
    file: preparedFor(file, site),
    text: await prepare(root, site, readOnce),
  }));
  return [...(await Promise.all(sites)), ...(await prepareFixtures(root, file, readOnce))];
};

const siteHash = async (directory: string): Promise<string> => {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  return hashOfFiles(
    directory,
    names
      .filter((name) => name.endsWith('.yml'))
      .map(withSlashes)
      .sort(),
  );
};
