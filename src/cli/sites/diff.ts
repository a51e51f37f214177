/** `atoll diff OLD NEW`: what changed between two documents or sites, who it breaks, and why. `document-diff/` compares. */
import { Option, type Command } from 'commander';
import { judgedParties, type JudgedParty } from '../../sites/document-diff/document-change.ts';
import { failLevels, type DiffReport, type FailLevel } from '../../sites/document-diff/diff-report.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { parserOf } from '../options/option-parsers.ts';
import { limitsOf } from '../options/limit-options.ts';
import { reportReader, type ReportFile, writeReportFiles } from '../report-files.ts';
import { seconds } from '../../basics/options/option-kinds.ts';

type DiffCommandOptions = {
  readonly for: JudgedParty;
  readonly failOn: FailLevel;
  readonly json?: boolean;
  readonly report?: readonly ReportFile<'junit'>[];
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly timeout: number;
};

export const addDiff = (program: Command, context: CommandContext): void => {
  program
    .command('diff <old> <new>')
    .description('Say what changed between two documents or sites, who it breaks, and why; ends with 1 when it breaks.')
    .addOption(
      new Option('--for <party>', 'judge for clients, or for servers, of the old document')
        .choices(judgedParties)
        .default('client'),
    )
    .addOption(
      new Option('--fail-on <kind>', 'end with 1 for a change of this kind or a worse one')
        .choices(failLevels)
        .default('breaking'),
    )
    .option('--json', 'print the changes as JSON')
    .option('--report <junit=file>', 'also write a JUnit report', reportReader('junit'))
    .option('--ca <file>', 'the certificate (PEM) of an authority to trust')
    .option('--insecure', 'trust any certificate, for a test server')
    .option('--timeout <seconds>', 'how long to wait for a server', parserOf(seconds()), 30)
    .addHelpText(
      'after',
      '\nEach is a file (YAML or JSON), the address of a document or of a running server, the directory of a site,' +
        '\n`default` (the built-in site) or `starter-site`. Two sites are compared as sites, too.',
    )
    .action((before: string, after: string, options: DiffCommandOptions) => diff([before, after], options, context));
};

const diff = async (
  [before, after]: readonly [string, string],
  options: DiffCommandOptions,
  context: CommandContext,
): Promise<void> => {
  const report = await compare(before, after, options, context);
  const { diffJson, diffJunit, diffPage, hasFindings } = await import('../../sites/document-diff/diff-report.ts');
  context.print(options.json === true ? diffJson(report) : diffPage(report));
  await writeReportFiles(options.report, () => diffJunit(report, options.failOn));
  if (hasFindings(report, options.failOn)) context.exit(exitCodes.findings);
};

const compare = async (
  before: string,
  after: string,
  options: DiffCommandOptions,
  context: CommandContext,
): Promise<DiffReport> => {
  const limits = await limitsOf(options);
  const [{ readCompared }, { compareSources }] = await Promise.all([
    import('../../sites/compared/compared-source.ts'),
    import('../../sites/document-diff/diff-report.ts'),
  ]);
  const [old, now] = await readCompared([before, after], { limits, place: context });
  return compareSources({ ...old, name: before }, { ...now, name: after }, options.for);
};
