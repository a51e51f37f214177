/** The door of what prepares a site for pages. It is for Node; pages have the entries of the package. */

/**
 * Reads a site, its document and its fixtures, and compiles what checks requests. Rejects with `ConfigurationError` for what cannot be
 * read, is invalid, or has a pattern that could take too long.
 */
export { prepareSite } from './prepared-site/prepare-site.ts';
/** A prepared site before it is written. */
export type { SiteParts } from './prepared-site/prepare-site.ts';
/** How many bytes the files of its fixtures have. */
export { heldBytesOf } from './prepared-site/fixture-files.ts';

/** Writes it as a module for `createAtoll`, with types; the bytes of files are inside, or below an address. */
export { preparedModule } from './prepared-site/written-site.ts';
/** Writes it as a service worker, which has the engine and the site inside. */
export { preparedWorker } from './prepared-site/written-site.ts';
/** Writes it as the two scripts of a demo: the site, and a service worker that loads it. */
export { demoScripts } from './prepared-site/written-site.ts';
/** Whether a text is such a module or worker, or the types of a module: then another one may take its place. */
export { isPreparedText } from './prepared-site/written-site.ts';
