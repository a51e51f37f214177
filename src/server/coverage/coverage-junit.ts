/** Writes a coverage record as JUnit: what fails is a goal that is missed or a violation of the contract, nothing else. */
import { junitReport, type TestSuite } from '../../basics/junit.ts';
import {
  cellsOf,
  figuresOf,
  missedGoals,
  type CoverageGoals,
  type CoverageRecord,
} from '../../contract/coverage/coverage-figures.ts';

/** A request or reply that the document does not allow. */
export type ReportedViolation = {
  readonly operation: string;
  /** The method and the path of the request, and its status. */
  readonly request: string;
  readonly rule: string;
  readonly message: string;
  /** The world that got it, which may have the name of a test. */
  readonly world: string;
};

/** What a report judges besides the cells. */
export type Judged = { readonly goals?: CoverageGoals; readonly violations?: readonly ReportedViolation[] };

/** A suite for the goals, one for the violations, and one with a case for each operation, skipped when nobody has used it. */
export const coverageJunit = (record: CoverageRecord, { goals = {}, violations = [] }: Judged): string =>
  junitReport(
    [...goalSuite(record, goals), ...violationSuite(violations), operationSuite(record)],
    'contract coverage',
  );

const goalSuite = (record: CoverageRecord, goals: CoverageGoals): TestSuite[] => {
  const missed = missedGoals(record, goals);
  const cases = figuresOf(record).flatMap(({ metric, met, of, percent }) => {
    const wanted = goals[metric];
    if (wanted === undefined) return [];
    const uncovered = missed.find((goal) => goal.metric === metric)?.uncovered;
    const message = `${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met: ${(uncovered ?? [])
      .map(({ operation, name }) => `${operation} ${name}`)
      .join(', ')}`;
    const failures = uncovered === undefined ? [] : [{ type: 'goal', message }];
    return [{ classname: `goals.${metric}`, name: `${wanted} %`, failures }];
  });
  return cases.length === 0 ? [] : [{ name: 'goals', cases }];
};

const violationSuite = (violations: readonly ReportedViolation[]): TestSuite[] => {
  if (violations.length === 0) return [];
  const cases = new Map<string, TestSuite['cases'][number]>();
  const worlds = new Map<string, Set<string>>();
  for (const { operation, request, rule, message, world } of violations) {
    // A suite of tests sends the same request many times.
    const key = `${request} ${rule} ${message}`;
    const where = worlds.get(key) ?? new Set();
    worlds.set(key, where.add(world));
    cases.set(key, {
      classname: `violations.${operation}`,
      name: request,
      failures: [{ type: rule, message: `${message} (world ${[...where].slice(0, 5).join(', ')})` }],
    });
  }
  return [{ name: 'violations', cases: [...cases.values()] }];
};

const operationSuite = (record: CoverageRecord): TestSuite => ({
  name: 'operations',
  cases: cellsOf(record, 'operations').map(({ operation, name, count }) => ({
    classname: `operations.${operation}`,
    name,
    ...(count > 0 ? {} : { skipped: 'not used' }),
  })),
});
