/** The door of what holds another server to the contract: the checks of `atoll verify`, and the audit of links. */

/**
 * Reads what is needed to speak to a server: the contract of its site, the accounts to act as, and what no report may show. Sends
 * nothing. The `redaction` of the result takes the secrets of these accounts out of a text. Rejects with `ConfigurationError` for a
 * site or accounts that cannot be read.
 */
export { readTarget } from './target/open-target.ts';

/**
 * Runs the checks of the contract against an opened target; with `writing` also those that make content, which it removes at the end.
 * Rejects with `TargetError` when the target does not answer. A check that fails is a result, not an error.
 */
export { verifyTarget } from './verify/verify-target.ts';
/** What a run has found: each result, the counts, what it left on the target, and reports as texts. */
export type { Verification } from './verify/verify-target.ts';
/** How a run writes: the label of what it makes, a node to make it below, the file of its journal, terms to use. */
export type { WritingOptions } from './verify/verify.ts';
/** What became of one check, with the exchanges of one that failed. */
export type { CheckResult } from './verify/check-result.ts';
/** Whether a check passed, failed, was skipped, or could not be carried out. */
export type { Verdict } from './verify/check-result.ts';
/** How many checks have each verdict, and how many there are. */
export type { CheckCounts } from './verify/check-result.ts';
/** Where an answer breaks the document: the operation, the status, the place in the body, and the rule. */
export type { BrokenDocument } from './verify/check-result.ts';
/** A request and its answer as a report shows them: without secrets, with short bodies, and as a command of curl. */
export type { ShownExchange } from './verify/check-result.ts';

/**
 * The checks of a contract that `verifyTarget` can run, in its order, each with its name, rule, source and severity; with patterns only those that fit one. Throws
 * `ConfigurationError` when no check fits.
 */
export { contractChecks } from './verify/checks/all-checks.ts';
/** Removes what interrupted runs have left on a target, by their journals. Yields a text for each run, and whether it is clean now. */
export { removeLeftovers } from './verify/remove-leftovers.ts';

/**
 * Follows the links of a server as each of some accounts, and reports those that are dead, hidden, of a wrong type, or lead one way
 * only. Rejects with `ConfigurationError` when the server does not answer.
 */
export { auditLinks } from './links-audit/audit-links.ts';
