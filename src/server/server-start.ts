/**
 * The door of servers that run: the start, requests in this process, and listening for those that are not an application. The smallest server of
 * documents alone, in memory, whose `fetch` needs no socket (`systemClock` and `systemIds` are of `server.ts`):
 *
 *     const served = { root, site: undefined, documents: [{ file, prefix: undefined }], areDocumentsAlone: true, fixture: 'empty' };
 *     const kept = { data: undefined, durability: 'os', clock: systemClock, ids: systemIds, signingKey: undefined } as const;
 *     const reach = { host: 'localhost', port: 0, baseUrl: undefined, cors: 'off', demoAccounts: false } as const;
 *     const notes = { checkReplies: 'fail', warn: console.warn, onEvent: () => undefined, onError: console.error } as const;
 *     const server = await start({ ...served, ...kept, ...reach, ...notes });
 *     const fetch = createFetch({ answer: server.answer, baseUrl: server.url, cors: 'off', onError: console.error });
 */

/**
 * Starts a server of an application, or of documents alone, and resolves when it answers. Rejects with `ConfigurationError` or the error
 * of a store or port; what was opened is closed then.
 */
export { start } from './start/start.ts';
/** The settings, and what the host gives: an application, a database, where the package is. */
export type { StartOptions } from './start/start.ts';
/** The server that runs: its address, its worlds, answers without a socket, and its end. */
export type { Started } from './start/start.ts';
/** What the control interface shows and changes, and what requests are checked against. */
export type { Inside } from './start/start.ts';
/** Each request and reply of all worlds that broke the contract. */
export { brokenEntries } from './control/traffic-handlers.ts';
/** Calls with each request of every world from now on, in order, as traffic shows it. */
export { watchEntries } from './control/traffic-handlers.ts';
/** A `fetch` over the `answer` of a server, without a socket. */
export { createFetch } from './in-process/fetch.ts';
/** Keeps the cookies of a page for it. */
export type { Cookies } from './in-process/fetch.ts';

/**
 * Listens on a host and port for clients that something else than an application answers, and refuses those that ask for a foreign host
 * name (421). Rejects with `ConfigurationError`, or with `cannotListenCode`.
 */
export { openGuardedListener } from './start/guarded-listener.ts';
/** Writes a plain reply to such a client. */
export { writeOwnReply } from './start/guarded-listener.ts';
/** The largest head of a request or reply that passes there, in bytes. */
export { passedHeadBytes } from './start/guarded-listener.ts';
/** Writes the head of an answer. `head` has names and values in turn, repeated names too. */
export { startWriting } from './http/node-exchange.ts';
/** Writes an answer with a fault of transmission: slow, cut, reset. Resolves when the connection has ended or the last byte is sent. */
export { writeFaultyReply } from './http/faulty-reply.ts';
/** Ends the connection of a client that takes no byte for a minute. Call it when an answer begins. */
export { endWhenUnread } from './http/unread-answer.ts';
/** Call it before an answer to a request whose body is not read; otherwise the reset of the connection may destroy the answer. */
export { keepSocketForReply } from './http/arriving-body.ts';
/** Call it after that answer: reads a little more of the body, and ends the connection (RFC 9112 §9.6). */
export { discardRest } from './http/arriving-body.ts';

/** Answers plain requests for all worlds: control interface, own addresses, application. It has no sockets, so a page has one too. */
export { createDispatch } from './start/dispatch.ts';
/** A request in, a reply out. */
export type { Answer } from './start/dispatch.ts';
/** Makes an Express application of it, which listens on no port. */
export { mountAnswer } from './start/express-app.ts';
/** Listens for an application, within Node's limits, on both loopback families for `localhost`. Rejects with `cannotListenCode`. */
export { listen } from './http/listener.ts';
/** Reads the sources again on demand, and remembers how that ended. */
export { createReloads } from './start/reloads.ts';
/** Observes each request of a world for traffic and coverage. */
export { createWorldObserver } from './coverage/world-observer.ts';
/** The longest text that traffic keeps, in bytes. */
export { keptTextBytes } from './coverage/world-observer.ts';
/** The interceptor that faults of a world act in. Without faults it is passed by. */
export { createFaultsByWorld } from './faults/faults-by-world.ts';
/** The faults that are switched on in a world, and the interceptor. */
export type { Faults } from './faults/faults.ts';
/** Reads a file of Swagger UI by its name. */
export type { ReadSwaggerFile } from './control/api-page.ts';
/** Reads a file of the console by its name, such as `assets/index-1a2b.js`. */
export type { ReadConsoleFile } from './control/console-page.ts';
