/** Makes the document of a site: specialised, with overlays applied, checked, and with its references resolved. */
import { resolveDocument, resolveReferences } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { specialise, pathsOfReads } from '../../repository/repository-engine.ts';
import { overlaidDocument, type ContractSources, type SiteDocument } from '../../server/server-application.ts';
import { repositorySite, type Site } from '../../repository/repository.ts';

/** The document of a site with all its paths: those of `openapi.yaml`, its lists, and its own reads. `document` is that of the default site. Throws `ConfigurationError`. */
export const specialisedFor = (document: DocumentObject, site: Site, baseUrl: string): DocumentObject =>
  specialise(document, site, baseUrl, pathsOfReads(site, document));

type SiteDocumentOptions = {
  /** Where no engine for documents of one's own is, as in a page: operations that overlays add stay with those of the repository. */
  readonly isWhole?: boolean | undefined;
};

/** The site's document with the overlays applied, and the same document with references resolved. */
export const documentOfSite = async (
  sources: ContractSources,
  baseUrl: string,
  { isWhole = false }: SiteDocumentOptions = {},
): Promise<SiteDocument> => {
  const {
    isChecked = false,
    areDocumentsChecked = isChecked,
    site,
    documentFile = 'openapi.yaml',
    proposals,
  } = sources;
  // The build has checked the document itself. Only overlays bring something that nobody has looked at.
  const own = isChecked
    ? { ...sources.document, servers: [{ url: baseUrl }] }
    : specialisedFor(sources.document, repositorySite(site), baseUrl);
  if (proposals !== undefined && proposals.overlays.length > 0)
    return overlaidDocument(own, proposals.overlays, { file: documentFile, isWhole });
  // A site adds nothing that could break a valid document: names and paths have no character that means something in it, every
  // schema of a field is the program's own, and what refers to nothing is found here. So the check of the build is enough.
  const resolved = areDocumentsChecked ? resolveReferences(own) : await resolveDocument(own);
  return { document: own, resolved, slow: undefined, added: undefined, warnings: [] };
};
