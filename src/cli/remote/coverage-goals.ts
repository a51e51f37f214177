/** Parses the goals of coverage from the command line, such as `operations=100,statuses=80`. */
import { InvalidArgumentError } from 'commander';
import { coverageMetrics, type CoverageGoals, type CoverageMetric } from '../../contract/coverage/coverage-figures.ts';

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

const isMetric = (name: string): name is CoverageMetric => coverageMetrics.some((metric) => metric === name);
