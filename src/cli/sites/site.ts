/** `atoll site`: the commands about descriptions of sites. */
import { recordModel, type Site } from '../../repository/repository.ts';
import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { faultLine } from '../../basics/records/record-faults.ts';
import type { ImportReport, ImportSource } from '../../openapi/openapi-host.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { exportedConfiguration } from '../options/exported-configuration.ts';
import { parserOf } from '../options/option-parsers.ts';
import { keyOf, type EntityKey } from '../../openapi/openapi-records.ts';
import { list, repeated } from '../../basics/options/option-kinds.ts';

type DiffOptions = { readonly json?: boolean };

const addSiteDiff = (site: Command, context: CommandContext): void => {
  site
    .command('diff <before> <after>')
    .description('Say what changed for clients between two sites; ends with 1 when it breaks them.')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', '\nA site is a directory, `default` (the built-in site) or `starter-site`.')
    .action((before: string, after: string, options: DiffOptions) => diff([before, after], options, context));
};

const diff = async (names: readonly [string, string], { json }: DiffOptions, context: CommandContext) => {
  const [{ compareSites }, { loadNamedSite }] = await Promise.all([
    import('../../sites/sites.ts'),
    import('../../application/application-disk.ts'),
  ]);
  const { root, prepared } = context;
  const load = async (name: string) => ({
    name,
    site: await loadNamedSite(root, name === 'default' ? undefined : name),
  });
  const [before, after] = [await load(names[0]), await load(names[1])];
  const comparison = await compareSites(before, after, { root, prepared, site: undefined });
  context.print(json === true ? comparison.toJson() : comparison.toText());
  if (comparison.hasFindings('breaking')) context.exit(exitCodes.findings);
};

/** Objects of the sample with which an import is served before it is written. */
const triedObjects = 20;

type ImportOptions = {
  readonly also?: readonly string[];
  readonly terms?: readonly string[];
  readonly enable?: readonly string[];
  readonly out: string;
  readonly strict?: boolean;
  readonly report?: string;
  readonly data?: string;
};

const addSiteImport = (site: Command, context: CommandContext): void => {
  site
    .command('import <folder>')
    .description('Make a site from the configuration that a Drupal repository exports.')
    .requiredOption('--out <dir>', 'the directory of the site: a new one, or one of an earlier import')
    .option(
      '--also <dir>',
      'a folder that lies over the first, such as a split; may be repeated',
      parserOf(repeated('<dir>')),
    )
    .option(
      '--terms <file>',
      'a table of terms in CSV, with the columns vid and name; may be repeated',
      parserOf(repeated('<file>')),
    )
    .option(
      '--enable <types>',
      'records to serve although no resource enables them, such as node,media,term',
      parserOf(list('<types>')),
    )
    .option('--strict', 'exit with 2 when anything is taken in part or not judged')
    .option('--data <dir>', 'a repository that is served with this site: say which of its records no longer fit')
    .option('--report <file>', 'write the report too: as JSON if the name ends with .json, else as Markdown')
    .action((folder: string, options: ImportOptions) => importSite(folder, options, context));
};

const importSite = async (folder: string, options: ImportOptions, context: CommandContext): Promise<void> => {
  // Loaded here, because no other command reads such a configuration.
  const { planImport } = await import('../../sites/sites.ts');
  const out = resolve(options.out);
  const source = { folders: [folder, ...(options.also ?? [])], terms: options.terms ?? [], enable: options.enable };
  const plan = await planImport(source, { root: context.root, out });
  const tell = async (): Promise<void> => {
    if (options.report !== undefined) await writeReport(options.report, plan.report, plan.toText());
    context.print(plan.toText());
  };
  // Whatever a configuration holds, the site must be one that can be served, with what people have added to the folder and
  // without. If not, the folder stays as it is.
  const site = await plan.plannedSite().catch(async (refusal: unknown) => {
    await tell();
    throw refusal;
  });
  const served = await serveOnce(source, context).catch(async (refusal: unknown) => {
    await tell();
    throw refusal;
  });
  const before = await plan.earlierSite();
  await plan.write();
  await tell();
  if (before !== undefined) await sayWhatChanged(before, site, context);
  if (options.data !== undefined) await sayWhatNoLongerFits(resolve(options.data), { before, after: site }, context);
  context.print(`\n${served}`);
  context.print(`\nWrote the site to ${options.out}. Serve it: atoll serve --site ${options.out} --fixture sample`);
  if (options.strict === true && plan.losesSomething) context.exit(exitCodes.configuration);
};

