/** Verifies a target, and writes the results as texts without secrets. */
import { failuresAt, type CheckResult, type FailLevel } from './check-result.ts';
import { textReport } from './reports/text-report.ts';
import { writtenReport } from './reports/verify-report.ts';
import { runVerification, type VerificationOptions, type Verified } from './verify.ts';

/** What a run has found. No text of it holds secrets. */
export type Verification = Verified & {
  /** The failures of this severity or a graver one; an internal error of a check is always one. Default: `contract`. */
  failures(level?: FailLevel): readonly CheckResult[];
  toText(): string;
  toJson(): string;
  toJunit(): string;
  /** A page that needs nothing else. */
  toHtml(): string;
};

/**
 * Runs the checks of the contract against a target. Rejects with `TargetError` when no server answers or it is not a repository, and
 * with `ConfigurationError` for options that do not fit it. A check that fails is a result, not an error.
 */
export const verifyTarget = async (options: VerificationOptions): Promise<Verification> => {
  const verified = await runVerification(options);
  const { redaction } = options.opened;
  const written = (format: Parameters<typeof writtenReport>[1]): string =>
    redaction.text(writtenReport(verified, format));
  return {
    ...verified,
    failures: (level = 'contract') => failuresAt(verified.results, level),
    toText: () => redaction.text(textReport(verified).join('\n')),
    toJson: () => written('json'),
    toJunit: () => written('junit'),
    toHtml: () => written('html'),
  };
};
