/** Reads a site from the exported configuration of a Drupal repository, without writing it. */
import { join } from 'node:path';
import type { ExportedConfiguration, ImportReport } from '../../openapi/openapi-host.ts';
import { loadSiteFolder } from '../../repository/repository-sites.ts';
import { loadLiving } from '../../repository/repository-content.ts';
import { defaultSiteFolder } from './packaged-sites.ts';
import { memoryFolder, type SiteFolder, type Site } from '../../repository/repository.ts';
import { diskIcons } from './disk-site.ts';

type ImportedSite = { readonly site: Site; readonly report: ImportReport };

/** Throws `ConfigurationError`. */
export const readImportedSite = async (root: string, source: ExportedConfiguration): Promise<ImportedSite> => {
  const { folder, report } = await readImportedFolder(root, source);
  return { site: await loadLiving(await loadSiteFolder(folder)), report };
};

/** The files of the site. Throws `ConfigurationError`. */
export const readImportedFolder = async (
  root: string,
  source: ExportedConfiguration,
): Promise<{ readonly folder: SiteFolder; readonly report: ImportReport }> => {
  const { siteFiles, report } = await source.read();
  const icons = join(root, defaultSiteFolder, 'icons');
  return { folder: memoryFolder(source.folders.join(' + '), siteFiles, diskIcons(icons)), report };
};
