/** The door of coverage: how much of a document clients have met. */

/** Makes what counts the exchanges of one world in memory. An answer counts when it keeps the document. */
export { createCoverageTally } from './coverage/coverage-tally.ts';
/** What counts the exchanges of a world, wherever it keeps the counts. */
export type { CoverageTally } from './coverage/coverage-tally.ts';
/** The counts: of answers, of links that were shown and followed, and of advice. */
export type { CoverageCounts } from './coverage/coverage-tally.ts';
/** The sum of several counts. */
export { sumOfCounts } from './coverage/coverage-tally.ts';

/** What a document offers, with the counts of it. It is written as JSON. */
export type { CoverageRecord } from './coverage/coverage-figures.ts';
/** The record of counts for a served document and the roles of a site. */
export { coverageOf } from './coverage/coverage-figures.ts';
/** The record of several runs. It offers each operation that one of them offers. */
export { mergeCoverage } from './coverage/coverage-figures.ts';
/** The names of the metrics: operations, statuses, errors, media types, identities, relations, links that were followed. */
export { coverageMetrics } from './coverage/coverage-figures.ts';
/** The cells of one metric in the order of the document, each with its count. One that was not met has 0. */
export { coverageCells } from './coverage/coverage-figures.ts';
/** For each metric: how many of its cells were met, of how many, and the percentage, rounded down. */
export { coverageFigures } from './coverage/coverage-figures.ts';
/** Least percentages by metric. */
export type { CoverageGoals } from './coverage/coverage-figures.ts';
/** The goals that a record misses, with the cells that were not met. */
export { missedGoals } from './coverage/coverage-figures.ts';

/** The part of a document that a client is about. */
export type { CoverageScope } from './coverage/coverage-scope.ts';
/** The record with what is in scope. Default: the contract alone, without HEAD and what is beyond it. */
export { scopedCoverage } from './coverage/coverage-scope.ts';
/** Whether an answer is in scope, by its operation and its status. */
export { isInScope } from './coverage/coverage-scope.ts';
/** The items of a scope that match nothing of the document, most likely by mistake. */
export { unmatchedItems } from './coverage/coverage-scope.ts';
