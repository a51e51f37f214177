/** Applies overlays to the document of an application, and divides the result: what they change, and the operations that they add. */
import { lazyModule } from '../../basics/lazy-module.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { divideDocument } from './added-operations.ts';
import type { SiteDocument } from './contract-sources.ts';
import { applyOverlays, type Overlay } from './overlay.ts';

/** Most servers have no overlay, and the check loads a validator. */
const loadChecks = lazyModule(() => import('./check-document.ts'), 'checkDocument');

type OverlayOptions = {
  /** The document's file, as messages call it. */
  readonly file: string;
  /** Whether added operations stay with those of the application: where no engine for documents of one's own is, as in a page. */
  readonly isWhole: boolean;
};

/** Throws `ConfigurationError` for an overlay that cannot be applied, and for a document that is not valid afterwards. */
export const overlaidDocument = async (
  base: DocumentObject,
  overlays: readonly Overlay[],
  { file, isWhole }: OverlayOptions,
): Promise<SiteDocument> => {
  const { document, applied, warnings } = await applyOverlays(base, overlays);
  const { checkDocument, openAdded, slowPatterns } = await loadChecks();
  const divided = isWhole ? { own: document, added: undefined } : divideDocument(document, base);
  const origin = { file, applied };
  const resolved = await checkDocument(divided.own, origin);
  const added = divided.added && openAdded(divided.added, origin);
  const slow = slowPatterns(document, applied);
  return {
    ...{ document, resolved, slow: slow.patterns, added },
    warnings: [...warnings, ...(added?.warnings ?? []), ...slow.warnings],
  };
};
