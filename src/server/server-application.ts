/** The door for an application that a server hosts: what it gives, and what the server gives it. */

/** What a server hosts: content, views of worlds, faults, control operations, how it is loaded. Without one it serves documents alone. */
export type { Application } from './application.ts';
/** The same on a host that has files: a reader of sites, fixtures, work of its own. */
export type { ApplicationOnDisk } from './application.ts';
/** Makes the engine of the application for the sources of its contract. */
export type { LoadApplication } from './engines/load-contract.ts';
/** What it gets besides: base URL, faults, checks of replies. */
export type { LoadContractOptions } from './engines/load-contract.ts';
/** What it returns: the engine, and what the documents of its overlays need of it. */
export type { LoadedApplication } from './engines/load-contract.ts';
/** What a request reads and writes: entity store, bytes, state. */
export type { ServedData } from './application.ts';
/** Those settings of a world that a reset keeps. */
export type { WorldSettings } from './application.ts';
/** What a view of a world is made of. */
export type { ViewSources } from './application.ts';
/** The views of the data of a world, one for each address. */
export type { WorldViews } from './application.ts';
/** Follows a path of the site to the record that it stands for. */
export type { FollowAddress } from './application.ts';
/** What an application does by itself, in all worlds. */
export type { OwnWork } from './application.ts';
/** The address that the replies of a world are written for. `cookiePath` is that of its session cookie. */
export type { WorldAddress } from './worlds/world-address.ts';

/** What an application says of records: which there are, which fit its site, how a short fixture becomes records. */
export type { ContentRules } from './worlds/content-rules.ts';
/** How records are put back as they were. */
export type { RestorationRules } from './worlds/content-rules.ts';
/** Judges records that other records must fit. */
export type { FitJudge } from './worlds/content-rules.ts';
/** What it judges them by. */
export type { FitJudgeOptions } from './worlds/content-rules.ts';
/** A record before and after. */
export type { RecordChange } from './worlds/differences/compare-records.ts';
/** The record of a change as it is now, or as it was before it was removed. */
export { recordOf } from './worlds/differences/compare-records.ts';

/** The fixture of the server, and those that worlds can be made from. */
export type { FixturesOf } from './application.ts';
/** Makes content for any site. `notes` name the bundles that can have no record. */
export type { MakeSample } from './worlds/fixtures.ts';
/** Reads a directory with a fixture of the package. */
export type { FixtureReader } from './worlds/fixtures.ts';
/** The states that worlds begin with, each read on first use. */
export type { Fixtures } from './worlds/fixtures.ts';
/** Makes them of an application's fixtures. */
export { createFixtures } from './worlds/fixtures.ts';
/** The records of a fixture, without those that the site itself brings, and their bytes. */
export type { FixtureContent } from './worlds/fixture-content.ts';
/** Where the fixtures of the package are, below its folder. */
export { fixtureFolder } from './worlds/read-fixture.ts';
/** The directory of a fixture of the package, or the name of a sample. Undefined for any other name. */
export { packagedFixture } from './worlds/read-fixture.ts';
/** Reads and checks a fixture that is not of the package. Throws `ConfigurationError` with its first fault. */
export { ownFixture } from './worlds/read-fixture.ts';
/** The file of a short fixture at a place. Undefined where there is none. */
export { shortFixtureAt } from './worlds/read-fixture.ts';
/** Reads and checks a short fixture. Throws `ConfigurationError` with file and line. */
export { readShort } from './worlds/read-fixture.ts';
/** Throws `ConfigurationError` with the first fault of records that are to become a fixture. */
export { refuse } from './worlds/read-fixture.ts';
/** A short fixture as its file has it. */
export type { ShortFixture } from './worlds/short-fixture/read-short-fixture.ts';
/** A record of it. */
export type { ShortObject } from './worlds/short-fixture/read-short-fixture.ts';
/** An item of a field as a POST has it, or a plain value. */
export type { ShortItem } from './worlds/short-fixture/read-short-fixture.ts';
/** A file that it names. */
export type { ShortFile } from './worlds/short-fixture/read-short-fixture.ts';
/** The records of its collections, in the order of the file. */
export { collectionRecordsOf } from './worlds/short-fixture/fixture-collections.ts';
/** What records and counters are known by: all that their faults on one site depend on. */
export { recordsHash } from './worlds/check-fixture.ts';

