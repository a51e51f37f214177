/** Writes a run as JUnit: a suite for each operation, where skipped is skipped, a failure a failure, and an error an error. */
import { junitReport, type TestCase } from '../../../basics/junit.ts';
import type { CheckResult } from '../check-result.ts';
import type { Verified } from '../verify.ts';
import { brokenWords } from './grouped-broken.ts';
import { byOperation } from './text-report.ts';

/** A failure of any severity is a failure here. The exit code decides which of them fail the run. */
export const verifyJunit = ({ results }: Verified): string =>
  junitReport(
    [...byOperation(results)].map(([name, of]) => ({ name, cases: of.map(caseOf) })),
    'atoll verify',
  );

const caseOf = (result: CheckResult): TestCase => {
  const { check, verdict, severity, message = '', broken, durationMs } = result;
  const frame = { classname: `verify.${check.operations[0] ?? 'all'}`, name: check.name, seconds: durationMs / 1000 };
  if (verdict === 'passed') return frame;
  if (verdict === 'skipped') return { ...frame, skipped: message };
  const words = [
    `${check.rule} [${check.source}]`,
    message,
    ...broken.map((one) => `${one.operation} ${one.status}: ${brokenWords(one)}`),
    ...result.exchanges.slice(-1).map(({ method, path, status, curl }) => `${method} ${path} → ${status}\n${curl}`),
  ].join('\n');
  if (verdict === 'error') return { ...frame, error: { type: 'internal', message: words } };
  return { ...frame, failures: [{ type: severity, message: words }] };
};
