/**
 * The door for hosts and the applications that they host: what both say of requests, worlds and events. Importing it loads no validator.
 */

/** A request as a host gives it to an application. */
export type { PlainRequest } from './host/exchange.ts';
/** Its body. */
export type { RequestBody } from './host/exchange.ts';
/** The body of a request without one. */
export { emptyBody } from './host/exchange.ts';
/** Reads a body to its end. */
export { readToEnd } from './host/exchange.ts';
/** Whether a request announces a body. */
export { hasBody } from './host/exchange.ts';
/** Whether a request only reads. */
export { isRead } from './host/exchange.ts';
/** A reply as an application returns it. */
export type { PlainReply } from './host/exchange.ts';
/** Its headers by name. */
export type { HeaderValues } from './exchange.ts';
/** Bytes that are sent while they are read. */
export type { SentBytes } from './exchange.ts';
/** Whether the body of a reply is such. */
export { isSentBytes } from './host/exchange.ts';
/** A fault while a reply is sent. */
export type { TransmissionFault } from './host/exchange.ts';
/** The reply of a handler with a JSON body. */
export { jsonReply } from './host/exchange.ts';
/** A reply that is a text. */
export type { TextReply } from './host/text-reply.ts';
/** 200 with a text. */
export { textReply } from './host/text-reply.ts';
/** A refusal with one sentence. */
export { messageReply } from './host/text-reply.ts';
/** The reply for any error. */
export { errorReply } from './host/text-reply.ts';

/** An operation of any application's document. */
export type { HostedOperation } from './host/operation.ts';
/** What a host asks of such a document. */
export type { HostedBackend } from './host/backend.ts';
/** A reply whose form is asked about. */
export type { ReplyParts } from './host/backend.ts';
/** The media types of its documented response for a status. */
export { responseTypes } from './host/operation.ts';
/** What an application serves: limits, accounts, and where bytes are. */
export type { HostedSite } from './host/site.ts';
/** How the reads of a world are answered. */
export { cacheModes } from './host/site.ts';
/** One of these. */
export type { CacheMode } from './host/site.ts';
/** What a site is made from, in place of its files. */
export type { ExportedConfiguration } from './host/site-import.ts';
/** The folders and tables that it is read from. */
export type { ImportSource } from './host/site-import.ts';
/** What an import took and did not take. */
export type { ImportReport } from './host/site-import.ts';
/** One cause in it. */
export type { ImportNote } from './host/site-import.ts';
/** A world in which requests are answered. */
export type { HostedWorld } from './host/world.ts';
/** Its state apart from records. */
export type { WorldState } from './host/world-state.ts';
/** Values of one topic in it. */
export type { StateMap } from './host/world-state.ts';
/** Counts of one topic in it. */
export type { StateTally } from './host/world-state.ts';
/** A state in memory. */
export { createMemoryState } from './host/world-state.ts';
/** The topic of the clock's course. */
export { clockTopic } from './host/world-state.ts';
/** The topic of how far it was moved. */
export { clockAdvanceTopic } from './host/world-state.ts';
/** The topics that a reset keeps. */
export { lastingTopics } from './host/world-state.ts';
/** The name of the world that a server always has. */
export { mainName } from './host/world-name.ts';
/** The form of the names of worlds. */
export { worldNamePattern } from './host/world-name.ts';

/** Answers a request in a world. */
export type { AnswerRequest } from './host/interceptor.ts';
/** The operation of a request. */
export type { OperationOf } from './host/interceptor.ts';
/** Answers the requests to a document. */
export type { HostedEngine } from './host/interceptor.ts';
/** Sits before an application: observes, delays or breaks what passes. */
export type { Interceptor } from './host/interceptor.ts';
/** A world as requests of one kind of address see it. */
export type { AddressedWorld } from './host/interceptor.ts';
/** A request and its world. */
export type { LocatedRequest } from './host/interceptor.ts';
/** Finds the world of a request. */
export type { LocateWorld } from './host/interceptor.ts';
/** Makes the interceptors of a world. */
export type { CreateWorldInterceptors } from './host/interceptor.ts';

/** The messages that an application has sent in a world. */
export type { KeptEvents } from './host/kept-events.ts';
/** One of them. */
export type { KeptEvent } from './host/kept-events.ts';
/** What is observed of a request. */
export type { RequestObservations } from './host/observations.ts';
/** That of a request which nobody has looked at. */
export { emptyObservations } from './host/observations.ts';
/** Who has asked. */
export type { HostedIdentity } from './host/observations.ts';
/** A request to the client, and what has become of it. */
export type { ObservedCallback } from './host/observations.ts';
/** Reads that from `traceparent`. */
export { readTraceContext } from './host/trace-context.ts';
/** What of an accepted request was not stored as it was sent. */
export type { Advice } from './host/advice.ts';
/** Collects the advices of a request where somebody listens. */
export { adviceOf } from './host/collected-advice.ts';
/** Tells an advice. */
export type { Advise } from './host/advice.ts';
/** The pointer of an advice to a part of the body. */
export { inBody } from './host/advice.ts';
/** The pointer to a header. */
export { inHeader } from './host/advice.ts';
/** The pointer to a parameter of the path. */
export { inPath } from './host/advice.ts';
/** The pointer to a field that was not sent. */
export { inRecord } from './host/advice.ts';

/** An event of an engine, for logs. */
export type { EngineEvent } from './host/engine-event.ts';
/** Which request an event concerns. */
export type { LogContext } from './host/engine-event.ts';
/** That of the observations of a request. */
export { logContextOf } from './host/engine-event.ts';
/** What becomes of replies that violate the document. */
export type { ReplyChecks } from './host/engine-event.ts';
/** Something that must hold before a process gets requests. */
export type { CheckReadiness } from './host/readiness.ts';
/** What a look at it finds. */
export type { ReadinessCheck } from './host/readiness.ts';

/** The header by which a request asks for faults. */
export { faultHeader } from './host/fault-header-name.ts';
/** The same as a key of the headers of a request. */
export { faultHeaderKey } from './host/fault-header-name.ts';
/** Keeps control tokens. */
export type { ControlTokenStore } from './ports/control-token-store.ts';
/** A control token as it is kept. */
export type { StoredControlToken } from './ports/control-token-store.ts';
/** What a control token allows. */
export type { ControlRight } from './ports/control-token-store.ts';
