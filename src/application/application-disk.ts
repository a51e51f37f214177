/** The door of the repository as an application, for hosts that have files: reads sites and their documents, and starts servers. */

/** Starts a server that hosts the repository, or documents alone where the options say so. See `start` of the server. */
export { start } from './start.ts';
/** The repository as a server with files hosts it: as `repositoryApplication`, and with how it loads sites, fixtures and samples. */
export { repositoryOnDisk } from './repository-on-disk.ts';

/**
 * Loads the site that `--site` names: one of the package, the directory of one, or without a name the built-in one. Rejects with
 * `ConfigurationError` that names file, key and remedy.
 */
export { loadNamedSite } from './sources/disk-site.ts';
/** Reads the site at the places that a start is given, and the document that a server of it answers with. */
export { readServedSite } from './sources/served-site.ts';
/** Makes that document of sources that were read, with their overlays, for `repositoryLoader`. */
export { documentOfSite } from './sources/site-document.ts';
/** Makes the same document for a site that was loaded before, such as one that was changed since. */
export { documentForSite } from './sources/served-site.ts';

/** Opens the files of a site, which is named as for `loadNamedSite`, or imported from the configuration that a repository exports. */
export { openSiteFolder } from './sources/served-site.ts';
/** Opens a directory as the folder of a site. Reading a link that leads out of it rejects with `ConfigurationError`. */
export { diskFolder } from './sources/disk-site.ts';
/** The names of the sites of the package; `undefined` stands for the built-in one. */
export { packagedSites } from './sources/packaged-sites.ts';
/** Opens where the messages of a site go: `services`, `none`, or the address of a broker or webhook. Throws `ConfigurationError`. */
export { openEventTarget } from './events/event-target.ts';
