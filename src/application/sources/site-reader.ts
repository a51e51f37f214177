/** Reads the site of the repository: one of the package, a folder, or an imported one. */
import { areEqual } from '../../basics/equal-values.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { join } from 'node:path';
import { repositorySite, type Site } from '../../repository/repository.ts';
import {
  readSourceFiles,
  type SiteReader,
  type SourceFiles,
  type SourceLocations,
} from '../../server/server-application.ts';
import { readImportedSite } from './imported-sources.ts';
import { defaultSiteFolder, siteDirectory } from './packaged-sites.ts';
import { readDocuments, readSources } from './prepared-sources.ts';

const read: SiteReader['read'] = async (locations) => {
  const { root, prepared, site, drupalConfig } = locations;
  if (drupalConfig === undefined) return readSources(root, site, prepared);
  const [imported, documents] = await Promise.all([
    readImportedSite(root, drupalConfig),
    readDocuments(root, prepared),
  ]);
  return { site: imported.site, imported: imported.report, ...documents, isChecked: false };
};

/** A reload cannot change these settings: stores, sessions and connections were opened with them. */
const fixedSettings = [
  'storages',
  'uploads',
  'flood',
  'sessionSeconds',
  'maxUploadBytes',
] as const satisfies readonly (keyof Site)[];

const requireSameBase: SiteReader['requireSameBase'] = (before, after, { drupalConfig, site }) => {
  const [former, next] = [repositorySite(before), repositorySite(after)];
  const changed = fixedSettings.find((name) => !areEqual(former[name], next[name]));
  if (changed === undefined) return;
  const message = `${changed}: cannot change while the server runs.`;
  const file = join(drupalConfig?.folders[0] ?? site ?? defaultSiteFolder, 'site.yml');
  throw flawError({ file, rule: 'restart', message, remedy: 'Restart the server.' });
};

export const siteReader: SiteReader = {
  read,
  paths: ({ root, site, drupalConfig }) =>
    drupalConfig === undefined ? [siteDirectory(root, site)] : [...drupalConfig.folders, ...drupalConfig.terms],
  requireSameBase,
};

/** What a server of the repository would read at these places. Throws `ConfigurationError`. */
export const readSiteSources = async (
  locations: SourceLocations,
): Promise<Omit<SourceFiles, 'site'> & { readonly site: Site }> => {
  const sources = await readSourceFiles(locations, siteReader);
  return { ...sources, site: repositorySite(sources.site) };
};
