/** The table of explained differences, explanations.yml, as rules. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Compared } from './sequence.ts';

/** A row of `explanations.yml`; its head says what the members mean. */
type Row = {
  readonly leans: string;
  readonly group?: string;
  readonly label?: string;
  readonly method?: string;
  readonly path?: string;
  readonly as?: string;
  readonly sent?: string;
  readonly real?: string;
  readonly differs: readonly string[];
};

export type Explanation = {
  readonly row: Row;
  /** Where the row stands in the file, from 1. */
  readonly number: number;
  matches(compared: Compared): boolean;
  /** Which of the row's patterns cover a line of differences. */
  covering(line: string): readonly string[];
};

export const readExplanations = (): readonly Explanation[] => {
  const text = readFileSync(new URL('explanations.yml', import.meta.url), 'utf8');
  const rows = parse(text) as readonly Row[]; // the shape that its head describes
  return rows.map((row, at) => explanationOf(row, at + 1));
};

const explanationOf = (row: Row, number: number): Explanation => {
  const conditions = [
    whole(row.group, ({ group }) => group),
    whole(row.label, ({ exchange }) => exchange.label),
    whole(row.method, ({ exchange }) => exchange.request.method),
    whole(row.path, ({ exchange }) => exchange.request.path),
    whole(row.as, ({ exchange }) => exchange.request.credentials ?? 'nobody'),
    part(
      row.sent,
      ({ exchange }) => `${JSON.stringify(exchange.request.headers)} ${exchange.sent?.toString('utf8') ?? ''}`,
    ),
    part(row.real, ({ exchange }) => JSON.stringify(exchange.response.body)),
  ];
  const patterns = row.differs.map((pattern) => ({ pattern, test: beginning(pattern) }));
  return {
    row,
    number,
    matches: (compared) => conditions.every((holds) => holds(compared)),
    covering: (line) => patterns.filter(({ test }) => test.test(line)).map(({ pattern }) => pattern),
  };
};

/** The first cells of the table in docs/use/differences.md. */
export const documentedDifferences = (): readonly string[] =>
  readFileSync(new URL('../../../../docs/use/differences.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => (line.split(/(?<!\\)\|/)[1] ?? '').trim());

type Condition = (compared: Compared) => boolean;

const whole = (pattern: string | undefined, textOf: (compared: Compared) => string): Condition => {
  const test = pattern === undefined ? /^/ : new RegExp(`^(?:${pattern})$`, 's');
  return (compared) => test.test(textOf(compared));
};

const part = (pattern: string | undefined, textOf: (compared: Compared) => string): Condition => {
  const test = pattern === undefined ? /^/ : new RegExp(pattern, 's');
  return (compared) => test.test(textOf(compared));
};

/** A line begins with the pattern; `*` stands for any text. A pattern without a colon is the whole name before the colon. */
const beginning = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}${pattern.includes(':') ? '' : ':'}`,
    's',
  );

/** What no explanation covers, and the explanations with the patterns that were needed. */
export const explain = (
  compared: Compared,
  explanations: readonly Explanation[],
): { readonly open: readonly string[]; readonly used: readonly string[] } => {
  const rules = compared.differences.length === 0 ? [] : explanations.filter((rule) => rule.matches(compared));
  const open: string[] = [];
  const used: string[] = [];
  for (const line of compared.differences) {
    const covering = rules.flatMap((rule) => rule.covering(line).map((pattern) => `${rule.number} ${pattern}`));
    if (covering.length === 0) open.push(line);
    used.push(...covering);
  }
  return { open, used };
};
