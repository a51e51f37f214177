/** The options `--only`, `--ignore` and `--everything`, which scope coverage to what a client is about. */
import { type Command, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  type CoverageGoals,
  coverageMetrics,
  type CoverageRecord,
  type CoverageScope,
  scopedCoverage,
  unmatchedItems,
} from '../../contract/contract-coverage.ts';

/** Adds least percentages by metric to those of earlier options. Throws `InvalidArgumentError`. */
export const readGoals = (text: string, before: CoverageGoals = {}): CoverageGoals => ({
  ...before,
  ...Object.fromEntries(
    text.split(',').map((goal) => {
      const [metric = '', percent = ''] = goal.trim().split('=');
      if (!isMetric(metric)) throw new InvalidArgumentError(`"${metric}" is none of ${coverageMetrics.join(', ')}.`);
      if (!/^\d{1,3}(\.\d+)?$/.test(percent) || Number(percent) > 100) {
        throw new InvalidArgumentError(`${metric} is a percentage from 0 to 100, such as ${metric}=80.`);
      }
      return [metric, Number(percent)];
    }),
  ),
});

const isMetric = (name: string): name is keyof CoverageGoals => coverageMetrics.some((metric) => metric === name);

export type ScopeOptions = Partial<CoverageScope>;

/** Adds `--only`, `--ignore` and `--everything`. */
export const withScope = (command: Command): Command =>
  command
    .option(
      '--only <list>',
      'count only these: operations, methods, paths, statuses, such as getNode,/media/*',
      readItems,
    )
    .option('--ignore <list>', 'count without these, such as 5xx', readItems)
    .option('--everything', 'count HEAD, and what is beyond the contract, too');

const readItems = (text: string, before: readonly string[] = []): string[] => {
  const items = text.split(',').map((item) => item.trim());
  const wrong = items.find((item) => !/^[\w*/{}.~-]+$/.test(item) || /^\d/.test(item) !== statusLike.test(item));
  if (wrong === undefined) return [...before, ...items];
  throw new InvalidArgumentError(`"${wrong}" is not an operation, method, path or status. A status is 404 or 5xx.`);
};

const statusLike = /^[1-5](?:\d\d|xx)$/i;

/** The record with what is in scope. Throws `ConfigurationError` for an item that matches nothing. */
export const inScope = (record: CoverageRecord, options: ScopeOptions): CoverageRecord => {
  const scope = scopeOf(options);
  const [unmatched] = unmatchedItems(record, scope);
  if (unmatched === undefined) return scopedCoverage(record, scope);
  throw new ConfigurationError(
    `"${unmatched}" of --only or --ignore matches no operation, method or path of the document.`,
  );
};

export const scopeOf = ({ only = [], ignore = [], everything = false }: ScopeOptions): CoverageScope => ({
  only,
  ignore,
  everything,
});
