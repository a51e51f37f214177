/** `atoll site diff A B`: says what changed for clients between two sites, and ends with 1 when it breaks them. */
import type { Command } from 'commander';
import { siteDirectory } from '../../server/sources/packaged-sites.ts';
import type { CommandContext } from '../command-context.ts';

type DiffOptions = { readonly json?: boolean };

/** The exit code for a change that breaks clients. */
const breakingCode = 1;

export const addSiteDiff = (site: Command, context: CommandContext): void => {
  site
    .command('diff <before> <after>')
    .description('Say what changed for clients between two sites; ends with 1 when it breaks them.')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', '\nA site is a directory, `default` (the built-in site) or `starter-site`.')
    .action((before: string, after: string, options: DiffOptions) => diff([before, after], options, context));
};

/** Only this command needs them. */
const loadComparison = () =>
  Promise.all([
    import('../../server/sources/disk-site.ts'),
    import('../../sites/site-diff/compare-sites.ts'),
    import('../../sites/site-diff/difference-report.ts'),
  ]);

const diff = async ([before, after]: readonly [string, string], { json }: DiffOptions, context: CommandContext) => {
  const [{ loadSite }, { compareSites, isBreaking }, { differenceJson, differencePage }] = await loadComparison();
  const load = (name: string) => loadSite(siteDirectory(context.root, name === 'default' ? undefined : name));
  const differences = compareSites(await load(before), await load(after));
  context.print(json === true ? differenceJson(differences) : differencePage(differences));
  if (differences.some(isBreaking)) context.exit(breakingCode);
};
