/** The door of what options of a comparison choose between. Importing it loads nothing else. */

/** The kinds of a change, from the worst to the best; `unknown` where the documents alone do not tell. */
export { changeKinds } from './document-diff/document-change.ts';
/** These kinds as what fails a comparison, and `never`. */
export { failLevels } from './document-diff/document-change.ts';
/** One of these levels. */
export type { FailLevel } from './document-diff/document-change.ts';
/** The parties that a comparison can judge for: clients or servers of the earlier document, or the worse of both. */
export { judgedParties } from './document-diff/document-change.ts';
/** One of these parties. */
export type { JudgedParty } from './document-diff/document-change.ts';
