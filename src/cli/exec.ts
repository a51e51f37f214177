/** `atoll exec -- CMD`: runs a command with a server of its own, and ends with the exit code of the command. */
import { given } from '../basics/json.ts';
import { Option, type Command } from 'commander';
import type { Atoll } from './entries/in-process-atoll.ts';
import { missedGoals, type CoverageGoals, type CoverageRecord } from '../contract/contract-coverage.ts';
import { figuresText, missedGoalsText } from '../server/server.ts';
import { clientEnvironment } from './client-environment.ts';
import { inScope, scopeOf, withScope, type ScopeOptions, readGoals } from './options/coverage-options.ts';
import {
  type Evidence,
  execFormats,
  readEvidence,
  readFormats,
  shortened,
  violationsText,
  writeReports,
  type ExecFormat,
} from './exec-reports.ts';
import { exitCodes } from './exit-codes.ts';
import type { CommandContext } from './command-context.ts';
import { importSourceOf } from './options/drupal-options.ts';
import { readSigningKey } from './options/secret-files.ts';
import { addStartOptions, readOptions, type ReadOptions, refuseContradictions } from './options/start-options.ts';

/** Those that are about what the command covers, apart from the start options of its server. */
type ExecOptions = ScopeOptions & {
  readonly report?: readonly ExecFormat[];
  readonly reportDir: string;
  readonly cover?: boolean;
  readonly min?: CoverageGoals;
  readonly failOn?: 'violations';
};

/** How a command ended: with a code, or by a signal. */
type ExitStatus = { readonly code: number } | { readonly signal: NodeJS.Signals };

export const addExec = (program: Command, context: CommandContext): void => {
  addStartOptions(withScope(program.command('exec')), 'exec')
    .description('Run a command with a server in memory, whose address and tokens it finds in its environment.')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--cover', 'print how much of the contract the command has covered, in a line for each metric')
    .option('--report <formats>', `write reports: ${execFormats.join(', ')}`, readFormats)
    .option('--report-dir <dir>', 'where the reports go', 'atoll-report')
    .option(
      '--min <goals>',
      'least percentages, such as operations=100,statuses=80; with less the code is 6',
      readGoals,
    )
    .addOption(
      new Option('--fail-on <what>', 'end with 8 when a request or a reply has broken the contract').choices([
        'violations',
      ]),
    )
    .addHelpText('after', '\nExample: atoll exec -- npx playwright test')
    .action((command: string[], options: ExecOptions, self: Command) => {
      const { values } = readOptions(self, 'exec', context.environment);
      refuseContradictions(self, values, 'exec');
      return exec(command, { options, values }, context);
    });
};

type ExecSettings = { readonly options: ExecOptions; readonly values: ReadOptions<'exec'>['values'] };

const exec = async (
  command: readonly string[],
  { options, values }: ExecSettings,
  context: CommandContext,
): Promise<void> => {
  const { report = [], reportDir, cover, min = {}, failOn, only, ignore, everything } = options;
  const scope = scopeOf(given({ only, ignore, everything }));
  const { startInProcess, connectAtoll } = await import('./entries/in-process-atoll.ts');
  const atoll = await startInProcess(
    {
      ...values,
      drupalConfig: importSourceOf(values, context.rim),
      jwtKey: await readSigningKey(values.jwtKey),
      onError: (error) => context.warn(`atoll: ${error instanceof Error ? error.message : String(error)}`),
    },
    context.rim,
  );
  const reading = {
    narrow: (record: CoverageRecord) => inScope(record, scope),
    scope,
    formats: report,
    connect: (url: string) => connectAtoll(url),
  };
  const { status, evidence } = await runWithServer(atoll, command, { reading, context }).finally(() => atoll.close());
  if (report.length > 0) await writeReports(evidence, report, { folder: reportDir, goals: min });
  if ('signal' in status) {
    context.exitBySignal(status.signal);
    return;
  }
  // The failure of the command itself matters more, and its own words are the last ones.
  if (status.code !== exitCodes.ok) {
    context.exit(status.code);
    return;
  }
  const { code, texts } = judge(evidence, { min, failOn, url: atoll.url });
  const said = shortened([...texts, ...(cover === true ? [figuresText(evidence.coverage)] : [])]);
  if (said.length > 0) context.warn(said.join('\n'));
  context.exit(code);
};

type Judging = { readonly min: CoverageGoals; readonly failOn: ExecOptions['failOn']; readonly url: string };

/** The exit code when the command itself was successful, and why it is another one than 0. */
const judge = (
  { coverage, violations, isUsed }: Evidence & { readonly isUsed: boolean },
  { min, failOn, url }: Judging,
): { readonly code: number; readonly texts: readonly string[] } => {
  const missed = missedGoals(coverage, min);
  const isBroken = failOn === 'violations' && violations.length > 0;
  const texts = [
    ...(isBroken ? [violationsText(violations)] : []),
    ...(missed.length > 0 && !isUsed ? [unusedText(url)] : []),
    ...missed.map((goal) => missedGoalsText([goal])),
  ];
  return { code: isBroken ? exitCodes.violations : missed.length > 0 ? exitCodes.goalMissed : exitCodes.ok, texts };
};

const unusedText = (url: string): string =>
  `atoll: the command has sent nothing to ${url}. It finds this address in ATOLL_URL; a server that it starts by itself ` +
  'with startAtoll() is not counted. Use connectAtoll() with this address there.';

type RunOptions = { readonly reading: Parameters<typeof readEvidence>[1]; readonly context: CommandContext };

const runWithServer = async (atoll: Atoll, command: readonly string[], { reading, context }: RunOptions) => {
  // A scope that cannot be is refused before anything runs.
  reading.narrow(await atoll.coverage());
  const variables = await clientEnvironment(atoll.url, atoll.accounts, atoll.fetch);
  // Fetching the tokens is not traffic of the command.
  await Promise.all([atoll.clearTraffic(), atoll.clearCoverage()]);
  const status = await runCommand(command, { ...variables, ATOLL_EXEC: atoll.url }, context);
  const isUsed = (await atoll.coverage()).answers.length > 0;
  return { status, evidence: { ...(await readEvidence(atoll, reading)), isUsed } };
};

/** Shares input and output with the command, and forwards signals to it. */
const runCommand = async (
  [file = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  context: CommandContext,
): Promise<ExitStatus> => {
  // On Windows npm puts shell scripts on the path, and an argument needs the quotes of that shell.
  const { default: spawn } = await import('cross-spawn');
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...context.environment, ...variables } });
    context.onSignal((signal) => child.kill(signal));
    child.on('error', (error: NodeJS.ErrnoException) => {
      context.warn(`atoll: ${file} cannot be run (${error.code ?? error.message}).`);
      // The codes of shells: not found, or cannot be executed.
      resolve({ code: error.code === 'ENOENT' ? 127 : 126 });
    });
    child.on('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
};
