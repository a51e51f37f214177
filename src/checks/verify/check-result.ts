/** Defines what became of a check, and counts it. */
import type { ExplainedViolation } from '../../contract/contract.ts';
import type { Check, Severity } from './check.ts';

export type Verdict = 'passed' | 'failed' | 'skipped' | 'error';

/** A request and its answer as reports show them: without secrets, with short bodies. */
export type ShownExchange = {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** The account whose credentials were sent. */
  readonly account: string | undefined;
  readonly requestHeaders: readonly string[];
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly replyHeaders: readonly string[];
  readonly replyBody: string | undefined;
  readonly durationMs: number;
  /** A command that sends the request again. Secrets are variables of the shell. */
  readonly curl: string;
};

/** What an answer has that the document does not allow. */
export type BrokenDocument = ExplainedViolation & {
  /** The id of the operation. */
  readonly operation: string;
  readonly status: number;
  /** The request, such as `GET /node/1?_format=json`. */
  readonly request: string;
};

export type CheckResult = {
  readonly check: Omit<Check, 'run'>;
  readonly verdict: Verdict;
  /** The severity of the failure: that of the check, or `contract` when an answer broke the document. */
  readonly severity: Severity;
  /** Why it failed, was skipped or could not be carried out. */
  readonly message: string | undefined;
  readonly broken: readonly BrokenDocument[];
  /** Those of a check that failed, in the order in which they were sent. The last ones of very many. */
  readonly exchanges: readonly ShownExchange[];
  readonly durationMs: number;
};

/** What a check has that has sent nothing. */
export const plainResult = (check: CheckResult['check'], verdict: Verdict, message: string): CheckResult => ({
  ...{ check, verdict, severity: check.severity, message, broken: [], exchanges: [], durationMs: 0 },
});

export type CheckCounts = { readonly [V in Verdict]: number } & { readonly total: number };

export const countResults = (results: readonly CheckResult[]): CheckCounts => {
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  return {
    ...{ total: results.length, passed: count('passed'), failed: count('failed') },
    ...{ skipped: count('skipped'), error: count('error') },
  };
};

/** From which severity on a failure is one of the run. */
export const failLevels = ['contract', 'reference', 'advice', 'never'] as const;
export type FailLevel = (typeof failLevels)[number];

/** The results that fail the run. An internal error of a check does so at every level but `never`. */
export const failuresAt = (results: readonly CheckResult[], level: FailLevel): readonly CheckResult[] =>
  results.filter(
    ({ verdict, severity }) =>
      level !== 'never' &&
      (verdict === 'error' || (verdict === 'failed' && failLevels.indexOf(severity) <= failLevels.indexOf(level))),
  );