/** Where the files of a contract are: package, site, overlays, documents, handlers. */
export type { SourceLocations } from './sources/source-files.ts';
/** How an application reads its site. */
export type { SiteReader } from './sources/source-files.ts';
/** What it reads: the site and both documents. */
export type { SiteSources } from './sources/source-files.ts';
/** Reads everything at these places. Throws `ConfigurationError` with file and line. */
export { readSourceFiles } from './sources/source-files.ts';
/** The sources with the document of the control interface. */
export type { SourceFiles } from './sources/source-files.ts';
/** What an application is loaded from. */
export type { ContractSources } from './sources/contract-sources.ts';
/** A document with its overlays applied, and the same with its references resolved. */
export type { SiteDocument } from './sources/contract-sources.ts';
/** Applies overlays to a document, checks the result and divides off the operations that they add. Throws `ConfigurationError`. */
export { overlaidDocument } from './sources/overlaid-document.ts';
/** Reads an overlay (1.0, 1.1). Throws `ConfigurationError`. */
export { readOverlay } from './sources/read-overlay.ts';
/** Reads a document without a look at its content. Throws `ConfigurationError` when it is missing or is not YAML. */
export { readDocument } from './sources/read-document.ts';
/** Reads `FILE`, or `PREFIX=FILE` with a prefix such as `/search`. */
export { namedDocument } from './sources/named-document.ts';
/** A file of a user's document, and the path below which it is served. */
export type { NamedDocument } from './sources/named-document.ts';
/** The contract, below the folder of the package. */
export { documentFile } from './sources/prepared-documents.ts';
/** The document of the control interface, below the folder of the package. */
export { controlFile } from './sources/prepared-documents.ts';
/** The documents that the build prepared. Undefined without that file, or when a document has changed since. */
export { readPrepared } from './sources/prepared-documents.ts';
/** What a prepared file has of them. */
export type { PreparedDocuments } from './sources/prepared-documents.ts';
/** What they are known by. */
export { hashOfDocuments } from './sources/prepared-documents.ts';
/** A hash over the names and contents of files below a folder. */
export { hashOfFiles } from './sources/file-hashes.ts';
/** The texts of a document as it is served: JSON and YAML, 3.1 and 3.0.3. */
export { documentTexts } from './sources/document-texts.ts';

/** Handlers of a user's folder by operation. */
export type { ProposedHandlers } from './own-handlers/proposed-handlers.ts';
/** A handler, and where it is exported. */
export type { LoadedHandler } from './own-handlers/proposed-handlers.ts';
/** That place: `handlers/search.mjs:3`. */
export { placeOfHandler } from './own-handlers/proposed-handlers.ts';
/** A handler for each operation of the control interface. */
export type { ControlHandlers } from './control/control-handlers.ts';
/** The server as the control interface sees it, apart from worlds. */
export type { ControlHost } from './control/host-facts.ts';
/** What it says of that server. */
export { hostFacts } from './control/host-facts.ts';
/** Declares a fault of the catalogue. `make` gets values typed by its parameters. */
export { faultKind } from './faults/fault.ts';
/** A fault that carries the request out and changes it or its answer. `mayStrike` leaves requests out. */
export { answerAltered } from './faults/fault.ts';
/** A fault that answers, and does not carry the request out. */
export { answerInstead } from './faults/fault.ts';
/** A request on its way through a fault. */
export type { FaultContext } from './faults/fault.ts';
/** The reply of a connection that ends without an answer. */
export { resetReply } from './faults/transport-faults.ts';
/** A document in which a 401 may have a challenge, where a server sends none to pages. */
export { withPossibleChallenge } from './http/basic-challenge.ts';