/** Serves a sample of the site from memory, and follows its links as the two who differ most. Throws what a start throws. */
const serveOnce = async (source: ImportSource, { rim }: CommandContext): Promise<string> => {
  const { startInProcess } = await import('../entries/in-process-atoll.ts');
  const drupalConfig = exportedConfiguration(source, rim);
  const atoll = await startInProcess({ drupalConfig, fixture: `sample:${triedObjects}` }, rim);
  try {
    if (rim.checks === undefined) return 'Served with a sample. This Atoll follows no links.';
    const from = Array.from({ length: triedObjects }, (_, index) => `${atoll.url}/node/${index + 1}`);
    const table = await (await rim.checks()).walkedTable(atoll.url, from);
    return `Served with a sample, and walked from link to link:\n${table}`;
  } finally {
    await atoll.close();
  }
};

const sayWhatChanged = async (before: Site, after: Site, context: CommandContext): Promise<void> => {
  const { compareSites } = await import('../../sites/sites.ts');
  const { root, prepared } = context;
  const [old, now] = [
    { name: 'before', site: before },
    { name: 'after', site: after },
  ];
  const comparison = await compareSites(old, now, { root, prepared, site: undefined });
  context.print(`\nSince the last import:\n${comparison.toText()}`);
};

/** The real site refuses such an import. Here the records stay as they are, and the one who imports decides what becomes of them. */
const sayWhatNoLongerFits = async (
  directory: string,
  { before, after }: { readonly before: Site | undefined; readonly after: Site },
  context: CommandContext,
): Promise<void> => {
  const [{ readServedRepository }, { recordFaults }] = await Promise.all([
    import('../../storage/storage-export.ts'),
    import('../../repository/repository-content.ts'),
  ]);
  const { entities } = await readServedRepository(directory, recordModel);
  const known = new Map(entities.map((entity) => [keyOf(entity), entity]));
  const faultsOn = (site: Site): readonly string[] => {
    const check = { site, find: (key: EntityKey) => known.get(key), judgesState: 'required' } as const;
    return entities.flatMap((record) => recordFaults(record, check).map(faultLine));
  };
  // An upload makes media without values that a form would ask for.
  const knownBefore = new Set(before === undefined ? [] : faultsOn(before));
  const faults = faultsOn(after).filter((fault) => !knownBefore.has(fault));
  context.print(faults.length === 0 ? '\nAll stored records fit.' : '\nStored records that no longer fit:');
  for (const fault of faults.slice(0, shownFaults)) context.print(`  ${fault}`);
  if (faults.length > shownFaults) context.print(`  … and ${faults.length - shownFaults} more`);
};

const shownFaults = 50;

const writeReport = async (file: string, report: ImportReport, text: string): Promise<void> => {
  const content = file.endsWith('.json') ? JSON.stringify(report, null, 2) : text;
  await writeFile(file, `${content}\n`).catch((cause: unknown) => {
    throw new ConfigurationError(`--report ${file}: it cannot be written. Name a file in a folder that exists.`, {
      cause,
    });
  });
};

export const addSite = (program: Command, context: CommandContext): void => {
  const site = program.command('site').description('Work with descriptions of sites.');
  addSiteImport(site, context);
  addSiteDiff(site, context);
};
