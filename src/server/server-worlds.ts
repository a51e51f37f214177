/** The door for those that keep worlds themselves, in a database or in a page, and for commands that read and write what a world holds. */

/** The worlds of one process: the main world, and forks of it. */
export { createWorlds } from './worlds/worlds.ts';
/** Worlds in memory; the main world may be on disk. */
export type { LocalWorlds } from './worlds/worlds.ts';
/** Worlds of a server, wherever they are kept: find, fork, drop, reset, snapshot, compare. */
export type { Worlds } from './worlds/worlds.ts';
/** Makes the world that every server has. */
export type { MainWorld } from './worlds/worlds.ts';
/** What a world is forked from, and how long it stays. */
export type { ForkOptions } from './worlds/worlds.ts';
/** A world in a list. Times are in milliseconds since 1970; `expires` is null where it stays until it is dropped. */
export type { WorldSummary } from './worlds/worlds.ts';
/** The records of a world now, and those that they are compared with. */
export type { ComparedRecords } from './worlds/worlds.ts';
/** Opens the worlds of a server in memory, or over a data directory. Throws `ConfigurationError`, or an error of the store. */
export { openWorlds } from './worlds/open-worlds.ts';
/** Worlds that are open, with their health and their end. */
export type { OpenedWorlds } from './worlds/open-worlds.ts';
/** What worlds are opened with. */
export type { OpenWorldsOptions } from './worlds/open-worlds.ts';
/** Those of these options that worlds take as they are. */
export { pickedSettings } from './worlds/open-worlds.ts';
/** The settings of worlds that come from the site. */
export { siteSettingsOf } from './worlds/open-worlds.ts';
/** One check of readiness for each scheme whose bytes are elsewhere. */
export { bytesReadiness } from './worlds/open-worlds.ts';
/** The addresses of worlds below a base URL: by prefix, host, header or cookie. */
export { createWorldAddresses } from './worlds/world-address.ts';
/** Finds the world that a request is for. */
export type { WorldAddresses } from './worlds/world-address.ts';
/** The name of that world, how the request names it, and the path without the prefix. */
export type { AddressOfRequest } from './worlds/world-address.ts';
/** A world that is served: clock, snapshots, views, faults and records of traffic. */
export { createServingWorld } from './worlds/served/served-world.ts';
/** That world, with what its keeper changes of it. */
export type { ServingWorld } from './worlds/served/served-world.ts';
/** The same for everybody else. */
export type { ServedWorld } from './worlds/served/served-world.ts';
/** A site, and how its icons are read. */
export type { SiteSettings } from './worlds/served/served-world.ts';

/** The data of a world over a saved state, in memory. */
export { createMemoryWorldData } from './worlds/world-data.ts';
/** The data of a world over the records of a journal. */
export { createDiskWorldData } from './worlds/disk-world-data.ts';
/** Replaces everything that is stored by a state: brings its bytes, writes its records at once, sweeps. */
export { replaceDataOnDisk } from './worlds/disk-world-data.ts';
/** What a fork, a snapshot and a reset begin with. Worlds share its records. */
export type { SavedState } from './worlds/saved-state.ts';
/** Where a state came from. `taken` is in milliseconds since 1970, null for a fixture. */
export type { StateSource } from './worlds/saved-state.ts';
/** The state of a fixture. `seed` is for uuids and secrets; `onFree` is called when nobody holds it any more. */
export { stateOfFixture } from './worlds/fixture-state.ts';
/** How many snapshots a world may have. */
export { snapshotLimit } from './worlds/snapshots.ts';
/** Where the making of a world is. */
export type { Stage } from './worlds/registry/stage.ts';

/** Makes another place for traffic and coverage than memory. */
export type { CreateWorldRecords } from './coverage/world-records.ts';
/** That place, for one world. */
export type { WorldRecords } from './coverage/world-records.ts';
/** What it is made with. */
export type { WorldRecordsOptions } from './coverage/world-records.ts';
/** The memory for so many requests of a world, in bytes. */
export { memoryOf } from './coverage/world-records.ts';
/** The requests of a world, newest last, within limits. */
export type { TrafficLog } from './traffic/traffic-log.ts';
/** These limits. */
export type { TrafficLimits } from './traffic/traffic-log.ts';
/** An estimate of the memory that a request takes, in bytes. */
export { sizeOf } from './traffic/traffic-log.ts';
/** Looks at how a store is now. */
export type { ReadHealth } from './worlds/store-health.ts';
/** Why it is not well: a code for programs, a message for people. */
export type { HealthReason } from './worlds/store-health.ts';
/** The reasons of common troubles. */
export { reasons } from './worlds/store-health.ts';
/** One reason for each scheme whose bytes cannot be stored. */
export { unwritableBytes } from './worlds/store-health.ts';

/** The storages of a site's file systems, one for each scheme, on disk or in buckets. */
export { openStorages } from './worlds/bytes/open-storages.ts';
/** The bytes of all worlds of a server in memory, up to one limit. */
export { createMemoryWorldBytes } from './worlds/bytes/memory-world-bytes.ts';
/** Keeps arriving archives among these bytes, so that the world which gets them copies none. */
export { archivesInPool } from './worlds/bytes/memory-world-bytes.ts';
/** Reads the bytes of a data directory: one reader for each scheme of the site. */
export { openBlobReaders } from './worlds/blob-readers.ts';
/** Such a reader. */
export type { BlobReader } from './worlds/blob-readers.ts';
/** Finds the reader of a file by its scheme. */
export { readerOf } from './worlds/blob-readers.ts';
/** All files whose record names bytes. */
export { filesWithBytes } from './worlds/file-blobs.ts';
/** The key of the bytes of a file. */
export { blobKeyOf } from './worlds/file-blobs.ts';
/** Brings the bytes of records that are not there yet, several at a time. */
export { copyBlobs } from './worlds/copy-blobs.ts';
/** Fills a new repository: its bytes first, then its records. */
export { fillNew } from './worlds/copy-blobs.ts';

/** The content of a world as it is now. Its bytes stay until it is released. */
export { holdContent } from './worlds/archive/world-content.ts';
/** What that needs of a world. */
export type { HoldableWorld } from './worlds/archive/world-content.ts';
/** Reads an archive that arrives. `held` keeps its bytes. */
export { receiveArchive } from './worlds/archive/read-archive.ts';
/** An archive that has arrived. */
export type { ReceivedArchive } from './worlds/archive/read-archive.ts';
/** Throws `ConfigurationError` with file and line of the first fault of an archive. */
export { requireArchiveFit } from './worlds/archive/read-archive.ts';
/** Where the bytes of arriving archives wait: a new folder for each import. */
export { openDiskArchiveStorage } from './worlds/archive/disk-archive-storage.ts';
/** The same in the directory for temporary files. */
export { openTemporaryArchiveStorage } from './worlds/archive/disk-archive-storage.ts';
/** The faults of records and of their bytes, which are read. */
export { contentFaults } from './worlds/check-fixture.ts';
/** Why the bytes of a file are not those of its record. Undefined when they are. */
export { bytesFault } from './worlds/check-fixture.ts';
/** A fault with its place, or with type and id where there is none. */
export { placedFault } from './worlds/check-fixture.ts';
