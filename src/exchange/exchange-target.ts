/** The door for those who ask a server over the network: connections, bodies as they pass, and the accounts that requests are sent as. */

/**
 * Makes what sends requests to one server, and returns each exchange: the reply as it came, the request with the header lines that were given. It
 * follows no redirect.
 */
export { createSender } from './send.ts';
/** What `createSender` makes. Its `send` throws a `TargetError` when no whole answer came. */
export type { Sender } from './send.ts';
/** The server of a sender, and its limits: times, bytes that are kept, requests in a second. */
export type { SenderOptions } from './send.ts';
/** Which certificates are trusted. */
export type { TlsOptions } from './connection.ts';
/** Makes what opens requests to one server, for those who pass the bytes on themselves. It adds no header. */
export { createConnection } from './connection.ts';
/** What `createConnection` makes: `turn` waits until a request may be sent, `open` begins one. */
export type { Connection } from './connection.ts';
/**
 * Asks a server whether it is a repository with a REST interface, and whether Drupal itself answers. Throws a `TargetError` unless it is
 * one.
 */
export { examineTarget } from './examine-target.ts';
/** Whether a server answers anything now. */
export { isAnswering } from './examine-target.ts';

/** Makes what keeps the first bytes of a body while it passes, and counts and hashes all of them. */
export { keepBytes } from './kept-bytes.ts';
/** What `keepBytes` makes: `add` for each piece, and `body` for the body so far. */
export type { KeptBytes } from './kept-bytes.ts';
/** A body of these bytes. */
export { wholeBody } from './redaction/decoded-body.ts';
/** A message without its `Content-Encoding`: its body is unpacked. A body that cannot be unpacked, or is too long then, has no bytes. */
export { decodedMessage } from './redaction/decoded-body.ts';
/** Reads a `Link` line with an independent parser: its links, and what in it is against RFC 8288. */
export { readLinkLine } from './link-syntax.ts';

/** An account that requests are sent as: its name, its password or token, and its roles. */
export type { TargetAccount } from './target-account.ts';
/** The visitor without credentials. */
export { anonymousAccount } from './target-account.ts';
/** Reads the accounts of a YAML file. Throws `ConfigurationError`, whose message names keys and never values. */
export { readAccountFile } from './accounts.ts';
/**
 * The accounts of a run, the anonymous visitor first: of a file, of the environment, and of a site. Throws `ConfigurationError` for a
 * name without credentials.
 */
export { chooseAccounts } from './accounts.ts';
/** Makes the ways to sign in at one server: with Basic, a token, or a session. */
export { createSignIns } from './session.ts';
/** What `createSignIns` makes. Its functions throw `SignInRefusal` where the server refuses, and what its `ask` or `fetch` throws. */
export type { SignIns } from './session.ts';
/** The server refuses an account (`status` is its answer), or what the account needs is not known (`status` is undefined). */
export { SignInRefusal } from './session.ts';
/** A new token of an account. Throws `ConfigurationError` with the server's message, and what `fetch` throws. */
export { fetchToken } from './session.ts';
/** The same, and undefined for a site that issues no tokens (404). */
export { tokenIfIssued } from './session.ts';
