/** Joins the folders that a user names with what imports them, for a server that knows no importer. */
import { lazyModule } from '../../../basics/lazy-module.ts';
import type { ExportedConfiguration, ImportSource } from '../../../openapi/openapi-host.ts';

/** Most servers import nothing. */
const loadImporter = lazyModule(() => import('./read-folders.ts'), 'importSource');

/** The import begins with `read`, and each call reads the folders again. */
export const exportedConfiguration = (source: ImportSource): ExportedConfiguration => ({
  ...source,
  read: async () => (await loadImporter()).importSource(source),
});
