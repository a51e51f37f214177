/** `atoll verify clean`: removes what an interrupted run has left on its target. */
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { openTarget, withAccounts, withContract, withTarget, type TargetOptions } from './target-options.ts';

type CleanOptions = TargetOptions & { readonly label?: string; readonly journal?: string };

export const addVerifyClean = (verify: Command, context: CommandContext): void => {
  withAccounts(withContract(withTarget(verify.command('clean'))))
    .description(
      'Remove what interrupted runs have left on the target, by their journals; ends with 1 when something stays.',
    )
    .option('--label <text>', 'only of the run with this label', readText)
    .option('--journal <file>', 'by this journal (default: all of this target below .atoll-verify)', readText)
    .action((options: CleanOptions) => clean(options, context));
};

const readText = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
};

const clean = async (options: CleanOptions, context: CommandContext): Promise<void> => {
  const opened = await openTarget(options, context);
  const [{ cleanTarget }, { journalsFor, openJournal }, { removalLines }] = await Promise.all([
    import('../../checks/verify/workspace/clean-up.ts'),
    import('../../checks/verify/workspace/journal.ts'),
    import('../../checks/verify/reports/text-report.ts'),
  ]);
  const { target, label, journal } = options;
  const files = journal === undefined ? await journalsFor(target) : [journal];
  const journals = await Promise.all(files.map(async (file) => ({ file, label: (await openJournal(file)).label })));
  const chosen = label === undefined ? journals : journals.filter((each) => each.label === label);
  if (chosen.length === 0 && label !== undefined)
    throw new ConfigurationError(`There is no journal of a run with the label "${label}" against ${target}.`);
  if (chosen.length === 0) context.print(`No run against ${target} has left anything: there is no journal of one.`);
  let isClean = true;
  for (const { file } of chosen) {
    const cleaned = await cleanTarget(opened, file);
    context.print([cleaned.label, ...removalLines(cleaned, target)].join('\n'));
    isClean &&= cleaned.left.length === 0;
  }
  if (!isClean) context.exit(exitCodes.findings);
};
