/** `missing_coverage`: what of the contract the clients of a world have not met yet, with requests that meet it. */
import { coverageCells, type CoverageRecord, scopedCoverage } from '../../contract/contract-coverage.ts';
import { list, optional, structure, table, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { shownRequests } from '../sandbox/dry-run.ts';
import { requestShape, worldName } from '../sandbox/sandbox-request.ts';

export const missingCoverage = defineTool({
  name: 'missing_coverage',
  title: 'Missing coverage',
  description:
    'The statuses of the contract that the clients of a world have not met yet, by operation. With "operation" also requests that meet each (arguments for try_request). main counts all worlds; give a client a world of its own to count it alone.',
  hints: { readOnly: true },
  input: structure({
    world: optional(worldName),
    operation: optional(text('The id of an operation.', { maxLength: 100 })),
    status: optional(text('Only this status.', { pattern: '^[1-5][0-9][0-9]$' })),
  }),
  output: structure({
    world: text('The world.'),
    figures: table(text('Met, of how many.'), 'How much is met.'),
    notice,
    missing: list(
      structure({
        operation: text('The id of the operation.'),
        statuses: optional(text('All of its statuses that are not met.')),
        status: optional(whole('One status that is not met.')),
        how: optional(text('How it is met, or what it means.')),
        requests: optional(list(requestShape, 'Requests that meet it, one after the other.')),
        keeps: optional(
          list(
            table(text('A JSON pointer.'), 'Values of an answer by the names of {{variables}}.'),
            'What each answer gives to later requests.',
          ),
        ),
      }),
      'What is not met yet.',
    ),
  }),
  long: 'missing',
  run: async ({ world: name, operation, status }, call) => {
    const world = await call.world(name);
    const coverage = await world.coverage();
    const figures = Object.fromEntries(coverage.figures.map(({ metric, met, of }) => [metric, `${met} of ${of}`]));
    const about = { world: world.name, figures, notice: dataNotice('missing') };
    if (operation === undefined) return { ...about, missing: byOperation(coverage, status) };
    const found = await world.coverageRequests({
      operation,
      met: 'unmet',
      status,
    });
    return {
      ...about,
      missing: found.map((each) => ({
        ...{ operation, status: each.status, how: each.explanation },
        requests: shownRequests(each.steps),
        ...(each.steps.some(({ keeps }) => keeps !== undefined)
          ? { keeps: each.steps.map(({ keeps }) => keeps ?? {}) }
          : {}),
      })),
    };
  },
});

const byOperation = (coverage: CoverageRecord, status: string | undefined) => {
  const missing = new Map<string, string[]>();
  for (const { operation, name, count } of coverageCells(scopedCoverage(coverage), 'statuses')) {
    if (count === 0 && (status === undefined || name === status))
      missing.set(operation, [...(missing.get(operation) ?? []), name]);
  }
  return [...missing].map(([operation, statuses]) => ({ operation, statuses: statuses.join(' ') }));
};
