/** The door of what works on descriptions of sites: imports them, compares them and their documents, and writes collections of requests. */

/** Reads exported configuration into the files of a site, and reports what it could not take. Rejects with `ConfigurationError`. */
export { importSource } from './drupal/folders/read-folders.ts';
/**
 * Plans such an import into a folder: shows the site as it will be, what an earlier import has left there, and writes the files when it
 * is asked to.
 */
export { planImport } from './drupal/folders/plan-import.ts';

/** Compares two documents or sites by their names: files, addresses, directories, sites of the package. */
export { compareNamed } from './compared/compare.ts';
/** Compares two loaded sites, and the documents that a server of each would serve. */
export { compareSites } from './compared/compare.ts';
/** Compares the site at the places that a start is given with what it would be after a change. */
export { compareChangedSite } from './compared/compare.ts';
/** Whether a name stands for a `url`, a `site` or a `file`. Rejects with `ConfigurationError` for a name of nothing. */
export { sourceKind } from './compared/compared-source.ts';

/** Makes a collection of requests for Postman or Bruno of a document. */
export { collectionOfDocument } from './collection/request-collection.ts';
/** Makes such a collection of the document of a site. */
export { collectionOfSite } from './collection/request-collection.ts';
