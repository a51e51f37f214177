/** The schema of each kind of file of a site's folder. */
import { exportedFile } from '../site/exported-configuration.ts';
import { livingFile } from '../site/living-file.ts';
import { listFile } from './list-files.ts';
import { accountsFile, bundleFile, resourceFile, roleFile, siteFile, vocabularyFile } from './site-files.ts';

export const siteSchemas = {
  site: siteFile,
  accounts: accountsFile,
  living: livingFile,
  exported: exportedFile,
  bundle: bundleFile,
  vocabulary: vocabularyFile,
  list: listFile,
  role: roleFile,
  resource: resourceFile,
} as const;
