/** Writes a coverage record as a table, JUnit XML or JSON. `coverage-page.ts` writes the HTML page. */
import { cellsOf, coverageMetrics, figuresOf, type CoverageRecord, type MissedGoal } from './coverage-figures.ts';
import { coveragePage } from './coverage-page.ts';
import { junitReport } from '../representations/junit.ts';

export const coverageFormats = ['table', 'html', 'junit', 'json'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

/** The format `json` is the record itself with its figures. */
export const coverageReport = (record: CoverageRecord, format: CoverageFormat): string => reports[format](record);

/** One line for each operation with its statuses, uncovered ones in brackets. The figures follow. */
const coverageTable = (record: CoverageRecord): string => {
  const lines = record.offered.map((one) => {
    const statuses = cellsOf({ ...record, offered: [one] }, 'statuses');
    return [one.operation, statuses.map(({ name, count }) => (count > 0 ? name : `(${name})`)).join(' ')];
  });
  const sums = figuresOf(record).map(({ metric, met, of, percent }) => [metric, `${met} of ${of}`, `${percent} %`]);
  return [...columns(lines), '', ...columns(sums), ''].join('\n');
};

const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** A suite for each metric and a case for each cell. An uncovered cell is a failure. */
const coverageJunit = (record: CoverageRecord): string => {
  const suites = coverageMetrics.map((metric) => ({
    name: metric,
    cases: cellsOf(record, metric).map(({ operation, name, count }) => ({
      classname: `${metric}.${operation}`,
      name,
      ...(count > 0 ? {} : { failures: [{ type: 'coverage', message: 'not met' }] }),
    })),
  }));
  return junitReport(suites, 'contract coverage');
};

const reports: Readonly<Record<CoverageFormat, (record: CoverageRecord) => string>> = {
  table: coverageTable,
  html: coveragePage,
  junit: coverageJunit,
  json: (record) => `${JSON.stringify({ ...record, figures: figuresOf(record) }, null, 2)}\n`,
};

/** Lists each missed goal with its uncovered cells. */
export const missedGoalsText = (missed: readonly MissedGoal[]): string =>
  missed
    .flatMap(({ metric, met, of, percent, wanted, uncovered }) => [
      `${metric}: ${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met:`,
      ...uncovered.map(({ operation, name }) => `  ${operation}  ${name}`),
    ])
    .join('\n');
