/** The door of the engine of the repository: documents, requests, handlers, access, caches. For the application and its handlers. */

/** The identity of a request, by the providers that its operation accepts. Without credentials the anonymous visitor. */
export { authenticate } from './access/access.ts';
/** How a login ended. */
export type { LoginOutcome } from './access/access.ts';
/** An open session. `expires` is in milliseconds since 1970. */
export type { Session } from './access/access.ts';
/** The value of the first cookie of a session in a request. */
export { readSessionCookie } from './access/cookie-auth.ts';
/** The names that session cookies of real sites have, as the source of a pattern. */
export { sessionCookieNames } from './access/cookie-auth.ts';
/** Signs in at one address of a world. All addresses share the state. */
export { createAccess } from './access/create-access.ts';
/** What a world keeps of sessions, failed logins and credentials. */
export { createAccessState } from './access/create-access.ts';
/** That state. It stays when the site of the world changes. */
export type { AccessState } from './access/create-access.ts';
/** The token of a request: of `Authorization`, or else of `JWT-Authorization`. */
export { tokenIn } from './access/jwt-auth.ts';
/** Hashes a password for an account in a site's file. `salt` has at least 16 random bytes. */
export { hashPassword } from './access/passwords.ts';
/** The longest password, in UTF-16 units. A longer one is refused before any work. */
export { maxPasswordLength } from './access/passwords.ts';

/** The caches that a site has, for each owner: page cache, dynamic page cache. */
export { createCachesByOwner } from './caches/site-caches.ts';

/** The operations that send the bytes of a site's storages, in their order. */
export { contentOperations } from './document/content-operations.ts';
/** A storage with the ids of its operations. */
export type { ContentOperation } from './document/content-operations.ts';
/** A document with a HEAD after each GET that has none. */
export { withHeadOperations } from './document/head-operations.ts';
/** Loads what gives a document two schemas for each bundle. */
export { loadBundleSchemas } from './document/load-bundle-schemas.ts';
/** The operations of a document without references, with what the repository knows of each. */
export { operationsOf } from './document/operation.ts';
/** One of them. */
export type { Operation } from './document/operation.ts';
/** The methods that an operation can have. */
export { methods } from './document/operation.ts';
/** The document as a site serves it: a copy of that of the default site. */
export { specialise } from './document/specialise.ts';

/** What requests and replies of a document are checked with. Schemas are compiled when they are first needed. */
export { createBackend } from './engine/backend.ts';
/** Reads parameters and bodies, checks, makes mocks. */
export type { Backend } from './engine/backend.ts';
/** Response middleware: the bytes of a file, with ranges and conditions (200, 206, 304, 416), or 404. */
export { withFileContent } from './engine/content-middleware.ts';
/** Response middleware: a `Link` line for each link that the requester may see. */
export { withLinks } from './engine/content-middleware.ts';
/** The key of the record that the path of a request names, with its 404. */
export { entityAt } from './engine/contract-request.ts';
/** The same with schemas that are given. */
export { backendWith } from './engine/document-backend.ts';
/** Makes one. With `slowPatterns` a text is looked at for a bounded time. */
export type { CreateBackend } from './engine/backend.ts';
/** The schemas of the requests of a document: of each body, and of each parameter. */
export { requestSchemas } from './engine/document-backend.ts';
/** What the engine is made with. */
export type { EngineOptions } from './engine/engine-options.ts';
/** The engine of a document and its handlers, in the order of refusals of a real site. */
export { createEngine } from './engine/engine.ts';
/** A request without the language that its path begins with, and the world in it. */
export { addressed } from './engine/follow-address.ts';
/** The operation of the record that an alias stands for, or that the path redirects. */
export { followAddress } from './engine/follow-address.ts';
/** A handler, or `mocked`, for each operation of `openapi.yaml`. */
export type { Handlers } from './engine/handler.ts';
/** A handler of any operation. */
export type { AnyHandler } from './engine/handler.ts';
/** In place of a handler: the document's examples and schemas answer. */
export { mocked } from './engine/handler.ts';
/** The reply of any handler. */
export type { AnyReply } from './engine/handler.ts';
/** The request of any handler. */
export type { AnyRequest } from './engine/handler.ts';
/** Its parameters and body. */
export type { AnyInput } from './engine/handler.ts';
/** A handler of a user for an operation that an overlay adds. */
export type { ProposedHandler } from './engine/handler.ts';
/** The handler of a read: two pure functions, which open a record and answer. */
export type { Reader } from './engine/handler.ts';
/** A request whose operation, client, path and query are known. */
export type { ContractRequest } from './engine/handler.ts';
/** The handler of an operation, with the types of the contract. */
export type { Handler } from './engine/handler.ts';
/** What the head of a request alone says: that a browser asks for a page, or the statuses of a refusal for its media types (415, 406). */
export { judgedHead } from './engine/judged-head.ts';
/** What a `Prefer` header asks of a mock: `code=404, example=nodeMissing, dynamic=true`. Undefined when nothing. */
export { mockPreference } from './engine/prefer.ts';
/** The challenge of HTTP Basic with the name of the site (RFC 7617 §2). */
export { basicChallenge } from './engine/refusal.ts';
/** The cache of replies of each view of a world. `maxBytes` limits that of the main world. */
export { replyCacheByWorld } from './engine/reply-cache.ts';

/** Their handlers. */
export { handlersOfReads } from './living/site-reads.ts';
/** The paths of the reads that a site has by itself, such as IIIF manifests and OAI-PMH. */
export { pathsOfReads } from './living/site-reads.ts';

/** Answers a browser with a page for people. */
export { answerPageLate } from './pages/load-pages.ts';
