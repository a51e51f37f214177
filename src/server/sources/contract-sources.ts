/** Defines what the contract of a server is made from. */
import type { OpenedDocument } from '../../openapi/openapi.ts';
import type { OwnDocument } from './own-document.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import type { ProposedHandlers } from '../own-handlers/proposed-handlers.ts';
import type { Overlay } from './overlay.ts';
import type { Flaw } from '../../basics/configuration-error.ts';

/** A user's own overlays over the document, and handlers for the operations that the overlays add. */
type Proposals = { readonly overlays: readonly Overlay[]; readonly handlers: ProposedHandlers };

/** The sources of the contract. They may change while the server runs. */
export type ContractSources = {
  readonly site: HostedSite;
  /** The document of the default site, with unresolved references. */
  readonly document: DocumentObject;
  /** True when the document is known to be valid and specialised for this site, except for its base URL. */
  readonly isChecked?: boolean;
  /** True when the document is known to be valid as it is, before it is specialised. */
  readonly areDocumentsChecked?: boolean;
  /** The file of the document, for error messages. */
  readonly documentFile?: string | undefined;
  readonly proposals?: Proposals | undefined;
  /** Documents of one's own, next to the repository or alone. */
  readonly ownDocuments?: readonly OwnDocument[] | undefined;
};

/** The site's document with the overlays applied, and the same document with its references resolved. */
export type SiteDocument = {
  readonly document: DocumentObject;
  readonly resolved: DocumentObject;
  /** Patterns that may look at a text for a bounded time only. Undefined without overlays: then no check needs a bound. */
  readonly slow: ReadonlySet<string> | undefined;
  /** The operations that overlays add. Undefined without any. */
  readonly added?: OpenedDocument | undefined;
  /** Allowed, but probably a mistake. */
  readonly warnings: readonly Flaw[];
};
