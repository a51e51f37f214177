/** Writes a run for a terminal: failures by operation, what breaks the document, what was skipped and why, and the sums. */
import { counted } from '../../../basics/counted.ts';
import type { CheckResult, ShownExchange } from '../check-result.ts';
import type { Verified } from '../verify.ts';
import type { Removal } from '../workspace/removal.ts';
import { brokenWords, groupBroken } from './grouped-broken.ts';
import { exchangeTitle } from './shown-exchange.ts';

/** The most failures of an operation that are shown whole; of the others only the names. */
const shownWhole = 5;

/** The lines of the report. */
export const textReport = (verified: Verified): readonly string[] => {
  const { results } = verified;
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  return [
    ...[...byOperation(failed)].flatMap(([operation, of]) => [operation, ...of.flatMap(failureLines), '']),
    ...brokenLines(results),
    ...skippedLines(results),
    ...summaryLines(verified),
  ];
};

/** By the first operation of each check, in the order of the checks. */
export const byOperation = (results: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> => {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) {
    const name = result.check.operations[0] ?? 'all operations';
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  return groups;
};

const failureLines = (result: CheckResult, at: number): string[] => {
  const { check, verdict, severity, message = '', broken, exchanges } = result;
  const title = `  ${verdict === 'error' ? 'ERROR' : 'FAILED'} ${check.name} (${severity})`;
  if (at >= shownWhole) return [title];
  const last = exchanges.at(-1);
  return [
    title,
    `    ${check.rule} [${check.source}]`,
    ...message.split('\n').map((line) => `    ${line}`),
    ...broken.slice(0, 5).map((one) => `    ${one.operation} ${one.status}: ${brokenWords(one)}`),
    ...(broken.length > 5 ? [`    and ${broken.length - 5} more`] : []),
    ...(last === undefined ? [] : exchangeLines(last)),
  ];
};

const exchangeLines = (exchange: ShownExchange): string[] => {
  const { replyBody, curl } = exchange;
  return [
    `    ${exchangeTitle(exchange)}${
      replyBody === undefined ? '' : ` ${replyBody.length > 300 ? `${replyBody.slice(0, 299)}…` : replyBody}`
    }`,
    `    ${curl.length > 1000 ? `${curl.slice(0, 999)}…` : curl}`,
  ];
};

const brokenLines = (results: readonly CheckResult[]): string[] => {
  const groups = groupBroken(results);
  if (groups.length === 0) return [];
  return [
    'Answers that break the document',
    ...groups.flatMap(({ broken, checks }) => [
      `  ${broken.operation} ${broken.status}: ${brokenWords(broken)}`,
      `    found by ${counted(checks.length, 'check')}, such as ${checks[0] ?? ''}: ${broken.request}`,
    ]),
    '',
  ];
};

const skippedLines = (results: readonly CheckResult[]): string[] => {
  const reasons = new Map<string, number>();
  for (const { verdict, message = '' } of results) {
    if (verdict === 'skipped') reasons.set(message, (reasons.get(message) ?? 0) + 1);
  }
  if (reasons.size === 0) return [];
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  return ['Skipped', ...sorted.map(([reason, number]) => `  ${counted(number, 'check')}: ${reason}`), ''];
};

/** Why a run has not asked everything. */
export const endRemarks = ({ isInterrupted, gone }: Verified): string[] => [
  ...(isInterrupted ? ['The run was ended early.'] : []),
  ...(gone === undefined ? [] : [`The target stopped to answer: ${gone.message}`]),
];

const summaryLines = (verified: Verified): string[] => {
  const { target, counts, durationMs, requests, removal } = verified;
  return [
    ...(removal === undefined ? [] : removalLines(removal, target)),
    ...endRemarks(verified),
    [
      `${counted(counts.total, 'check')} against ${target}: ${counts.passed} passed, ${counts.failed} failed, `,
      `${counts.skipped} skipped, ${counted(counts.error, 'error')}; `,
      `${counted(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s.`,
    ].join(''),
  ];
};

/** Everything that was made and is gone, and what stays. */
export const removalLines = (
  { removed, left, journal }: Removal & { readonly journal: string },
  target: string,
): string[] => [
  ...left.map(({ path, reason }) => `Left on the target: ${path}: ${reason}.`),
  ...(left.length === 0
    ? [`Everything that was made is removed (${counted(removed, 'entity', 'entities')}).`]
    : left.every(({ isForeign }) => isForeign)
      ? [`Everything else that was made is removed (${counted(removed, 'entity', 'entities')}).`]
      : [`Try again with: atoll verify clean --target ${target} --journal ${journal}`]),
];
