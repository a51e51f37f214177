/** Says what a coverage record shows as a report: what fails is a goal that is missed or a violation of the contract, nothing else. */
import type { Mark, Report, ReportCase, ReportSection } from '../../basics/report/report.ts';
import {
  coverageCells,
  coverageMetrics,
  coverageFigures,
  missedGoals,
  type CoverageGoals,
  type CoverageRecord,
} from '../../contract/contract-coverage.ts';

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

/** A section for the goals, one for the violations, one with a case for each operation, skipped when nobody has used it, and the advice. */
export const judgedCoverage = (record: CoverageRecord, { goals = {}, violations = [] }: Judged): Report => ({
  name: 'contract coverage',
  heading: 'Contract coverage',
  figures: coverageFigures(record).map(({ metric, met, of, percent }) => ({
    ...{ name: titles[metric], value: `${percent} %`, detail: `${met} of ${of}`, share: percent },
  })),
  remarks: [],
  sections: [
    ...[
      { name: 'goals', cases: goalCases(record, goals) },
      { name: 'violations', cases: violationCases(violations) },
    ].filter(({ cases }) => cases.length > 0),
    operationSection(record),
    ...adviceSection(record),
  ],
});

const titles: Readonly<Record<keyof CoverageGoals, string>> = {
  operations: 'Operations',
  statuses: 'Statuses',
  errors: 'Errors',
  'media-types': 'Media types',
  identities: 'Identities',
  relations: 'Relations seen',
  followed: 'Links followed',
};

const goalCases = (record: CoverageRecord, goals: CoverageGoals): ReportCase[] => {
  const missed = missedGoals(record, goals);
  return coverageFigures(record).flatMap(({ metric, met, of, percent }) => {
    const wanted = goals[metric];
    if (wanted === undefined) return [];
    const uncovered = missed.find((goal) => goal.metric === metric)?.uncovered;
    const words = `${met} of ${of} are met, ${percent} %; ${wanted} % are wanted. Not met: ${(uncovered ?? [])
      .map(({ operation, name }) => `${operation} ${name}`)
      .join(', ')}`;
    const flaws = uncovered === undefined ? [] : [{ kind: 'goal', words }];
    return [{ about: `goals.${metric}`, name: `${wanted} %`, flaws }];
  });
};

/** A suite of tests sends the same request many times: each violation once, with the worlds that saw it. */
const violationCases = (violations: readonly ReportedViolation[]): ReportCase[] => {
  const found = new Map<string, { readonly one: ReportedViolation; readonly worlds: Set<string> }>();
  for (const one of violations) {
    const key = `${one.request} ${one.rule} ${one.message}`;
    const { worlds } = found.get(key) ?? { worlds: new Set() };
    found.set(key, { one, worlds: worlds.add(one.world) });
  }
  return [...found.values()].map(({ one: { operation, request, rule, message }, worlds }) => ({
    ...{ about: `violations.${operation}`, name: request },
    flaws: [{ kind: rule, words: `${message} (world ${[...worlds].slice(0, 5).join(', ')})` }],
  }));
};

const columns = ['statuses', 'media-types', 'identities', 'relations', 'followed'] as const;

const operationSection = (record: CoverageRecord): ReportSection => {
  const cells = new Map(coverageMetrics.map((metric) => [metric, coverageCells(record, metric)]));
  return {
    name: 'operations',
    cases: (cells.get('operations') ?? []).map(({ operation, name, count }) => ({
      ...{ about: `operations.${operation}`, name },
      ...(count > 0 ? {} : { skipped: 'not used' }),
    })),
    table: {
      caption: 'What clients have met of the document. An answer counts when it keeps the contract. Dashed: not met.',
      head: ['Operation', ...columns.map((metric) => titles[metric])],
      rows: record.offered.map(({ operation, method, path }) => ({
        ...{ name: operation, detail: `${method} ${path}` },
        cells: columns.map((metric) =>
          (cells.get(metric) ?? []).filter((cell) => cell.operation === operation).map(markOf),
        ),
      })),
    },
  };
};

/** Without the prefixes that most names have. */
const markOf = ({ name, count }: ReturnType<typeof coverageCells>[number]): Mark => ({
  text: name.replace('https://drupal.org/link-relations/', 'drupal:').replace('application/', ''),
  isMet: count > 0,
  hint: count > 0 ? `${count} times` : `not met: ${name}`,
});

const adviceSection = ({ advice }: CoverageRecord): ReportSection[] => {
  if (advice.length === 0) return [];
  const rows = advice.map(({ operation, pointer, count, reason }) => ({
    ...{ name: operation, cells: [pointer, String(count), reason] },
  }));
  const caption =
    'What accepted requests sent and the repository did not store as it was sent, as a real site would not.';
  return [{ name: 'Advice', table: { caption, head: ['Operation', 'Sent', 'Times', 'Why'], rows } }];
};
