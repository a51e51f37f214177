/** The reads that a site has besides its records: manifests and harvests. They change nothing, and are described and answered like all others. */
import { withHeadOperations } from '../document/head-operations.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { SitePath } from '../document/specialise.ts';
import type { AnyHandler } from '../engine/handler.ts';
import type { Site } from '../site/site.ts';
import { harvestHandlers } from './harvest/harvest-handlers.ts';
import { harvestPaths } from './harvest/harvest-paths.ts';
import { harvestOf } from './harvest/harvest-settings.ts';
import { manifestHandlers } from './manifests/manifest-handlers.ts';
import { manifestPaths } from './manifests/manifest-paths.ts';
import { manifestsOf } from './manifests/manifest-settings.ts';

/** The paths for the document of the site. `document` is that of the default site. */
export const pathsOfReads = (site: Site, document: DocumentObject): readonly SitePath[] => {
  const [manifests, harvest] = [manifestsOf(site), harvestOf(site)];
  const paths = [
    ...(manifests === undefined ? [] : manifestPaths(manifests, site, document)),
    ...(harvest === undefined ? [] : harvestPaths(harvest, site)),
  ];
  return Object.entries(withHeadOperations({ ...document, paths: Object.fromEntries(paths) }).paths);
};

/** Their handlers by operation id. */
export const handlersOfReads = (site: Site): Readonly<Record<string, AnyHandler>> => {
  const [manifests, harvest] = [manifestsOf(site), harvestOf(site)];
  return {
    ...(manifests === undefined ? {} : manifestHandlers(manifests)),
    ...(harvest === undefined ? {} : harvestHandlers(harvest)),
  };
};
