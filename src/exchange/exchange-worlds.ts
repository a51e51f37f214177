/**
 * The public types of the library: a server, its worlds, and what their commands take and answer. The package's entries export all of
 * them.
 */

/** A server: its commands, those of its main world, and `world` to make further ones. */
export type { AtollServer } from './worlds/server-at.ts';
/** A world that was made next to the main one. `drop` ends it. */
export type { AtollWorld } from './worlds/controlled-world.ts';
/** The commands that every world has, and its `fetch`. */
export type { WorldCommands } from './worlds/controlled-world.ts';
/** The commands that only a server has, such as `health` and `worlds`. */
export type { ServerCommands } from './worlds/controlled-world.ts';
/** The type of the standard `fetch`. */
export type { Fetch } from './worlds/controlled-world.ts';
/** How a server is reached: what sends requests, the headers of commands, and the passwords of accounts. */
export type { LibraryConnection } from './worlds/controlled-world.ts';
/** The same for commands only. */
export type { ServerConnection } from './worlds/controlled-world.ts';
/** What a new world is made from: a world, a snapshot or a fixture, and how long it lives, in seconds. */
export type { WorldOptions } from './worlds/controlled-world.ts';
/** A world in the list of worlds. */
export type { WorldSummary } from './worlds/controlled-world.ts';
/** Whether a server answers, how safely it stores, and what is wrong. */
export type { Health } from './worlds/controlled-world.ts';
/** Whether a process may get requests. */
export type { Ready } from './worlds/controlled-world.ts';
/** What came of reading the document, the handlers and the site the last time. */
export type { Reload } from './worlds/controlled-world.ts';
/** The commands of the clock of a world. */
export type { Clock } from './worlds/controlled-world.ts';
/** What the clock of a world shows, and how it goes. */
export type { ClockState } from './worlds/controlled-world.ts';
/** How a clock is set. */
export type { ClockSetting } from './worlds/controlled-world.ts';
/** What a site does by itself after writes. */
export type { Reactions } from './worlds/controlled-world.ts';
/** The commands of the snapshots of a world. */
export type { Snapshots } from './worlds/controlled-world.ts';
/** A kept state of a world. */
export type { Snapshot } from './worlds/controlled-world.ts';
/** The commands of the faults of a world. */
export type { Faults } from './worlds/controlled-world.ts';
/** A fault of a world, with its id. */
export type { Fault } from './worlds/controlled-world.ts';
/** A fault to be added. */
export type { FaultOptions } from './worlds/controlled-world.ts';
/** A kind of fault, and what it takes. */
export type { FaultKind } from './worlds/controlled-world.ts';
/** The last requests of a world with their verdicts. */
export type { TrafficPage } from './worlds/controlled-world.ts';
/** Which of the requests, and how many. */
export type { TrafficQuery } from './worlds/controlled-world.ts';
/** Which of the requests. */
export type { TrafficFilter } from './worlds/controlled-world.ts';
/** How many requests there were. */
export type { TrafficCount } from './worlds/controlled-world.ts';
/** A request and its reply, whole, without secrets. */
export type { TrafficExchange } from './worlds/controlled-world.ts';
/** The requests of a world as an HTTP Archive. */
export type { HttpArchive } from './worlds/controlled-world.ts';
/** The messages that a site has sent. */
export type { EventPage } from './worlds/controlled-world.ts';
/** Which of the messages. */
export type { EventQuery } from './worlds/controlled-world.ts';
/** What clients have covered of the document. */
export type { Coverage } from './worlds/controlled-world.ts';
/** A request that meets an operation and a status of the document. */
export type { CoverageRequest } from './worlds/controlled-world.ts';
/** Which of these requests. */
export type { CoverageRequestQuery } from './worlds/controlled-world.ts';
/** The stored entities of a world, a page of them. */
export type { EntityPage } from './worlds/controlled-world.ts';
/** Which entities, in which order. */
export type { EntityQuery } from './worlds/controlled-world.ts';
/** What differs between a world and what it was made from. */
export type { Differences } from './worlds/controlled-world.ts';
/** With what a world is compared, and which differences are wanted. */
export type { DifferenceQuery } from './worlds/controlled-world.ts';
/** Which record or field is put back. */
export type { PutBack } from './worlds/controlled-world.ts';
/** The collections of a world, and what looks like one and is none. */
export type { CollectionList } from './worlds/controlled-world.ts';
/** The records of one collection: to read, list, put and delete. */
export type { CollectionCommands } from './worlds/controlled-world.ts';
/** A page of such records. */
export type { CollectionPage } from './worlds/controlled-world.ts';
/** What the document does not allow in a record. */
export type { RecordFault } from './worlds/controlled-world.ts';
/** The commands of the control tokens of a server. */
export type { ControlTokens } from './worlds/controlled-world.ts';
/** A control token, without its secret. */
export type { ControlToken } from './worlds/controlled-world.ts';
/** A control token to be made. */
export type { ControlTokenOptions } from './worlds/controlled-world.ts';
/** A control token that was made, with its secret. */
export type { CreatedControlToken } from './worlds/controlled-world.ts';
/** What an import has brought into a world. */
export type { ImportedRepository } from './worlds/controlled-world.ts';
