/**
 * The door of the exchange: requests and replies as they were on the wire, what may be shown of them, and servers as the library sees
 * them. It opens no sockets and no files.
 */

/** A header line as it was sent: the name in its own case, the value with one character for each byte. */
export type { HeaderLine } from './wire-exchange.ts';
/** The first bytes of a body, how many bytes it has, and the SHA-256 of all of them. */
export type { WireBody } from './wire-exchange.ts';
/** Its first bytes as a text in UTF-8. */
export { keptText } from './wire-exchange.ts';
/** A request as it was sent. Its path begins below the base URL of the server and has the query. */
export type { WireRequest } from './wire-exchange.ts';
/** A reply as it came: status, header lines, body and trailers. */
export type { WireReply } from './wire-exchange.ts';
/** A request with its reply, when it was sent and how long it took. */
export type { WireExchange } from './wire-exchange.ts';
/** The only or first value of a header, by its name in lower case. Undefined without one. */
export { headerValue } from './wire-exchange.ts';
/** All values of a header, by its name in lower case. */
export { headerValues } from './wire-exchange.ts';

/** A request with its reply, as a world remembers it and as a document judges it. */
export type { RecordedExchange } from './recorded-exchange.ts';
/** The header by which the pages and tools of Atoll mark their own requests. Its value is the name of who asks, such as `mcp`. */
export { ownRequestHeader } from './recorded-exchange.ts';
/** Whether a page or a tool of Atoll has sent a request. Traffic and coverage leave it out. */
export { isOwnRequest } from './recorded-exchange.ts';
/** Writes the shown requests of a world as an HTTP Archive (HAR 1.2). */
export { httpArchive } from './har/http-archive.ts';

/** The mark for a removed secret: `[redacted]`. */
export { redacted } from './redaction/secrets.ts';
/** Whether a whole text is such a mark, or the placeholder for a secret in a recording. */
export { isPlaceholder } from './redaction/secrets.ts';
/** Whether the name of a JSON member says that its value is secret. */
export { isSecretMember } from './redaction/secrets.ts';
/** Removes secrets from a text without JSON in it, such as a message or a URL. */
export { shownAddress } from './redaction/shown-texts.ts';
/** Removes secrets from a path or a URL, and looks at the parameters of its query one by one. */
export { shownPath } from './redaction/shown-texts.ts';
/** Removes secrets from headers: whole values by the names, and secrets within the other values. */
export { shownHeaders } from './redaction/shown-texts.ts';
/** Removes secrets from a text that may be JSON or a form, such as a body. The id of its operation tells whether all of it is secret. */
export { shownText } from './redaction/shown-texts.ts';
/** Removes secrets from a JSON value, at any depth, by the names of its members and in its texts. */
export { shownJson } from './redaction/shown-texts.ts';
/** Shows the headers and the text of a reply without secrets: what one of them tells is hidden in the other, too. */
export { shownReply } from './redaction/redaction.ts';
/** Returns what replaces, in all texts of a value, the secrets that a recorded request and its reply tell. */
export { hidingSecretsOf } from './redaction/recorded-secrets.ts';
/** Shows an advice of a recorded request without secrets, as traffic has it. */
export { shownAdvice } from './redaction/recorded-secrets.ts';
/** A recorded exchange without secrets, out of which traffic is shown and requests are corrected as out of the first one. */
export { maskedExchange } from './redaction/masked-exchange.ts';
/** Makes what removes secrets from reports: those of accounts, those that are given, and those that it learns from exchanges. */
export { createRedaction } from './redaction/redaction.ts';
/** What `createRedaction` makes: it learns secrets, and shows texts, paths, headers and bodies without them. */
export type { Redaction } from './redaction/redaction.ts';

/** Writes a request as one line of a shell with `curl`. Credentials that were sent become variables of the shell. */
export { curlLine } from './curl.ts';
/** A text as one word of a shell, in quotes where it needs them. */
export { shellWord } from './curl.ts';
/**
 * The request of an exchange as one line with `curl`, without secrets: credentials are variables of the shell, others are hidden once `redaction`
 * has learnt the exchange. A long body is the file `BODY`.
 */
export { curlOfExchange } from './redaction/shown-curl.ts';

/** A server did not answer, or not in HTTP. The message names the server and says what to do. */
export { TargetError } from './target-errors.ts';
/** The `TargetError` for what a request to an origin has failed with. */
export { targetErrorOf } from './target-errors.ts';
/** The `code` of every `TargetError`. */
export { targetUnreachableCode } from './target-errors.ts';

/** The library's view of a server at a base URL: its commands, those of its main world, and further worlds. */
export { serverAt } from './worlds/server-at.ts';
/** Says which cookies a request has. In a browser a `Request` drops the header `Cookie`. */
export { withCookie } from './worlds/carried-cookies.ts';
/** The cookies that `withCookie` has said of a request. Undefined where it has not. */
export { carriedCookie } from './worlds/carried-cookies.ts';
/** Says which cookies a reply sets. In a browser a `Response` drops the header `Set-Cookie`. */
export { withSetCookies } from './worlds/carried-cookies.ts';
/** The values of `Set-Cookie` of a reply, also those that `withSetCookies` has said of it. */
export { setCookiesOf } from './worlds/carried-cookies.ts';

/** An account of a site whose password everybody may read. */
export type { DemoAccount } from './demo-accounts.ts';
/** The demo accounts of a site, blocked ones too. */
export { demoAccountsOf } from './demo-accounts.ts';
/** The password of a demo account. Throws `ConfigurationError` when none of them has the name. */
export { demoPasswordOf } from './demo-accounts.ts';
/** The names of the variables of the environment with the password and the token of an account. */
export { accountVariables } from './demo-accounts.ts';
