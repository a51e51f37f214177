/** The light door of the engine: terms and small tools for those who do not need it whole. Importing it loads no validator. */

/** How much collections hold at most. */
export { collectionBounds } from './collections/collection-store.ts';
/** The name by which the records of a collection below one parent have begun. */
export { begunBelow } from './collections/collection-store.ts';
/** One collection of a store, by its name. */
export { collectionOf } from './collections/collection-store.ts';
/** Where the records of collections are kept. */
export type { CollectionStore } from './collections/collection-store.ts';
/** What a transaction of such a store sees. */
export type { CollectionsView } from './collections/collection-store.ts';
/** A JSON value with its id. */
export type { CollectionRecord } from './collections/collection-store.ts';
/** One collection, as a handler has it. */
export type { Collection } from './collections/collection-store.ts';
/** Names a collection of a world. */
export type { CollectionNamed } from './collections/collection-store.ts';
/** One collection in a transaction. */
export { writerIn } from './collections/collection-store.ts';
/** What `writerIn` returns. */
export type { CollectionWriter } from './collections/collection-store.ts';
/** Reads a media type as RFC 9110 §8.3.1 has it. */
export { readMediaType } from './media-type.ts';
/** A media type in lower case, without its parameters. */
export { bareMediaType } from './media-type.ts';
/** The documented media type that one of a message is. */
export { documentedType } from './media-type.ts';
/** Whether a media type is JSON: `application/json`, or one that ends with `+json`. */
export { isJsonType } from './media-type.ts';
/** An OpenAPI document. */
export type { DocumentObject } from './document/nodes.ts';
/** An object of a document. */
export type { Part } from './document/nodes.ts';
/** The object, or an empty one in place of anything else. */
export { partOf } from './document/nodes.ts';
/** What a `$ref` leads to, or the value itself. */
export { referredPart } from './document/nodes.ts';
/** A copy of a part with each member changed. */
export { mapMembers } from './document/nodes.ts';
/** A part without one of its members. */
export { without } from './document/nodes.ts';
/** An operation as a document writes it. */
export type { RawOperation } from './document/written-operations.ts';
/** That of a path and a method. */
export { rawOperation } from './document/written-operations.ts';
/** Those of a document. */
export { writtenOperations } from './document/written-operations.ts';
/** The parameters of an operation and of its path. */
export { writtenParameters } from './document/written-operations.ts';
/** The id of the HEAD of a GET. */
export { headIdOf } from './document/written-operations.ts';
/** The methods that an operation may have. */
export { methods } from './document/operation.ts';
/** The key of the response that a document has for a status. */
export { responseKey } from './document/operation.ts';
/** The name of the header that says why a request was refused. */
export { reasonHeader } from './refusal.ts';
/** The name of the header that says that the document has no such status. */
export { refusalHeader } from './refusal.ts';
/** The value nearest to another one that a schema allows. */
export { correctedValue } from './corrections/corrected-value.ts';
/** Finds the operations of a path by their methods. */
export { createOperationRouter } from './operation-router.ts';
/** The methods of a path in alphabetical order, HEAD wherever there is GET. */
export { allowedMethods } from './operation-router.ts';
/** What finds the value of a path, and the pieces of its parameters. */
export type { Router } from './router.ts';
/** What a path stands for. */
export type { Match } from './router.ts';
/** The message of a violation, with the values that an `enum` allows. */
export { fullMessage } from './schemas/violations.ts';
/** The headers of a refusal. */
export type { ProblemHeaders } from './problem.ts';
/** A refusal: a status, headers and a message. */
export { Problem } from './problem.ts';
/** 400: the request cannot be read. */
export { malformed } from './problem.ts';
/** 403, or 401 where credentials would help. */
export { denied } from './problem.ts';
/** The same, with the permissions one of which would do. */
export { deniedWithout } from './problem.ts';
/** 403 that never becomes a 401. */
export { forbidden } from './problem.ts';
/** 404. */
export { notFound } from './problem.ts';
/** A refusal as `{"error": …}`. */
export { moduleRefusal } from './problem.ts';
/** 404: a parameter of the path names nothing. */
export { notConverted } from './problem.ts';
/** 405 with the methods that are allowed. */
export { methodNotAllowed } from './problem.ts';
/** 409. */
export { conflict } from './problem.ts';
/** 413. */
export { tooLarge } from './problem.ts';
/** 422 with one sentence. */
export { unprocessable } from './problem.ts';
/** A rule that a value breaks. */
export type { Violation } from './problem.ts';
/** 422 with a line for each violation. */
export { validationFailed } from './problem.ts';
/** Refuses what of JSON some store cannot hold. */
export { refuseUnstorable } from './request/storable.ts';
/** Refuses numbers without an end alone. */
export { refuseInfinite } from './request/storable.ts';
/** 507. */
export { outOfSpace } from './problem.ts';
/** 503: another attempt may succeed. */
export { retryLater } from './problem.ts';
/** 503: nothing says that waiting helps. */
export { unavailable } from './problem.ts';
/** The message of every 500. */
export { unexpectedErrorMessage } from './problem.ts';
