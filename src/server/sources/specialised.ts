/** The document of a site with all its paths: those of `openapi.yaml`, its lists, and its own reads. */
import type { DocumentObject } from '../../core/document/document.ts';
import { specialise } from '../../core/document/specialise.ts';
import type { Site } from '../../core/site/site.ts';
import { pathsOfReads } from '../../living/site-reads.ts';

/** `document` is that of the default site. Throws `ConfigurationError`. */
export const specialisedFor = (document: DocumentObject, site: Site, baseUrl: string): DocumentObject =>
  specialise(document, site, baseUrl, pathsOfReads(site, document));
