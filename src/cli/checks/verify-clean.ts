/** `atoll verify clean`: removes what an interrupted run has left on its target. */
import { InvalidArgumentError, type Command } from 'commander';
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
  const { removeLeftovers } = await import('../../checks/checks.ts');
  let count = 0;
  let isClean = true;
  for await (const run of removeLeftovers(opened, options)) {
    count += 1;
    context.print(run.text);
    isClean &&= run.isClean;
  }
  if (count === 0) context.print(`No run against ${options.target} has left anything: there is no journal of one.`);
  if (!isClean) context.exit(exitCodes.findings);
};
