/** Reads a site from the exported configuration of a Drupal repository, without writing it. */
import { join } from 'node:path';
import type { ImportSource } from '../drupal/folders/imported-site.ts';
import type { ImportReport } from '../drupal/report.ts';
import { lazyModule } from '../basics/lazy-module.ts';
import { loadSiteFolder } from '../site/load-site.ts';
import { defaultSiteFolder } from '../site/packaged-sites.ts';
import { diskIcons, memoryFolder, type SiteFolder } from '../site/site-folder.ts';
import type { Site } from '../site/site.ts';

/** Most servers import nothing. */
const loadImporter = lazyModule(() => import('../drupal/folders/imported-site.ts'), 'importSource');

type ImportedSite = { readonly site: Site; readonly report: ImportReport };

/** Throws `ConfigurationError`. */
export const readImportedSite = async (root: string, source: ImportSource): Promise<ImportedSite> => {
  const { folder, report } = await readImportedFolder(root, source);
  return { site: await loadSiteFolder(folder), report };
};

/** The files of the site. Throws `ConfigurationError`. */
export const readImportedFolder = async (
  root: string,
  source: ImportSource,
): Promise<{ readonly folder: SiteFolder; readonly report: ImportReport }> => {
  const { importSource } = await loadImporter();
  const { siteFiles, report } = await importSource(source);
  const icons = join(root, defaultSiteFolder, 'icons');
  return { folder: memoryFolder(source.folders.join(' + '), siteFiles, diskIcons(icons)), report };
};
