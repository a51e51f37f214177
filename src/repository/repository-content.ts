/**
 * The door of the content of the repository: finding, viewing, changing and uploading records, their links and representations, and what
 * a site does by itself.
 */

/** The faults of records against a site, the counters and each other, in their order. With `judgesState` they must fit as a whole. */
export { checkRecords } from './content/check-records.ts';
/** The faults of one stored record. */
export { recordFaults } from './content/check-records.ts';
/** Whether a principal may do something with a record in a state. Workflows are left out. */
export { mayDo } from './content/expected-rights.ts';
/** `view`, `create`, `edit`, `delete`, or `upload`: give a node a media. */
export type { RecordAction } from './content/expected-rights.ts';
/** Whether a record shows the field and keeps no values that are sent for it. */
export { isComputed } from './content/fields/denormalise.ts';
/** Reads the received fields of a record by their definitions. Throws 422 as the real site. */
export { readFields } from './content/fields/denormalise.ts';
/** The 403 for setting a field of a new record. Undefined when it may be set. */
export { creatingRefusal } from './content/fields/field-access.ts';
/** The 403 for changing a field. Undefined when it may be changed. */
export { updatingRefusal } from './content/fields/field-access.ts';
/** The broken rules of fields, in the order of the real site; at most 50. */
export { violationsOf } from './content/fields/field-violations.ts';
/** Those of these media that refer to a file. A thumbnail is not a use. */
export { mediaUsing } from './content/file-uses.ts';
/** The same among these records. */
export { findAmong } from './content/lists/find-records.ts';
/** A part of a list of stored records, in the order that was asked for. */
export { findRecords } from './content/lists/find-records.ts';
/** One page of a list. A page behind the last one is empty. */
export { pageOf } from './content/lists/list-page.ts';
/** The page that the parameters of a request name. */
export { readPage } from './content/lists/list-page.ts';
/** The records of a site's list that the viewer may view, in its order. */
export { recordsOf } from './content/lists/list-records.ts';
/** The texts of a request for it. */
export type { ListRequest } from './content/lists/list-records.ts';
/** A text without the case and the accents of its letters. */
export { folded } from './content/lists/record-filter.ts';
/** Which records a list shows. A member that is left out asks for nothing. */
export type { ContentFilter } from './content/lists/record-filter.ts';
/** A part of such a list: filter, order, and an offset or a place. */
export type { ContentQuery } from './content/lists/record-filter.ts';
/** A record as lists compare it. */
export { listed } from './content/lists/record-filter.ts';
/** The place of such a record in an order. */
export { placeOf } from './content/lists/record-filter.ts';
/** The time of the last change of a record, in seconds since 1970. */
export { changedOf } from './content/lists/record-filter.ts';
/** The field of the term that says what a record is: the model of a node, the use of a media. */
export { modelField } from './content/lists/record-filter.ts';
/** The `RecordModel` for a store with indexes of lists. */
export { listedRecordModel } from './content/lists/record-lists.ts';
/**
 * The way to the records: view, edit, remove, create, upload. Each finds (404), checks (401, 403) and returns a handle, whose commit
 * checks again.
 */
export { Repository } from './content/repository.ts';
/** The revision that a change makes, with its time. Empty for bundles that keep one. */
export { nextRevision } from './content/revisions.ts';
/** The fields of a media type that a save fills from its file. */
export { filledFields } from './content/uploads/computed-media.ts';
/** The id of the file of a source's icon, which is made when it is missing. Undefined for images. */
export { iconFileFor } from './content/uploads/media-icons.ts';
/** The record of a file at an address, or at the next free one. */
export { newFile } from './content/uploads/media-source.ts';
/** The most bytes that a media type takes on this site. */
export { maxBytesOf } from './content/uploads/media-upload.ts';
/** Opens `PUT /node/{node}/media/{type}/{term}`. Throws 404, 403. */
export { openUpload } from './content/uploads/media-upload.ts';
/** Opens `PUT /media/{media}/source`. Throws 404, 403. */
export { openSource } from './content/uploads/media-upload.ts';
/** Opens the upload of a file for a field. Throws 404, 403. */
export { openFileUpload } from './content/uploads/standard-upload.ts';
/** Receives the bytes of an upload, then commits its records. A failure leaves the old content. */
export { storeUpload } from './content/uploads/store-upload.ts';
/** Why a principal may not see a record: a reason, which may be empty. Undefined when it may. */
export { viewVerdict } from './content/verdicts.ts';
/** Throws the 403 of such a reason. */
export { throwIfDenied } from './content/verdicts.ts';
/** The same of a list. */
export { listVerdict } from './content/verdicts.ts';
/** The file of an address of content, whose bytes are to be sent. Throws 404, 403. */
export { fileToSend } from './content/views.ts';
/** The record at an address, for a viewer. Throws 404, 403. */
export { viewed } from './content/views.ts';
/** Whether a viewer may see a record. */
export { mayView } from './content/views.ts';
/** Who reads. */
export type { Viewer } from './content/views.ts';

