/** The door of the contract: what a document says of requests, replies and records, and requests that meet its statuses. */

/** The served document, the validator made of it, and what an application adds: accounts, known values, documents of one's own. */
export type { ServedContract } from './corrected-body.ts';
/** The title, the version and the size of a document of one's own. */
export type { DocumentSummary } from './corrected-body.ts';
/** The collections of a document of one's own, and its title. */
export type { DocumentCollections } from './corrected-body.ts';
/** Speaks for an operation of a document of one's own: explains, corrects, checks and mocks. */
export type { ContractJudge } from './contract-judge.ts';
/** Makes the judges of the operations of such a document. */
export { documentJudges } from './document-judge.ts';

/** Finds everything that the document says of a recorded exchange: verdict, faults, and the request that should have been sent. */
export { findingsOf } from './findings.ts';
/** What `findingsOf` finds. */
export type { Findings } from './findings.ts';
/** The verdict on a recorded request alone. It is cheap. */
export { requestVerdictOf } from './findings.ts';
/** What a recorded request breaks. Empty when it keeps the document. */
export { explainRequest } from './violations.ts';
/** What a recorded reply breaks. Empty when it keeps the document. */
export { explainReply } from './violations.ts';
/** What explanations are made with: the router of the document, and its lines where they should be named. */
export type { ExplanationContext } from './violations.ts';
/** One broken rule: where, why, what arrived, and the line of the document. */
export type { ExplainedViolation } from './contract-judge.ts';
/** How an uploaded file would have to be named, by a refusal that says which extensions are allowed. */
export { allowedFileName } from './corrected-request.ts';

/** Records an exchange with any server as traffic, console and coverage take it. The caller judges it. */
export { recordedFrom } from './wire-records.ts';
/** The same for an operation of a document of one's own, whose judge says what it breaks. */
export { recordedBy } from './wire-records.ts';
/** What a caller of `recordedFrom` judges: path and query, headers by their names, and bodies that are texts. */
export type { ReadMessages } from './wire-records.ts';
/** The headers of a reply by the names that documents write: `Content-Type`. */
export { replyHeaders } from './wire-records.ts';

/** The collections of a server: those of the documents in their order, then those that only handlers have written to. */
export { allCollections } from './served-collections.ts';
/** What a document does not allow in the value of a record. Empty for a collection that no document has. */
export { recordFaults } from './served-collections.ts';
/** The records of a collection that its document, as it is now, does not allow. */
export { unfitRecords } from './served-collections.ts';
/** All collections with such records, each with a message for the start. */
export { unfitCollections } from './served-collections.ts';

/** Makes what finds, for an operation and a status, requests that surely meet it in a world. It tries them in a copy of the world. */
export { createFindRequest } from './requests/find-requests.ts';
/** The requests that were found as lines of a shell with `curl`. */
export { curlLines } from './requests/curl-lines.ts';
/** What such requests are made of besides the document: accounts, and ids and bodies of what a world holds. */
export type { KnownValues } from './requests/known-values.ts';
/** A copy of a world, and what answers requests there. */
export type { Sandbox } from './requests/request-step.ts';
/** Makes the variables of requests that are sent one after another: what later ones need of earlier answers. */
export { createStepVariables } from './requests/request-step.ts';
