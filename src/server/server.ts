/** The light door of the server: its options, its names of places, and what it shows in other forms. Importing it starts nothing. */

/**
 * The options of a start: name, type, default, sentence, where each holds. The command line, the library, the variables and the pages are
 * made of this table.
 */
export { startOptions } from './options/start-options.ts';
/** Those of an import from a Drupal configuration. */
export { importOptions } from './options/import-options.ts';
/** Those of where the records and bytes are. */
export { storeOptions } from './options/store-options.ts';
/** The kind of option that is a port: 0 for any free one. */
export { port } from './options/address-kinds.ts';
/** The sites of the package that are chosen by name. */
export { packagedSiteNames } from './options/packaged-site-names.ts';
/** Whether a text is such a name, not a directory. */
export { isPackagedSite } from './options/packaged-site-names.ts';
/** Some settings of `start` for values of these options, where they have other names or forms there. */
export { startSettings } from './start/start-settings.ts';
/** The version of the package in a folder. */
export { readVersion } from './start/package-version.ts';

/**
 * What a driver of databases gives the server: worlds in a database, and whether there is a repository. Rejects with
 * `ConfigurationError`, or with `storeUnreachableCode`.
 */
export type { Databases } from './start/databases.ts';
/** Where a database is, and how it is used. */
export type { DatabasePlace } from './start/databases.ts';
/** Whether a text names a database, not a directory. */
export { isDatabaseUrl } from './start/databases.ts';
/** The address of a database without its password, for logs and messages. */
export { shownDatabase } from './start/databases.ts';
/** The code of the error of a database that does not answer in time. */
export { storeUnreachableCode } from './start/databases.ts';
/** The code of the error of a server that cannot listen. */
export { cannotListenCode } from './http/listener.ts';

/** A coverage record in one of the formats: `text`, `json`, `junit`, `html`, `markdown`. */
export { coverageReport } from './coverage/coverage-report.ts';
/** The names of the formats. */
export { coverageFormats } from './coverage/coverage-report.ts';
/** One of them. */
export type { CoverageFormat } from './coverage/coverage-report.ts';
/** The figures of coverage, a line each. */
export { figuresText } from './coverage/coverage-report.ts';
/** Each missed goal with the cells that are not covered. */
export { missedGoalsText } from './coverage/coverage-report.ts';
/** A request or reply that the document does not allow, as a report has it. */
export type { ReportedViolation } from './coverage/judged-coverage.ts';
/** How an attempt to reload ended. `at` is in milliseconds since 1970. */
export type { Reload } from './control/reload-handlers.ts';

/** Every fault that can be switched on: those that are given first, then those of any server. */
export { faultCatalogue } from './faults/catalogue.ts';
/** A fault of the catalogue, with its parameters. */
export type { FaultKind } from './faults/fault.ts';
/** The time of the system. */
export { systemClock } from './worlds/world-clock.ts';
/** Random uuids and secrets. */
export { systemIds } from './worlds/world-clock.ts';
/** The clock of a world: shows the time of `real` until it is set or moved. */
export { createWorldClock } from './worlds/world-clock.ts';

/** A handler of yours for an operation of your document. */
export type { DocumentHandler } from './documents/served-document.ts';
/** What it may ask of the world that the request is for: collections, clock, ids. */
export type { HandlerWorld } from './documents/served-document.ts';
/** The collections of documents, to check records with. Throws `ConfigurationError`. */
export { documentCollections } from './documents/load-collections.ts';
/** The guides of the package, its pages of `docs/use` as Markdown. */
export { createGuides } from './guides/guides.ts';
