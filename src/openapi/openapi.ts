/**
 * The door of the engine: what other parts may use. Importing it loads no file of the repository. In short:
 *
 *     const { document } = openTree(written, { placeOf: () => ({ file: 'books', line: undefined }), mayWarn: () => true });
 *     const makeAny = await loadBoundedGenerator();
 *     const addBook: Handler<undefined> = ({ path, body }) => ({ status: 201, body: { ...path, body } });
 *     const handlers = new Map([['addBook', addBook]]);
 *     const engine = createEngine<undefined>({ document, basePaths: [''], handlers, checkReplies: 'fail', makeAny });
 *     const request = { method: 'GET', path: '/books', query: '', headers: {}, body: emptyBody };
 *     const { status, body } = await engine.handle(request, undefined);
 *
 * The last argument is the world: anything that handlers get. `handle` never rejects. A request with a body has `content-length` in its headers.
 * `emptyBody` and what else requests and replies are made of is in `openapi-host.ts`.
 */

/** Answers the requests of one document: with handlers, else with mocks. It is given plain requests and returns plain replies. */
export { createEngine } from './engine.ts';
/** What `createEngine` returns: the operations of a document, the one that a request means, and its answer. */
export type { Engine } from './engine.ts';
/** What `createEngine` takes: a document, where it is served, its handlers, who keeps files. */
export type { EngineOptions } from './engine.ts';
/** A plain request. A body counts only with `content-length` or `transfer-encoding` in the headers, and is read at most once. */
export type { EngineRequest } from './exchange.ts';
/** A plain reply. */
export type { EngineReply } from './exchange.ts';
/** What an engine notices about a request: its operation, what the document does not allow in it, why it was refused. */
export type { Noticed } from './noticed.ts';
/** An empty one, which an engine fills in. */
export { newNoticed } from './noticed.ts';

/** Reads a document from one file or many, and refuses one that cannot be served with every reason at once. */
export { readDocument } from './document/read-document.ts';
/** Opens a document that is one tree already, with the same refusals: a `ConfigurationError`. It is not a validator of OpenAPI. */
export { openTree } from './document/read-document.ts';
/** What overlays make of a document. */
export type { Overlaid } from './document/read-document.ts';
/** A document that was read: one tree, its warnings, its files, and the line of each value. */
export type { OpenedDocument } from './document/read-document.ts';
/** Where the files of a document are. The host has the disk, and the engine has none. */
export type { DocumentSource } from './document/load-files.ts';
/** The largest document that is read, with all of its files. */
export { documentBounds } from './document/load-files.ts';
/** The first of many warnings, and how many there are. */
export { shortened } from './document/read-document.ts';

/** An Ajv as the compilers have it, for validators that are compiled ahead of time. */
export { newAjv } from './schemas/compiler.ts';
/** The schemas of a document, each compiled when it is first needed. */
export { onDemandSchemas } from './on-demand-schemas.ts';
/** Loads the `makeAny` of an engine: what makes a value for a schema whose rules need each other, in a bounded time. */
export { loadBoundedGenerator } from './answers/bounded-generator.ts';

/** An operation of a document: its method, path, parameters, bodies, responses and security. */
export type { Operation } from './document/operation.ts';
/** The paths of the servers of a document: the `basePaths` of an engine. */
export { serverPaths } from './document/servers.ts';
/** The addresses of operations at which other operations answer. */
export { sharedAddresses } from './locator.ts';
/** Two templates with the same shape match the same paths. */
export { shapeOf } from './router.ts';

/** The collections of a document, whose records are remembered, and what is none. */
export type { CollectionsOfDocument } from './collections/summary.ts';
/** One of them. */
export type { CollectionSummary } from './collections/summary.ts';
/** What collections need of a world: where records are, the time, ids, and who asks for records that the document does not have. */
export type { CollectionHost } from './collections/collection-request.ts';
/** Where the records of collections are kept. Each world has one. */
export type { CollectionStore } from './collections/collection-store.ts';
/** One collection, as a handler has it. */
export type { Collection } from './collections/collection-store.ts';
/** One collection in a transaction. */
export type { CollectionWriter } from './collections/collection-store.ts';
/** Names a collection of a world. */
export type { CollectionNamed } from './collections/collection-store.ts';

/** A function that answers an operation, called with what the document allows. Where it returns undefined, collection or mock answer. */
export type { Handler } from './handler.ts';
/** A handler in two steps: what it opens before the body is read, and the work. */
export type { OpeningHandler } from './handler.ts';
/** What a handler gets: a checked request with typed values. */
export type { HandlerRequest } from './handler.ts';
/** What a handler returns. */
export type { HandlerReply } from './handler.ts';
/** The value of a header that it returns. */
export type { HandlerHeader } from './handler.ts';
/** What a handler did wrong: the end of a sentence about it. */
export { HandlerMistake } from './answers/reply-body.ts';
/** A file of a form, as a handler gets it. */
export type { SentFile } from './request/form-file.ts';
/** Tells the engine who asks, where an application knows the security schemes itself. */
export type { Callers } from './callers.ts';
/** Keeps the bytes of a file of a form until the request is answered. */
export type { KeepFile } from './request/form-file.ts';
/** Keeps none, and counts them. */
export { countFile } from './request/form-file.ts';

/** Why a request is refused. */
export { Refusal } from './refusal.ts';
/**
 * The reply for a refusal: in the form that the operation documents, else problem details (RFC 9457), with the first status of its kind
 * that the operation has.
 */
export { refusalReply } from './answers/refusal-reply.ts';
/** What of a request or of a reply the document does not allow. */
export type { Violation } from './schemas/violations.ts';
/** A member of a body that was taken although clients only read it. */
export type { ReadOnlyMember } from './request/read-only.ts';
/** A request that was answered before, to be looked at again. */
export type { PastRequest } from './corrections/request-faults.ts';
/** The parts of a request that the document allows, made of one that it does not. */
export type { CorrectedParts } from './corrections/corrected-request.ts';
/** A reply that another server has sent, to be checked. */
export type { SentReply } from './answers/sent-reply.ts';
/** A request with its bytes, to be checked. */
export type { SentRequest } from './corrections/request-faults.ts';
