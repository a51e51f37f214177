/** A record of coverage as text: a table for people, JUnit for machines. The page is `coverage-page.ts`. */
import {
  cellsOf,
  coverageMetrics,
  figuresOf,
  type CoverageCell,
  type CoverageRecord,
  type MissedGoal,
} from './coverage-figures.ts';
import { coveragePage } from './coverage-page.ts';
import { escapedMarkup } from '../representations/markup.ts';

export const coverageFormats = ['table', 'html', 'junit', 'json'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

/** The record in one of the formats. JSON is the record itself with its figures. */
export const coverageReport = (record: CoverageRecord, format: CoverageFormat): string => {
  switch (format) {
    case 'table':
      return coverageTable(record);
    case 'html':
      return coveragePage(record);
    case 'junit':
      return coverageJunit(record);
    case 'json':
      return `${JSON.stringify({ ...record, figures: figuresOf(record) }, null, 2)}\n`;
  }
};

/** A line for each operation with the statuses that it offers, those in brackets that are not met; then the sums. */
const coverageTable = (record: CoverageRecord): string => {
  const statuses = groupByOperation(cellsOf(record, 'statuses'));
  const lines = record.offered.map(({ operation }) => [
    operation,
    (statuses.get(operation) ?? []).map(({ name, count }) => (count > 0 ? name : `(${name})`)).join(' '),
  ]);
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

const groupByOperation = (cells: readonly CoverageCell[]): ReadonlyMap<string, CoverageCell[]> => {
  const groups = new Map<string, CoverageCell[]>();
  for (const cell of cells) groups.set(cell.operation, [...(groups.get(cell.operation) ?? []), cell]);
  return groups;
};

/** A suite for each metric and a case for each cell; one that is not met is a failure. */
const coverageJunit = (record: CoverageRecord): string => {
  const suites = coverageMetrics.map((metric) => {
    const cells = cellsOf(record, metric);
    const cases = cells.map(({ operation, name, count }) => {
      const head = `    <testcase classname="${metric}.${escapedMarkup(operation)}" name="${escapedMarkup(name)}"`;
      return count > 0
        ? `${head}/>\n`
        : `${head}>\n      <failure type="coverage" message="not met"/>\n    </testcase>\n`;
    });
    const failures = cells.filter(({ count }) => count === 0).length;
    return `  <testsuite name="${metric}" tests="${cells.length}" failures="${failures}">\n${cases.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="contract coverage">\n${suites.join('')}</testsuites>\n`;
};

/** The goals that were missed, each with what it lacks. */
export const missedGoalsText = (missed: readonly MissedGoal[]): string =>
  missed
    .flatMap(({ metric, met, of, percent, wanted, unmet }) => [
      `${metric}: ${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met:`,
      ...unmet.map(({ operation, name }) => `  ${operation}  ${name}`),
    ])
    .join('\n');
