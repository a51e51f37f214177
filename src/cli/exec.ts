/** `atoll exec -- CMD`: runs a command with a server of its own, and ends with the exit code of the command. */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Atoll, AtollOptions } from '../atoll.ts';
import { missedGoals, type CoverageGoals, type CoverageRecord } from '../coverage/coverage-figures.ts';
import { coverageFormats, coverageReport, missedGoalsText, type CoverageFormat } from '../coverage/coverage-report.ts';
import { clientEnvironment } from './client-environment.ts';
import { readGoals } from './remote/coverage-goals.ts';
import { exitCodes } from './exit-codes.ts';
import type { CommandContext } from './command-context.ts';
import { appendValue, readPort } from './option-parsers.ts';

type ExecOptions = Pick<AtollOptions, 'port' | 'fixture' | 'site' | 'handlers' | 'checkReplies'> & {
  readonly overlay?: readonly string[];
  readonly report?: readonly CoverageFormat[];
  readonly reportDir: string;
  readonly cover?: boolean;
  readonly min?: CoverageGoals;
};

/** How a command ended: with a code, or by a signal. */
type ExitStatus = { readonly code: number } | { readonly signal: NodeJS.Signals };

export const addExec = (program: Command, context: CommandContext): void => {
  program
    .command('exec')
    .description('Run a command beside a server in memory, whose address and tokens it finds in its environment.')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', readPort, 0)
    .option('--fixture <name|dir>', 'what the repository is filled with: starter, empty, or a directory', 'starter')
    .option('--site <dir>', 'the directory of the site (default: the built-in site)')
    .option('--overlay <file>', 'an OpenAPI Overlay over the document; may be repeated', appendValue)
    .option('--handlers <dir>', 'a folder of handlers for the operations that overlays add')
    .addOption(
      new Option('--check-replies <mode>', 'what to do with an answer that the document does not allow')
        .choices(['off', 'log', 'fail'])
        .default('fail'),
    )
    .option('--cover', 'print how much of the contract the command has covered')
    .option('--report <formats>', `write coverage reports: ${coverageFormats.join(', ')}`, readFormats)
    .option('--report-dir <dir>', 'where the reports go', 'atoll-report')
    .option(
      '--min <goals>',
      'least percentages, such as operations=100,statuses=80; with less the code is 6',
      readGoals,
    )
    .addHelpText('after', '\nExample: atoll exec -- npx playwright test')
    .action((command: string[], options: ExecOptions) => exec(command, options, context));
};

const exec = async (command: readonly string[], options: ExecOptions, context: CommandContext): Promise<void> => {
  const { report, reportDir, cover, min, overlay = [], ...server } = options;
  const { startAtoll } = await import('../atoll.ts');
  const atoll = await startAtoll({
    ...server,
    overlays: overlay,
    onError: (error) => context.warn(`atoll: ${String(error)}`),
  });
  const { status, coverage } = await runWithServer(atoll, command, context).finally(() => atoll.close());
  if (cover === true) context.warn(coverageReport(coverage, 'table'));
  if (report !== undefined) await writeReports(coverage, report, reportDir);
  const missed = missedGoals(coverage, min ?? {});
  if (missed.length > 0) context.warn(missedGoalsText(missed));
  if ('signal' in status) context.exitBySignal(status.signal);
  // The failure of the command itself matters more than a missed goal.
  else context.exit(status.code === exitCodes.ok && missed.length > 0 ? exitCodes.goalMissed : status.code);
};

const runWithServer = async (atoll: Atoll, command: readonly string[], context: CommandContext) => {
  const variables = await clientEnvironment(atoll.url, atoll.accounts, atoll.fetch);
  // Fetching the tokens is not traffic of the command.
  await Promise.all([atoll.clearTraffic(), atoll.clearCoverage()]);
  const status = await runCommand(command, variables, context);
  return { status, coverage: await atoll.coverage() };
};

const readFormats = (text: string): readonly CoverageFormat[] =>
  text.split(',').map((name) => {
    const format = coverageFormats.find((each) => each === name.trim());
    if (format !== undefined) return format;
    throw new InvalidArgumentError(`"${name}" is none of ${coverageFormats.join(', ')}.`);
  });

const fileNames: { readonly [format in CoverageFormat]: string } = {
  table: 'coverage.txt',
  html: 'coverage.html',
  junit: 'coverage.junit.xml',
  json: 'coverage.json',
};

const writeReports = async (
  coverage: CoverageRecord,
  formats: readonly CoverageFormat[],
  folder: string,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const format of formats) await writeFile(join(folder, fileNames[format]), coverageReport(coverage, format));
};

/** Shares input and output with the command, and forwards signals to it. */
const runCommand = (
  [file = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  context: CommandContext,
): Promise<ExitStatus> =>
  new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: 'inherit',
      env: { ...context.environment, ...variables },
      // On Windows npm puts shell scripts on the path.
      shell: context.isWindows,
    });
    context.onSignal((signal) => child.kill(signal));
    child.on('error', (error: NodeJS.ErrnoException) => {
      context.warn(`atoll: ${file} cannot be run (${error.code ?? error.message}).`);
      // The codes of shells: not found, or cannot be executed.
      resolve({ code: error.code === 'ENOENT' ? 127 : 126 });
    });
    child.on('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
