/**
 * The parts of the engine for an application that has its own order of work, as the repository has. Importing it loads no compiler of
 * schemas.
 */

/** Answers the requests of one document by schemas that are given: with handlers, else with mocks. It keeps no collections. */
export { createEngineWith } from './engine-with-schemas.ts';
/** What it returns. */
export type { AnsweringEngine } from './engine-with-schemas.ts';
/** The reply to a refusal and to any other error, where an application has one form for all of its operations. */
export type { ReplyToError } from './engine-with-schemas.ts';
/** An empty record of what an engine notices about a request, which it fills in. */
export { newNoticed } from './noticed.ts';
/** That record. */
export type { Noticed } from './noticed.ts';
/** Why a request is refused. */
export { Refusal } from './refusal.ts';
/** A handler in two steps: what it opens before the body is read, and the work. */
export type { OpeningHandler } from './handler.ts';
/** What a handler gets: a checked request with typed values. */
export type { HandlerRequest } from './handler.ts';
/** The body, for its second step. */
export type { HandlerInput } from './handler.ts';
/** What a handler returns. */
export type { HandlerReply } from './handler.ts';

/** The operations of a document. */
export { operationsOf } from './document/operation.ts';
/** What an operation takes and answers. */
export type { Operation } from './document/operation.ts';
/** The documented response for a status. */
export { responseFor } from './document/operation.ts';
/** Finds the operations of a path whose spelling counts, among those that a host serves. */
export { createPathRouter } from './host/exact-paths.ts';
/** What `createPathRouter` returns. */
export type { PathRouter } from './host/exact-paths.ts';
/** What it finds. */
export type { PathMatch } from './host/exact-paths.ts';
/** The operation of a method there, HEAD being GET. */
export { operationFor } from './host/exact-paths.ts';
/** Follows the references of a document. */
export { createReferences } from './schemas/references.ts';

/** Validates a document and resolves its references. */
export { resolveDocument } from './document/resolve-document.ts';
/** Resolves the references of a valid one. */
export { resolveReferences } from './document/resolve-document.ts';
/** Loads the validator of documents. */
export { loadParser } from './document/resolve-document.ts';
/** A document in which each reference is what it names. */
export { dereference } from './document/dereference.ts';
/** Finds the lines of a document's text that have an operation, a parameter or a rule. */
export { readSourceLines } from './document/source-lines.ts';
/** What `readSourceLines` returns. */
export type { SourceLines } from './document/source-lines.ts';
/** A pointer into a document, and its line. */
export type { SourceLocation } from './document/source-lines.ts';
/** A request for each operation of a document, made of its examples. */
export { collectRequests } from './document/collect-requests.ts';
/** One of them. */
export type { CollectedRequest } from './document/collect-requests.ts';
/** All of them, in folders. */
export type { RequestCollection } from './document/collect-requests.ts';
/** A name with the text that is sent for it. */
export type { NamedValue } from './document/collect-requests.ts';
/** What a request keeps of its answer. */
export type { Kept } from './document/collect-requests.ts';
/** The operations of a document that have an id, with their parameters. */
export { locateOperations } from './document/collect-requests.ts';
/** One of them. */
export type { LocatedOperation } from './document/collect-requests.ts';
/** A text of a document without blanks around it. */
export { trimmedText } from './document/collect-requests.ts';

/** Reads the schemas of a document, and checks values with a compiler that is given. */
export { createSchemas } from './schemas/schemas.ts';
/** What `createSchemas` returns. */
export type { Schemas } from './schemas/schemas.ts';
/** The dialect of a document. */
export { dialectOf } from './schemas/dialect.ts';
/** Makes violations of what Ajv reports. */
export { violationsFrom } from './schemas/violations.ts';
/** What of a request or of a reply the document does not allow. */
export type { Violation } from './schemas/violations.ts';
/** The rule that is violated, in Ajv's terms. */
export type { ViolatedRule } from './schemas/violations.ts';

/** Reads the parameters of an operation as typed values. */
export { readerOf } from './request/parameters.ts';
/** What `readerOf` returns. */
export type { ReadParameters } from './request/parameters.ts';
/** The parameters of a request as they were sent. */
export type { RawParameters } from './request/parameter-styles.ts';

/** Reads from the header `Prefer` which answer a client wants. */
export { preferenceIn } from './request/prefer.ts';

/** Makes the values of mocks: from examples, else from schemas. */
export { createAnswers } from './answers/answer.ts';
/** What an operation answers when nothing goes wrong: the lowest success that is documented. */
export { successOf } from './answers/answer.ts';
/** What `createAnswers` returns. */
export type { MakeAnswer } from './answers/answer.ts';
/** Makes values that a schema allows. */
export { createSampler } from './answers/sample.ts';
/** What `createSampler` returns. */
export type { MakeSample } from './answers/sample.ts';
/** Loads what makes a value for a schema whose rules need each other. */
export { loadGenerator } from './answers/any-value.ts';
/** Loads the package that it uses. */
export { loadFaker } from './answers/any-value.ts';
/** Checks replies against the document. */
export { createReplyCheck } from './answers/reply-violations.ts';
