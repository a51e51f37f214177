/** `atoll export`: writes a whole repository as a readable directory. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadSite } from '../site/load-site.ts';
import { siteDirectory } from '../site/packaged-sites.ts';
import { writeExport, type ExportOutcome } from '../storage/export/export-writer.ts';
import { storeDamagedCode } from '../storage/journal/store-damaged.ts';
import { readStoredRepository } from '../storage/journal/stored-repository.ts';
import { readerOf, openBlobReaders } from '../worlds/blob-readers.ts';
import { counted } from '../representations/counted.ts';
import { createProgress } from './progress.ts';
import type { CommandContext } from './command-context.ts';

type ExportOptions = { readonly data: string; readonly to: string; readonly site?: string };

export const addExport = (program: Command, context: CommandContext): void => {
  program
    .command('export')
    .description('Write a repository that no server holds as a readable directory.')
    .option('--data <dir>', 'where the repository is kept', './atoll-data')
    .requiredOption('--to <dir>', 'a new directory, or one that was exported to before')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .action((options: ExportOptions) => exportRepository(options, context));
};

const exportRepository = async (options: ExportOptions, context: CommandContext): Promise<void> => {
  const directory = resolve(options.data);
  const site = await loadSite(siteDirectory(context.root, options.site));
  const outcome = await readStoredRepository(directory, async ({ instance, entities, counters, warnings }) => {
    const readers = await openBlobReaders(site, directory, instance);
    for (const warning of warnings) context.warn(warning);
    const progress = createProgress(context, `records of ${entities.length}`);
    return writeExport(resolve(options.to), { entities, counters, blobsOf: readerOf(readers) }, progress);
  });
  context.print(
    `Exported ${counted(outcome.records, 'record')} and ${counted(outcome.blobs, 'blob')} to ${options.to}.`,
  );
  throwIfIncomplete(outcome, directory);
};

/** The export is written without the lost bytes. The exit code says that it is incomplete. */
const throwIfIncomplete = ({ lost }: ExportOutcome, directory: string): void => {
  if (lost.length === 0) return;
  const ids = lost.map(({ id }) => id).join(', ');
  throw Object.assign(
    new Error(`${directory}: the bytes of these files are missing or not as stored, and were left out: ${ids}`),
    { code: storeDamagedCode },
  );
};
