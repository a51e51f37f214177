/** Writes a coverage record as a table, JSON or Markdown. `coverage-page.ts` writes HTML and `coverage-junit.ts` JUnit. */
import {
  cellsOf,
  figuresOf,
  missedGoals,
  type CoverageRecord,
  type MissedGoal,
} from '../../contract/coverage/coverage-figures.ts';
import { coverageJunit, type Judged } from './coverage-junit.ts';
import { coveragePage } from './coverage-page.ts';

export const coverageFormats = ['table', 'html', 'junit', 'json', 'markdown'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

/** The format `json` is the record itself with its figures. JUnit and Markdown show what was judged. */
export const coverageReport = (record: CoverageRecord, format: CoverageFormat, judged: Judged = {}): string =>
  reports[format](record, judged);

/** One line for each operation with its statuses, uncovered statuses in brackets. The advice and the figures follow. */
const coverageTable = (record: CoverageRecord): string => {
  const lines = record.offered.map((one) => {
    const statuses = cellsOf({ ...record, offered: [one] }, 'statuses');
    return [one.operation, statuses.map(({ name, count }) => (count > 0 ? name : `(${name})`)).join(' ')];
  });
  const advice = record.advice.map((one) => [one.operation, one.pointer, `${one.count} times`, one.reason]);
  const advised = advice.length === 0 ? [] : ['Advice: not stored as it was sent', ...columns(advice), ''];
  return [...columns(lines), '', ...advised, figuresText(record), ''].join('\n');
};

/** One line for each metric. */
export const figuresText = (record: CoverageRecord): string =>
  columns(figuresOf(record).map(({ metric, met, of, percent }) => [metric, `${met} of ${of}`, `${percent} %`])).join(
    '\n',
  );

const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Tables for the summary of a pull request: the figures, what was judged, the advice, and the operations that are not fully covered. */
const coverageMarkdown = (record: CoverageRecord, { goals = {}, violations = [] }: Judged): string => {
  const missed = new Set(missedGoals(record, goals).map(({ metric }) => metric));
  const figures = figuresOf(record).map(({ metric, met, of, percent }) => {
    const wanted = goals[metric];
    const goal = wanted === undefined ? '' : `${wanted} %${missed.has(metric) ? ', missed' : ''}`;
    return [metric, `${met} of ${of}`, `${percent} %`, goal];
  });
  const gaps = record.offered.flatMap((one) => {
    const cells = cellsOf({ ...record, offered: [one] }, 'statuses').filter(({ count }) => count === 0);
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

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(markdownCell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** Nothing in a cell is markup, and nothing in it ends the cell. */
const markdownCell = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_<>|[\]]/g, (character) => `\\${character}`);

const reports: Readonly<Record<CoverageFormat, (record: CoverageRecord, judged: Judged) => string>> = {
  table: coverageTable,
  html: coveragePage,
  junit: coverageJunit,
  json: (record) => `${JSON.stringify({ ...record, figures: figuresOf(record) }, null, 2)}\n`,
  markdown: coverageMarkdown,
};

/** Lists each missed goal with its uncovered cells. */
export const missedGoalsText = (missed: readonly MissedGoal[]): string =>
  missed
    .flatMap(({ metric, met, of, percent, wanted, uncovered }) => [
      `${metric}: ${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met:`,
      ...uncovered.map(({ operation, name }) => `  ${operation}  ${name}`),
    ])
    .join('\n');