/** The type of the record that an argument of a list names and that must be there. */
export { checkedType } from './document/lists/list-operations.ts';
/** The lists of a site with their operations in a document. */
export { operationsOfLists } from './document/lists/list-operations.ts';

/** The links that each answer of a real site has. */
export { platformLinks } from './links/entity-links.ts';
/** The links of a record as data, in the order of the real site. */
export { linksOf } from './links/entity-links.ts';
/** Whether nodes link their media of a use, by the first address of its term, on a site that does not link media of every use. */
export { isLinkedUseUri } from './links/entity-links.ts';
/** The media type of a link set. */
export { linksetMediaType } from './links/link-context.ts';
/** What links of a record are made with. `format` is that of the answer. */
export { linkContextOf } from './links/link-context.ts';
/** All links of a record that the requester may see, as a link set (RFC 9264 §4.2). */
export { linksetOf } from './links/linkset.ts';
/** The `Link` lines of a page: `first`, `prev`, `next`, `last`. */
export { pageLinkHeaders } from './links/page-links.ts';
/** The parameters of a request for a page. */
export type { PageQuery } from './links/page-links.ts';
/** One `Link` line of a link. It is safe for any input. */
export { linkHeader } from './links/typed-link.ts';
/** Which links a header gives up first when there are too many. */
export type { LinkKind } from './links/typed-link.ts';

/** Loads what a site needs for what it does by itself. Throws `ConfigurationError`. */
export { loadLiving } from './living/create-reactions.ts';
/** What it does in the transaction of a change. */
export { transactionReactions } from './living/create-reactions.ts';
/** What a site does by itself after a change. Undefined where it does nothing. */
export { createReactions } from './living/create-reactions.ts';
/** These reactions, in one world. */
export type { WorldReactions } from './living/create-reactions.ts';
/** Where events go, as the site says. */
export type { EventSettings } from './living/events/event-settings.ts';
/** An event as a broker gets it. */
export type { OutgoingMessage } from './living/events/event-settings.ts';
/** The storages of a site, which hash what they receive where the site wants it. */
export { hashingBlobs } from './living/hashes/file-hashes.ts';
/** A request that the site makes to itself after a change. */
export type { SiteRequest } from './living/reaction.ts';
/** What such work may use: requests, services, time. */
export type { SiteTools } from './living/reaction.ts';
/** The size that the arguments of a derivative ask for. */
export { askedSize } from './living/services/asked-size.ts';
/** Reads files and makes derivatives of them, where no request waits. The host gives it. */
export type { DerivativeService } from './living/services/derivative-service.ts';
/** The largest file that is read, in bytes. */
export { mostSourceBytes } from './living/services/derivative-service.ts';
/** Whether a derivative is made of the content of its source. */
export { needsSource } from './living/services/derivative-service.ts';
/** The sentence for a larger one. */
export { tooLargeSource } from './living/services/derivative-service.ts';
/** The bytes of a derivative. `placeholder` says why they only stand for the file. */
export type { Derivative } from './living/services/derivative-service.ts';
/** What is to be made of which file. */
export type { DerivativeOrder } from './living/services/derivative-service.ts';
/** The first bytes of a file, which say what it is. */
export { headBytes } from './living/services/derivative-service.ts';
/** The readers of pictures and texts that a host has. */
export type { FileReaders } from './living/services/make-derivative.ts';
/** Makes it. Rejects with `UnreadSource`. */
export { makeDerivative } from './living/services/make-derivative.ts';
/** Makes what stands for it: a grey picture, a sentence, the name of the file. */
export { makePlaceholder } from './living/services/make-derivative.ts';
/** The longest text that is read, in characters. */
export { mostCharacters } from './living/services/texts.ts';
/** The error of a longer one. */
export { tooLong } from './living/services/texts.ts';
/** The error of a file that cannot be read. Its message is for those who see the placeholder. */
export { UnreadSource } from './living/services/unread-source.ts';

/** Items of a field in the shapes of the contract. */
export { jsonItems } from './representations/json-items.ts';
/** A record as JSON. */
export { renderJson } from './representations/json.ts';
/** A record as JSON-LD: a graph of it and of what it refers to. */
export { renderJsonLd } from './representations/jsonld.ts';
/** The columns of records in a list, as the site's list says. */
export { listRows } from './representations/list-rows.ts';
/** The media type of each format. */
export { mediaTypes } from './representations/represent.ts';
/** A record in the format of a request. */
export { represent } from './representations/represent.ts';
/** Records in it. */
export { representList } from './representations/represent.ts';
/** The JSON of one record or of a list, before it is a text. */
export { JsonBody } from './representations/represent.ts';
/** Advice on what a real site changes of a write without saying so. */
export { silentChanges } from './representations/silent-changes.ts';
/** The fields of a bundle that refer to records. */
export { referencesOf } from './representations/targets.ts';
