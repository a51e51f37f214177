/** `atoll diff OLD NEW`: what changed between two documents or sites, who it breaks, and why. `document-diff/` compares. */
import { Option, type Command } from 'commander';
import { failLevels, judgedParties, type FailLevel, type JudgedParty } from '../../sites/sites-choices.ts';
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
  names: readonly [string, string],
  options: DiffCommandOptions,
  context: CommandContext,
): Promise<void> => {
  const limits = await limitsOf(options);
  const { compareNamed } = await import('../../sites/sites.ts');
  const comparison = await compareNamed(names, { limits, place: context, judgeFor: options.for });
  context.print(options.json === true ? comparison.toJson() : comparison.toText());
  await writeReportFiles(options.report, () => comparison.toJunit(options.failOn));
  if (comparison.hasFindings(options.failOn)) context.exit(exitCodes.findings);
};
