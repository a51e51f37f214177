/** `atoll coverage report|check|merge|requests`: how much of the contract the clients of a running server have covered. By hand, for they read files and goals. */
import { given, parsedJson } from '../../basics/json.ts';
import { type Command, Option } from 'commander';
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { requireFormat } from '../../basics/disk/require-format.ts';
import type { ControlSchemas } from '../../client/client-control.ts';
import {
  coverageCells,
  type CoverageGoals,
  type CoverageRecord,
  mergeCoverage,
  missedGoals,
} from '../../contract/contract-coverage.ts';
import { type CoverageFormat, coverageFormats, coverageReport, missedGoalsText } from '../../server/server.ts';
import type { CommandContext } from '../command-context.ts';
import { inScope, type ScopeOptions, withScope, readGoals } from '../options/coverage-options.ts';
import { exitCodes } from '../exit-codes.ts';
import { sendCommand, type ServerOptions, withServer } from './server-connection.ts';

/** Reads coverage records from files, and writes coverage reports to a file or the terminal. */
const names = v.array(v.string());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Ignores the figures, which are computed again. */
const recordSchema = v.object({
  version: v.literal(1),
  offered: v.array(
    v.object({
      operation: v.string(),
      method: v.string(),
      path: v.string(),
      answers: v.record(v.string(), names),
      identities: names,
      relations: names,
      /** Earlier reports do not say. */
      isExtra: v.optional(v.boolean(), false),
    }),
  ),
  answers: v.array(
    v.object({ operation: v.string(), status: count, mediaType: v.nullable(v.string()), identities: names, count }),
  ),
  relations: v.array(v.object({ operation: v.string(), relation: v.string(), seen: count, followed: count })),
  /** Earlier reports have none. */
  advice: v.optional(v.array(v.object({ operation: v.string(), pointer: v.string(), reason: v.string(), count })), []),
});

/** Reads a JSON report. Throws `ConfigurationError` when the file cannot be read or holds something else. */
const readCoverageFile = async (file: string): Promise<CoverageRecord> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${file}: cannot be read.`, { cause });
  });
  requireFormat(file, parsedJson(text), 1, 'version');
  try {
    return v.parse(recordSchema, JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      `${file}: is not coverage as "atoll coverage report --format json" writes it: ${reason}`,
      { cause },
    );
  }
};

/** Writes a report to a file, or prints it when `file` is undefined. */
const writeReport = async (text: string, file: string | undefined, print: (text: string) => void): Promise<void> => {
  if (file === undefined) print(text.trimEnd());
  else await writeFile(file, text);
};

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
    .description('Show how much of the contract the clients of a running server have covered.');
  withSource(coverage.command('report'))
    .description('Show the coverage.')
    .addOption(new Option('--format <format>', 'the format of the report').choices(coverageFormats).default('table'))
    .option('--min <metric=percent,…>', 'goals that the formats junit and markdown judge', readGoals)
    .option('-o, --output <file>', 'write it to a file')
    .action(async ({ format, output, min = {}, ...source }: ReportOptions) =>
      writeReport(coverageReport(await recordFrom(source), format, { goals: min }), output, context.print),
    );
  withSource(coverage.command('check'))
    .description('Compare it with goals; ends with 6, and lists the gaps, when it is less.')
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
    .addOption(new Option('--format <format>', 'the format of the sum').choices(coverageFormats).default('json'))
    .option('-o, --output <file>', 'write it to a file')
    .action(async (files: string[], { format, output }: Pick<ReportOptions, 'format' | 'output'>) => {
      const records = await Promise.all(files.map(readCoverageFile));
      await writeReport(coverageReport(mergeCoverage(records), format), output, context.print);
    });
  withScope(withServer(coverage.command('requests')))
    .description('Show requests that would cover the rest.')
    .option('--all', 'also for statuses that are covered already')
    .option('--json', 'print JSON lines')
    .action((options: RequestsOptions) => showRequests(options, context));
};

const withSource = (command: Command): Command =>
  withScope(withServer(command)).option('--input <file>', 'a JSON report instead of a running server');

const recordFrom = async ({ input, only, ignore, everything, ...server }: SourceOptions): Promise<CoverageRecord> => {
  const record =
    input === undefined
      ? await sendCommand(server, 'getCoverage', { query: { format: 'json' } })
      : await readCoverageFile(input);
  return inScope(record, given({ only, ignore, everything }));
};

/** For each status of the document that no client has met, the request that would meet it. */
const showRequests = async ({ all, json, ...source }: RequestsOptions, context: CommandContext): Promise<void> => {
  const scope = await recordFrom(source);
  const wanted = new Set(coverageCells(scope, 'statuses').map(({ operation, name }) => `${operation} ${name}`));
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
