/** The entry of `atoll-server/client`, and the door of the client: everything that programs get. Each part can be used alone. */

/** Creates a client for one server and one account. It sends nothing before the first call. */
export { createClient } from './create-client.ts';
/** What `createClient` makes: a method for each method of HTTP, and links that can be followed. */
export type { AtollClient } from './create-client.ts';
/** The address of the server, how requests are authenticated, and what sends them. */
export type { ClientOptions } from './create-client.ts';
/** A method of a client. Its arguments and its reply have the types of the document. */
export type { ClientMethod } from './create-client.ts';
/** The name of such a method in a document: `get`, `post`. */
export type { Method } from './create-client.ts';
/** The reply to a request: status, headers, links and data. */
export type { Reply } from './reply.ts';
/** How a body is read, where not by its media type. */
export type { ParseAs } from './reply.ts';
/** The paths of the document, with the types of their operations. */
export type { paths } from './generated/contract.ts';
/** The schemas of the document. */
export type { components } from './generated/contract.ts';
/** What is thrown when the server refuses a request: its status and its message. */
export { AtollError } from './refusal.ts';
/** Whether an error is such a refusal, and has this status where one is given. */
export { isAtollError } from './refusal.ts';

/** A way to authenticate requests. */
export type { Authentication } from './authentication.ts';
/** Sends no credentials. */
export { anonymous } from './authentication.ts';
/** Sends name and password with every request (RFC 7617). */
export { basic } from './authentication.ts';
/** Gets a JSON Web Token by other credentials, sends it, and renews it before it expires. */
export { bearer } from './bearer.ts';
/** Sends a token that the caller has. */
export { bearerToken } from './bearer.ts';
/** Logs in, sends the cookie and the CSRF token, and logs in again after the session has ended. */
export { session } from './session.ts';
/** An authentication that can log out. */
export type { Session } from './session.ts';
/** Headers with credentials, by names in lower case. */
export type { Credentials } from './authentication.ts';
/** A server, and how it is sent a request without credentials. */
export type { Exchange } from './authentication.ts';
/** Everything that sends the requests of a client, for `upload` and `uploadFile`. */
export type { Connection } from './authentication.ts';

/** A link: its relation, target, title and media type. */
export type { Link } from './link.ts';
/** The title or the media type of the links that are wanted. */
export type { LinkFilter } from './link.ts';
/** The links of a `Link` header (RFC 8288). It skips what is malformed. */
export { parseLinks } from './link.ts';
/** The links of a linkset (RFC 9264). */
export { readLinkset } from './link.ts';
/** Those of the links that have a relation, and fit a filter. */
export { linksNamed } from './link.ts';

/** Converts a record to a plain object: `node.title` in place of `node.title[0].value`. */
export { plainOf } from './plain.ts';
/** Converts a plain object to a body for POST and PATCH. */
export { bodyOf } from './plain.ts';
/** The kind of record that a representation shows. Undefined for anything else. */
export { kindOf } from './plain.ts';
/** Whether a representation is a record of a kind. */
export { isRecord } from './plain.ts';
/** The types of records by kind. */
export type { Records } from './plain.ts';
/** The types of bodies by kind. */
export type { Bodies } from './plain.ts';
/** The body that `bodyOf` makes from a plain object. */
export type { BodyOf } from './plain.ts';
/** A body of a new record of one bundle of the default site. */
export type { NewRecord } from './plain.ts';
/** A node as a plain object. */
export type { PlainNode } from './plain.ts';
/** A media as a plain object. */
export type { PlainMedia } from './plain.ts';
/** A file as a plain object. */
export type { PlainFile } from './plain.ts';
/** A term as a plain object. */
export type { PlainTerm } from './plain.ts';
/** An account as a plain object. */
export type { PlainUser } from './plain.ts';
/** A record of any type as a plain object. */
export type { Plain } from './plain-types.ts';
/** What `bodyOf` takes for a body. */
export type { PlainBody } from './plain-types.ts';
/** What `bodyOf` takes for an item of a field: the item itself, or a short form. */
export type { PlainInput } from './plain-types.ts';
/** An item of a field as a plain value. */
export type { PlainItem } from './plain-types.ts';
/** A reference as a plain value. */
export type { PlainReference } from './plain-types.ts';
/** Reads which fields a site has, from its document, for `plainOf` and `bodyOf`. */
export { readSiteFields } from './record-fields.ts';
/** The fields of a site, by the kind of record. */
export type { SiteFields } from './record-fields.ts';
/** Which fields of a kind hold several values, references or links. */
export type { RecordFields } from './record-fields.ts';
/** `node`, `media`, `file`, `term` or `user`. */
export type { RecordKind } from './record-fields.ts';

/** Uploads a file for a media, which the server makes where there is none. */
export { upload } from './upload.ts';
/** Uploads a file without a media, and returns its record. */
export { uploadFile } from './upload.ts';
/** Anything with a connection, such as a client. */
export type { Connected } from './upload.ts';
/** What `upload` takes. */
export type { Upload } from './upload.ts';
/** What `uploadFile` takes. */
export type { FileUpload } from './upload.ts';
/** What an upload resolves with. */
export type { Uploaded } from './upload.ts';
/** The bytes of an upload. */
export type { UploadBody } from './upload-body.ts';
/** Bytes that can be read several times. */
export type { StreamSource } from './upload-body.ts';
/** How many bytes were sent so far, and of how many. */
export type { Progress } from './upload-body.ts';
