/** The door of what options of commands choose between. Importing it loads no check, and no server. */

/** The severities from which on a failure fails a run of `verifyTarget`, the gravest first, and `never`. */
export { failLevels } from './verify/check-result.ts';
/** One of these severities. */
export type { FailLevel } from './verify/check-result.ts';
/** The parts of a reply in which a proxy or twin replaces the addresses of the server by its own. */
export { rewritables } from './proxy/rewrite.ts';
/** One of these parts. */
export type { Rewritable } from './proxy/rewrite.ts';
