/** Writes a coverage record in each of its formats. */
import { junitReport } from '../../basics/report/junit.ts';
import { reportPage } from '../../basics/report/page.ts';
import { columnLines, markdownTable } from '../../basics/report/tables.ts';
import { coverageCells, coverageFigures, missedGoals, type CoverageRecord } from '../../contract/contract-coverage.ts';
import { judgedCoverage, type Judged } from './judged-coverage.ts';

/** The Content-Security-Policy of the page: it has inline styles and loads nothing (CSP Level 3). */
export const coveragePagePolicy = "default-src 'none'; style-src 'unsafe-inline'";

export const coverageFormats = ['table', 'html', 'junit', 'json', 'markdown'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

/** The format `json` is the record itself with its figures. JUnit, Markdown and the page show what was judged. */
export const coverageReport = (record: CoverageRecord, format: CoverageFormat, judged: Judged = {}): string =>
  reports[format](record, judged);

/** One line for each operation with its statuses, uncovered statuses in brackets. The advice and the figures follow. */
const coverageTable = (record: CoverageRecord): string => {
  const lines = record.offered.map((one) => {
    const statuses = coverageCells({ ...record, offered: [one] }, 'statuses');
    return [one.operation, statuses.map(({ name, count }) => (count > 0 ? name : `(${name})`)).join(' ')];
  });
  const advice = record.advice.map((one) => [one.operation, one.pointer, `${one.count} times`, one.reason]);
  const advised = advice.length === 0 ? [] : ['Advice: not stored as it was sent', ...columnLines(advice), ''];
  return [...columnLines(lines), '', ...advised, figuresText(record), ''].join('\n');
};

/** One line for each metric. */
export const figuresText = (record: CoverageRecord): string =>
  columnLines(
    coverageFigures(record).map(({ metric, met, of, percent }) => [metric, `${met} of ${of}`, `${percent} %`]),
  ).join('\n');

/** Tables for the summary of a pull request: the figures, what was judged, the advice, and the operations that are not fully covered. */
const coverageMarkdown = (record: CoverageRecord, { goals = {}, violations = [] }: Judged): string => {
  const missed = new Set(missedGoals(record, goals).map(({ metric }) => metric));
  const figures = coverageFigures(record).map(({ metric, met, of, percent }) => {
    const wanted = goals[metric];
    const goal = wanted === undefined ? '' : `${wanted} %${missed.has(metric) ? ', missed' : ''}`;
    return [metric, `${met} of ${of}`, `${percent} %`, goal];
  });
  const gaps = record.offered.flatMap((one) => {
    const cells = coverageCells({ ...record, offered: [one] }, 'statuses').filter(({ count }) => count === 0);
    return cells.length === 0 ? [] : [[one.operation, cells.map(({ name }) => name).join(' ')]];
  });
  return [
    '# Contract coverage',
    markdownTable(['Metric', 'Met', 'Share', 'Goal'], figures),
    ...(violations.length === 0
      ? []
      : [
          '## Violations',
          markdownTable(
            ['Request', 'Operation', 'Violation'],
            violations.map(({ request, operation, rule, message }) => [request, operation, `${message} (${rule})`]),
          ),
        ]),
    ...(record.advice.length === 0 ? [] : ['## Advice: not stored as it was sent', adviceTable(record)]),
    ...(gaps.length === 0 ? [] : ['## Statuses that are not met', markdownTable(['Operation', 'Statuses'], gaps)]),
    '',
  ].join('\n\n');
};

const adviceTable = ({ advice }: CoverageRecord): string =>
  markdownTable(
    ['Operation', 'Sent', 'Times', 'Why'],
    advice.map(({ operation, pointer, count, reason }) => [operation, pointer, String(count), reason]),
  );

const reports: Readonly<Record<CoverageFormat, (record: CoverageRecord, judged: Judged) => string>> = {
  table: coverageTable,
  html: (record, judged) => reportPage(judgedCoverage(record, judged)),
  junit: (record, judged) => junitReport(judgedCoverage(record, judged)),
  json: (record) => `${JSON.stringify({ ...record, figures: coverageFigures(record) }, null, 2)}\n`,
  markdown: coverageMarkdown,
};

/** Lists each missed goal with its uncovered cells. */
export const missedGoalsText = (missed: ReturnType<typeof missedGoals>): string =>
  missed
    .flatMap(({ metric, met, of, percent, wanted, uncovered }) => [
      `${metric}: ${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met:`,
      ...uncovered.map(({ operation, name }) => `  ${operation}  ${name}`),
    ])
    .join('\n');
