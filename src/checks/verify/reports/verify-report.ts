/** Says what a run has found as a report: a section for each operation, and what breaks the document. */
import { counted } from '../../../basics/counted.ts';
import { junitReport } from '../../../basics/report/junit.ts';
import { reportPage } from '../../../basics/report/page.ts';
import type { Evidence, Report, ReportCase, ReportSection } from '../../../basics/report/report.ts';
import type { CheckResult, ShownExchange } from '../check-result.ts';
import type { Verified } from '../verify.ts';
import { brokenWords, groupBroken } from './grouped-broken.ts';
import { jsonReport } from './json-report.ts';
import { exchangeTitle } from './shown-exchange.ts';
import { byOperation, endRemarks } from './text-report.ts';

/** A failure of any severity is a failure here. The exit code decides which of them fail the run. */
const verifyReport = (verified: Verified): Report => {
  const { target, results, counts, at, requests, durationMs, removal } = verified;
  return {
    ...{ name: 'atoll verify', heading: 'The contract against', subject: target },
    figures: (['passed', 'failed', 'skipped', 'error'] as const).map((name) => ({ name, value: counts[name] })),
    remarks: [
      `${counted(counts.total, 'check')}, ${counted(requests, 'request')}, ${(durationMs / 1000).toFixed(1)} s, ${new Date(at).toISOString()}`,
      ...endRemarks(verified),
      ...(removal?.left ?? []).map(({ path, reason }) => `Left on the target: ${path}: ${reason}.`),
    ],
    sections: [
      ...brokenSection(results),
      ...[...byOperation(results)].map(([name, of]) => ({ name, cases: of.map(caseOf) })),
    ],
  };
};

export type VerifyReportFormat = 'json' | 'junit' | 'html';

/** What a run has found, in a format. The text may hold secrets. */
export const writtenReport = (verified: Verified, format: VerifyReportFormat): string => {
  if (format === 'json') return jsonReport(verified);
  return (format === 'junit' ? junitReport : reportPage)(verifyReport(verified));
};

const brokenSection = (results: readonly CheckResult[]): readonly ReportSection[] => {
  const rows = groupBroken(results).map(({ broken, checks }) => ({
    name: `${broken.operation} ${broken.status}`,
    cells: [brokenWords(broken), `${counted(checks.length, 'check')}: ${broken.request}`],
  }));
  if (rows.length === 0) return [];
  const table = { caption: 'Each once, however many checks found it.', head: ['Answer', 'Fault', 'Found by'], rows };
  return [{ name: 'Answers that break the document', table }];
};

const caseOf = ({ check, verdict, severity, message = '', broken, exchanges, durationMs }: CheckResult): ReportCase => {
  const { name, rule, source, operations } = check;
  const frame = { about: `verify.${operations[0] ?? 'all'}`, name, rule, source, seconds: durationMs / 1000 };
  if (verdict === 'passed') return frame;
  if (verdict === 'skipped') return { ...frame, skipped: message };
  const words = [message, ...broken.map((one) => `${one.operation} ${one.status}: ${brokenWords(one)}`)].join('\n');
  const shown = { ...frame, evidence: exchanges.map(exchangeEvidence) };
  return verdict === 'error' ? { ...shown, error: words } : { ...shown, flaws: [{ kind: severity, words }] };
};

const exchangeEvidence = (exchange: ShownExchange): Evidence => {
  const { method, path, status, requestHeaders, requestBody, replyHeaders, replyBody, curl } = exchange;
  const request = [`${method} ${path}`, ...requestHeaders, ...(requestBody === undefined ? [] : ['', requestBody])];
  const reply = [String(status), ...replyHeaders, ...(replyBody === undefined ? [] : ['', replyBody])];
  return { title: exchangeTitle(exchange), texts: [request.join('\n'), reply.join('\n'), curl] };
};
