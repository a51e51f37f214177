/** `atoll site`: the commands about descriptions of sites. */
import { recordModel, type Site } from '../../repository/repository.ts';
import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { faultLine } from '../../basics/records/record-faults.ts';
import type { ImportReport, ImportSource } from '../../openapi/openapi-host.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { exportedConfiguration } from '../../sites/drupal/folders/exported-configuration.ts';
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

/** Only this command needs them. */
const loadComparison = () =>
  Promise.all([
    import('../../sites/compared/compared-source.ts'),
    import('../../sites/document-diff/diff-report.ts'),
    import('../../application/sources/disk-site.ts'),
  ]);

const diff = async (names: readonly [string, string], { json }: DiffOptions, context: CommandContext) => {
  const [{ withDocuments }, { compareSources, diffJson, diffPage, hasFindings }, { loadNamedSite }] =
    await loadComparison();
  const load = (name: string) => loadNamedSite(context.root, name === 'default' ? undefined : name);
  const sites = [await load(names[0]), await load(names[1])] as const;
  const { root, prepared } = context;
  const [before, after] = await withDocuments({ root, prepared, site: undefined }, sites);
  const report = compareSources({ ...before, name: names[0] }, { ...after, name: names[1] }, 'client');
  context.print(json === true ? diffJson(report) : diffPage(report));
  if (hasFindings(report, 'breaking')) context.exit(exitCodes.findings);
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

/** Loaded here, because no other command reads such a configuration. */
const loadImporter = () =>
  Promise.all([
    import('../../sites/drupal/folders/read-folders.ts'),
    import('../../sites/drupal/report.ts'),
    import('../../sites/drupal/folders/write-site.ts'),
    import('../../sites/drupal/folders/planned-site.ts'),
    import('../../repository/repository-sites.ts'),
    import('../../application/sources/disk-site.ts'),
  ]);

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
  const [
    { importSource },
    { losesSomething, reportText },
    writing,
    { plannedSite },
    { loadSiteFolder },
    { diskFolder, diskIcons },
  ] = await loadImporter();
  const out = resolve(options.out);
  const earlier = await writing.readEarlierImport(out);
  const source = { folders: [folder, ...(options.also ?? [])], terms: options.terms ?? [], enable: options.enable };
  const imported = await importSource(source, earlier.terms);
  const icons = join(context.root, 'data/site/icons');
  const { report } = imported;
  const text = reportText(report);
  const tell = async (): Promise<void> => {
    if (options.report !== undefined) await writeReport(options.report, report, text);
    context.print(text);
  };
  const planned = plannedSite({
    ...{ disk: diskFolder(out), origin: source.folders.join(' + '), imported, earlier },
    icons: diskIcons(icons),
  });
  // Whatever a configuration holds, the site must be one that can be served, with what people have added to the folder and
  // without. If not, the folder stays as it is.
  const site = await loadSiteFolder(planned).catch(async (refusal: unknown) => {
    await tell();
    throw refusal;
  });
  const served = await serveOnce(source, context).catch(async (refusal: unknown) => {
    await tell();
    throw refusal;
  });
  const before = earlier.files.length === 0 ? undefined : await loadEarlier(out);
  await writing.writeSite(out, imported, earlier, icons);
  await tell();
  if (before !== undefined) await sayWhatChanged(before, site, context);
  if (options.data !== undefined) await sayWhatNoLongerFits(resolve(options.data), { before, after: site }, context);
  context.print(`\n${served}`);
  context.print(`\nWrote the site to ${options.out}. Serve it: atoll serve --site ${options.out} --fixture sample`);
  if (options.strict === true && losesSomething(report)) context.exit(exitCodes.configuration);
};

/** Serves a sample of the site from memory, and follows its links as the two who differ most. Throws what a start throws. */
const serveOnce = async (source: ImportSource, { rim }: CommandContext): Promise<string> => {
  const { startInProcess } = await import('../entries/in-process-atoll.ts');
  const drupalConfig = exportedConfiguration(source);
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

/** Undefined when people have made of it what cannot be read: the import writes its own files again. */
const loadEarlier = async (directory: string): Promise<Site | undefined> => {
  const [, , { loadSite }] = await loadComparison();
  return loadSite(directory).catch(() => undefined);
};

const sayWhatChanged = async (before: Site, after: Site, context: CommandContext): Promise<void> => {
  const [{ withDocuments }, { compareSources, diffPage }] = await loadComparison();
  const { root, prepared } = context;
  const [old, now] = await withDocuments({ root, prepared, site: undefined }, [before, after]);
  const report = compareSources({ ...old, name: 'before' }, { ...now, name: 'after' }, 'client');
  context.print(`\nSince the last import:\n${diffPage(report)}`);
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
