/** Reads a site together with the document that a server of it answers with. */
import { join } from 'node:path';
import type { ExportedConfiguration, ImportReport } from '../../openapi/openapi-host.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { SiteFolder, Site } from '../../repository/repository.ts';
import { type SiteDocument, documentFile, readOverlay, type SourceLocations } from '../../server/server-application.ts';
import { loadBundleSchemas } from '../../repository/repository-engine.ts';
import { diskFolder } from './disk-site.ts';
import { readImportedFolder } from './imported-sources.ts';
import { siteDirectory } from './packaged-sites.ts';
import { readDocuments } from './prepared-sources.ts';
import { documentOfSite } from './site-document.ts';
import { readSiteSources } from './site-reader.ts';

/** A site and its document, as it is written and with references resolved. */
type ServedSite = SiteDocument & {
  readonly site: Site;
  readonly controlDocument: DocumentObject;
  /** The document with schemas for each bundle, as generators of clients get it. */
  readonly bundledDocument: () => Promise<DocumentObject>;
};

type ServingOptions = {
  /** Where the site is served. Default: what `openapi.yaml` names. */
  readonly baseUrl?: string | undefined;
  /** Whether operations that overlays add stay in the document. Default: false; a server answers them with another engine. */
  readonly isWhole?: boolean | undefined;
};

/** Reads the site at these places and its document. Throws `ConfigurationError` for what cannot be read or is invalid. */
export const readServedSite = async (locations: SourceLocations, options: ServingOptions = {}): Promise<ServedSite> => {
  const sources = await readSiteSources(locations);
  return { ...(await served(sources.site, sources, options)), site: sources.site };
};

/** The document of a site that was loaded before, as `readServedSite` returns it. Throws `ConfigurationError`. */
export const documentForSite = async (
  site: Site,
  { root, prepared, overlays = [] }: Pick<SourceLocations, 'root' | 'prepared' | 'overlays'>,
  options: ServingOptions = {},
): Promise<ServedSite> => {
  const [documents, ...readOverlays] = await Promise.all([
    readDocuments(root, prepared),
    ...overlays.map((file) => readOverlay(file)),
  ]);
  const proposals = { overlays: readOverlays, handlers: new Map<string, never>() };
  return served(site, { ...documents, documentFile: join(root, documentFile), proposals }, options);
};

type ReadDocuments = Omit<Parameters<typeof documentOfSite>[0], 'site'> & Pick<ServedSite, 'controlDocument'>;

const served = async (
  site: Site,
  sources: ReadDocuments,
  { baseUrl, isWhole }: ServingOptions,
): Promise<ServedSite> => {
  const address = baseUrl ?? sources.document.servers?.[0]?.url ?? '';
  const made = await documentOfSite({ ...sources, site }, address, { isWhole });
  return {
    ...{ ...made, site, controlDocument: sources.controlDocument },
    bundledDocument: async () => (await loadBundleSchemas()).withBundleSchemas(made.document, site.model),
  };
};

/** The files of a site that is named as at a start, or imported. `imported` is what an import took and did not take. */
export const openSiteFolder = async ({
  root,
  site,
  drupalConfig,
}: {
  /** The folder of the package. */
  readonly root: string;
  readonly site?: string | undefined;
  readonly drupalConfig?: ExportedConfiguration | undefined;
}): Promise<{ readonly folder: SiteFolder; readonly imported?: ImportReport }> => {
  if (drupalConfig === undefined) return { folder: diskFolder(siteDirectory(root, site)) };
  const { folder, report } = await readImportedFolder(root, drupalConfig);
  return { folder, imported: report };
};
