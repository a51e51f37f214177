/** `atoll export`: writes a whole repository as a readable directory or a tar file, from a folder, a database or a running server. */
import { recordModel } from '../../repository/repository.ts';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { withBytesAt } from '../../storage/storage.ts';
import { loadNamedSite } from '../../application/application-disk.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { readStoredRepository } from '../../storage/storage-export.ts';
import { readerOf, openBlobReaders } from '../../server/server-worlds.ts';
import { writePlace } from './archive-places.ts';
import { exportFromServer } from './server-archive.ts';
import { exportFromStore } from './store-archive.ts';
import { withArchiveSource, oneSource, type ArchiveSourceOptions } from './source-options.ts';
import { readBytes } from '../serving/bytes-options.ts';
import type { CommandContext } from '../command-context.ts';

type ExportOptions = ArchiveSourceOptions & { readonly to?: string; readonly site?: string };

export const addExport = (program: Command, context: CommandContext): void => {
  withArchiveSource(program.command('export'), 'where the repository is kept, which no server holds')
    .description('Write a whole repository as a readable directory, or as one tar file.')
    .argument('[target]', 'a new directory, one that was exported to before, or a file whose name ends with .tar')
    .addOption(new Option('--to <dir>', 'the same as the target'))
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .action((target: string | undefined, options: ExportOptions) => exportRepository(target, options, context));
};

const exportRepository = async (
  target: string | undefined,
  options: ExportOptions,
  context: CommandContext,
): Promise<void> => {
  const place = target ?? options.to;
  if (place === undefined || (target !== undefined && options.to !== undefined)) {
    throw new ConfigurationError('Name one target: atoll export DIR, or atoll export FILE.tar.');
  }
  const source = await oneSource(options, context.environment);
  if (source.kind === 'server') return exportFromServer(source.server, place, context);
  const bytes = readBytes(options, context.environment);
  const site = withBytesAt(await loadNamedSite(context.root, options.site), bytes);
  if (source.kind === 'store') return exportFromStore({ ...source, site, context }, place);
  const directory = resolve(source.directory);
  await readStoredRepository(directory, recordModel, async ({ instance, entities, counters, warnings }) => {
    const readers = await openBlobReaders(site, directory, instance);
    for (const warning of warnings) context.warn(warning);
    await writePlace(place, { entities, counters, blobsOf: readerOf(readers) }, context);
  });
};
