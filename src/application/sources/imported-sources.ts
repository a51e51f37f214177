/** Reads a site from the exported configuration of a Drupal repository, without writing it. */
import { join } from 'node:path';
import type { ExportedConfiguration, ImportReport } from '../../openapi/openapi-host.ts';
import { loadSiteFolder } from '../../repository/site-files/load-site.ts';
import { loadLiving } from '../../repository/living/create-reactions.ts';
import { defaultSiteFolder } from './packaged-sites.ts';
import { memoryFolder, type SiteFolder } from '../../repository/site/site-folder.ts';
import { diskIcons } from './disk-site.ts';
import type { Site } from '../../repository/site/site.ts';

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
