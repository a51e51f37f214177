/** Makes the document of a site: specialised, with overlays applied, checked, and with its references resolved. */
import { resolveDocument, resolveReferences } from '../../core/document/document.ts';
import { applyOverlays } from '../../core/document/overlay.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { specialisedFor } from '../../living/site-reads.ts';
import type { ContractSources, SiteDocument } from '../start/load-contract.ts';

/** The build has checked the document itself. Only overlays bring something that nobody has looked at. */
const loadChecks = lazyModule(() => import('./check-document.ts'), 'checkDocument');

/** The site's document with the overlays applied, and the same document with references resolved. */
export const documentOfSite = async (sources: ContractSources, baseUrl: string): Promise<SiteDocument> => {
  const {
    isChecked = false,
    areDocumentsChecked = isChecked,
    site,
    documentFile = 'openapi.yaml',
    proposals,
  } = sources;
  const own = isChecked
    ? { ...sources.document, servers: [{ url: baseUrl }] }
    : specialisedFor(sources.document, site, baseUrl);
  if (proposals !== undefined && proposals.overlays.length > 0) {
    const { document, applied, warnings } = await applyOverlays(own, proposals.overlays);
    const { checkDocument, slowPatterns } = await loadChecks();
    const checked = await checkDocument(document, { file: documentFile, applied });
    const slow = slowPatterns(document, applied);
    return { document, resolved: checked, slow: slow.patterns, warnings: [...warnings, ...slow.warnings] };
  }
  // A site adds nothing that could break a valid document: names and paths have no character that means something in it, every
  // schema of a field is the program's own, and what refers to nothing is found here. So the check of the build is enough.
  const resolved = areDocumentsChecked ? resolveReferences(own) : await resolveDocument(own);
  return { document: own, resolved, slow: undefined, warnings: [] };
};
