/** Reads the sources of the contract from their files: document, site, overlays, handlers. */
import { areEqual } from '../../basics/equal-values.ts';
import { join } from 'node:path';
import type { DocumentObject } from '../../core/document/document.ts';
import { loadHandlers } from '../own-handlers/handler-folder.ts';
import { readOverlay } from './read-overlay.ts';
import type { ExportedConfiguration, ImportReport } from '../../core/site/exported-configuration.ts';
import { readImportedSite } from './imported-sources.ts';
import { documentFile, readDocuments, readSources, type StartSources } from './prepared-sources.ts';
import type { ContractSources } from '../start/load-contract.ts';
import { siteDirectory } from './packaged-sites.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { withBytesAt } from '../../storage/blobs/bytes-address.ts';
import type { S3Location, Site } from '../../core/site/site.ts';

export type SourceLocations = {
  /** The folder of the package. */
  readonly root: string;
  readonly prepared?: string | undefined;
  /** The name of a site of the package, or the directory of a site. When left out: the default site. */
  readonly site: string | undefined;
  /** An exported configuration that the site is made from, in place of `site`. */
  readonly drupalConfig?: ExportedConfiguration | undefined;
  readonly overlays?: readonly string[] | undefined;
  /** A folder with a user's own handlers. */
  readonly handlerFolder?: string | undefined;
  /** The bucket for the bytes of all schemes, in place of what the site says. */
  readonly bucket?: S3Location | undefined;
};

export type SourceFiles = ContractSources & {
  readonly controlDocument: DocumentObject;
  /** The hashes of the packaged fixtures that the build has found to fit the site. */
  readonly checkedRecords?: readonly string[];
  /** What an import took and did not take. */
  readonly imported?: ImportReport | undefined;
};

/** Throws `ConfigurationError` for a file that cannot be read or is invalid. */
export const readSourceFiles = async (locations: SourceLocations): Promise<SourceFiles> => {
  const { root, overlays = [], handlerFolder, bucket } = locations;
  const [read, ...readOverlays] = await Promise.all([readSite(locations), ...overlays.map(readOverlay)]);
  const handlers = handlerFolder === undefined ? new Map() : await loadHandlers(handlerFolder);
  const sources = { ...read, site: withBytesAt(read.site, bucket) };
  return { ...sources, documentFile: join(root, documentFile), proposals: { overlays: readOverlays, handlers } };
};

const readSite = async ({
  root,
  prepared,
  site,
  drupalConfig,
}: SourceLocations): Promise<StartSources & Pick<SourceFiles, 'imported'>> => {
  if (drupalConfig === undefined) return readSources(root, site, prepared);
  const [imported, documents] = await Promise.all([
    readImportedSite(root, drupalConfig),
    readDocuments(root, prepared),
  ]);
  return { site: imported.site, imported: imported.report, ...documents, isChecked: false };
};

/** The files and folders whose change causes a reload, as of the last reading. */
export const watchedPaths = (
  { root, site, drupalConfig, overlays = [], handlerFolder }: SourceLocations,
  { proposals }: Pick<SourceFiles, 'proposals'>,
): string[] => [
  join(root, documentFile),
  ...(drupalConfig === undefined ? [siteDirectory(root, site)] : [...drupalConfig.folders, ...drupalConfig.terms]),
  ...overlays,
  ...(proposals?.overlays ?? []).flatMap(({ referredFiles }) => referredFiles),
  ...(handlerFolder === undefined ? [] : [handlerFolder]),
];

/** A reload cannot change these settings: stores, sessions and connections were opened with them. */
const fixedSettings = [
  'storages',
  'uploads',
  'flood',
  'sessionSeconds',
  'maxUploadBytes',
] as const satisfies readonly (keyof Site)[];

/** Throws `ConfigurationError` when the change from one site to another needs a restart. */
export const requireSameBase = (before: Site, after: Site, directory: string): void => {
  const changed = fixedSettings.find((name) => !areEqual(before[name], after[name]));
  if (changed === undefined) return;
  const message = `${changed}: cannot change while the server runs.`;
  const file = join(directory, 'site.yml');
  throw flawError({ file, rule: 'restart', message, remedy: 'Restart the server.' });
};
