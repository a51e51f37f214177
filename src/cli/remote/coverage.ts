/** `atoll coverage report|check|merge|requests|clear`: how much of the contract the clients of a running server have covered. */
import { Option, type Command } from 'commander';
import {
  cellsOf,
  mergeCoverage,
  missedGoals,
  type CoverageGoals,
  type CoverageRecord,
} from '../../contract/coverage/coverage-figures.ts';
import {
  coverageFormats,
  coverageReport,
  missedGoalsText,
  type CoverageFormat,
} from '../../server/coverage/coverage-report.ts';
import type { ControlSchemas } from '../../client/control/control-types.ts';
import { row } from './remote-command.ts';
import { sendCommand, withServer, type ServerOptions } from './server-connection.ts';
import { writeReport, readCoverageFile } from './coverage-file.ts';
import { readGoals } from './coverage-goals.ts';
import { exitCodes } from '../exit-codes.ts';
import { inScope, withScope, type ScopeOptions } from '../coverage-scope-options.ts';
import type { CommandContext } from '../command-context.ts';

type SourceOptions = ServerOptions & ScopeOptions & { readonly input?: string };
type ReportOptions = SourceOptions & {
  readonly format: CoverageFormat;
  readonly output?: string;
  readonly min?: CoverageGoals;
};
type RequestsOptions = ServerOptions & ScopeOptions & { readonly all?: boolean; readonly json?: boolean };
type CheckOptions = SourceOptions & { readonly min: CoverageGoals };

export const addCoverage = (program: Command, context: CommandContext): void => {
  const coverage = program
    .command('coverage')
    .description('How much of the contract the clients of a running server have covered.');
  withSource(coverage.command('report'))
    .description('Show it.')
    .addOption(new Option('--format <format>', 'how it is written').choices(coverageFormats).default('table'))
    .option('--min <metric=percent,…>', 'goals that the formats junit and markdown judge', readGoals)
    .option('-o, --output <file>', 'write it to a file')
    .action(async ({ format, output, min = {}, ...source }: ReportOptions) =>
      writeReport(coverageReport(await recordFrom(source), format, { goals: min }), output, context.print),
    );
  withSource(coverage.command('check'))
    .description('End with 6 when it is less than wanted, with a list of what is not covered.')
    .requiredOption(
      '--min <metric=percent,…>',
      'least percentages: operations, statuses, errors, media-types, identities, relations, followed',
      readGoals,
    )
    .action(async ({ min, ...source }: CheckOptions) => {
      const missed = missedGoals(await recordFrom(source), min);
      if (missed.length === 0) context.print('Every goal is met.');
      else {
        context.print(missedGoalsText(missed));
        context.exit(exitCodes.goalMissed);
      }
    });
  coverage
    .command('merge')
    .description('Add up the JSON reports of several runs.')
    .argument('<file...>', 'as "atoll coverage report --format json" writes them')
    .addOption(new Option('--format <format>', 'how the sum is written').choices(coverageFormats).default('json'))
    .option('-o, --output <file>', 'write it to a file')
    .action(async (files: string[], { format, output }: Pick<ReportOptions, 'format' | 'output'>) => {
      const records = await Promise.all(files.map(readCoverageFile));
      await writeReport(coverageReport(mergeCoverage(records), format), output, context.print);
    });
  withScope(withServer(coverage.command('requests')))
    .description('Show requests that would meet what is not met yet.')
    .option('--all', 'also what is met already')
    .option('--json', 'print JSON lines')
    .action((options: RequestsOptions) => showRequests(options, context));
  addClear(coverage, context);
};

const addClear = row('clear', 'Begin to count anew.', 'clearCoverage');

const withSource = (command: Command): Command =>
  withScope(withServer(command)).option('--input <file>', 'a JSON report instead of a running server');

const recordFrom = async ({ input, only, ignore, ...server }: SourceOptions): Promise<CoverageRecord> => {
  const record =
    input === undefined
      ? await sendCommand(server, 'getCoverage', { query: { format: 'json' } })
      : await readCoverageFile(input);
  return inScope(record, { ...(only && { only }), ...(ignore && { ignore }) });
};

/** For each status of the document that no client has met, the request that would meet it. */
const showRequests = async ({ all, json, ...source }: RequestsOptions, context: CommandContext): Promise<void> => {
  const scope = await recordFrom(source);
  const wanted = new Set(cellsOf(scope, 'statuses').map(({ operation, name }) => `${operation} ${name}`));
  const operations = new Set(scope.offered.map(({ operation }) => operation));
  // One operation needs no search for all the others.
  const [operation] = operations.size === 1 ? operations : [];
  const query = { operation, met: all === true ? undefined : ('unmet' as const) };
  const { requests } = await sendCommand(source, 'listCoverageRequests', { query });
  for (const request of requests) {
    if (!wanted.has(`${request.operation} ${request.status}`)) continue;
    context.print(json === true ? JSON.stringify(request) : requestText(request));
  }
};

const requestText = ({ operation, status, explanation, curl }: ControlSchemas['CoverageRequest']): string =>
  [
    `# ${operation} ${status}: ${explanation.replace(/\s+/g, ' ')}`,
    curl ?? '# There is no request that surely meets it.',
    '',
  ].join('\n');
