/** Removes what interrupted runs have left on a target, run by run. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { OpenedTarget } from '../target/open-target.ts';
import { removalLines } from './reports/text-report.ts';
import { cleanTarget } from './workspace/clean-up.ts';
import { journalsFor, openJournal } from './workspace/journal.ts';

type LeftoverOptions = {
  /** Only of the run with this label. */
  readonly label?: string | undefined;
  /** The file of one journal. Default: all of this target below `.atoll-verify` in the working directory. */
  readonly journal?: string | undefined;
};

/** One run: whether nothing of it is left, and lines that say what was removed and what stays. */
type RemovedLeftovers = { readonly isClean: boolean; readonly text: string };

/**
 * Removes what interrupted runs have left, one run after the other. Yields nothing where no journal is there. Throws
 * `ConfigurationError` for a label or a journal that does not fit, and `TargetError` for a target that does not answer.
 */
export const removeLeftovers = async function* (
  opened: OpenedTarget,
  { label, journal }: LeftoverOptions,
): AsyncGenerator<RemovedLeftovers, void> {
  const target = opened.sender.baseUrl;
  const files = journal === undefined ? await journalsFor(target) : [journal];
  const journals = await Promise.all(files.map(async (file) => ({ file, label: (await openJournal(file)).label })));
  const chosen = label === undefined ? journals : journals.filter((each) => each.label === label);
  if (chosen.length === 0 && label !== undefined)
    throw new ConfigurationError(`There is no journal of a run with the label "${label}" against ${target}.`);
  for (const { file } of chosen) {
    const cleaned = await cleanTarget(opened, file);
    const text = [cleaned.label, ...removalLines(cleaned, target)].join('\n');
    yield { isClean: cleaned.left.length === 0, text };
  }
};
