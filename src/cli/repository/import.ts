/** `atoll import`: makes a repository from an export or a recording, or puts an export into a running server. */
import { repositoryApplication } from '../../application/application.ts';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { type BlobStorage, keyOf } from '../../openapi/openapi-records.ts';
import { contentFaults, placedFault, copyBlobs, openStorages, requireArchiveFit } from '../../server/server-worlds.ts';
import { initialRecords } from '../../repository/repository-sites.ts';
import { withBytesAt, openJournalEntityStore, type InitialRecords } from '../../storage/storage.ts';
import { loadNamedSite } from '../../application/application-disk.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { type Site, recordModel } from '../../repository/repository.ts';
import { systemIds, shownDatabase } from '../../server/server.ts';
import { exportBlobs, placeInExport, readExport, storeDamaged } from '../../storage/storage-export.ts';
import { counted } from '../../basics/counted.ts';
import { archiveAt, isTarFile, withReceived } from './archive-places.ts';
import { importToServer } from './server-archive.ts';
import { importToStore, type StoreArchive } from './store-archive.ts';
import { oneSource, withArchiveSource, type ArchiveSourceOptions } from './source-options.ts';
import { createProgress } from '../progress.ts';
import { loadChecks } from '../recording/load-checks.ts';
import { readBytes } from '../serving/bytes-options.ts';
import type { CommandContext } from '../command-context.ts';

type ImportOptions = ArchiveSourceOptions & {
  readonly from?: string;
  readonly fromRecording?: string;
  readonly site?: string;
  readonly yes?: boolean;
};

export const addImport = (program: Command, context: CommandContext): void => {
  withArchiveSource(program.command('import'), 'where the new repository will be kept')
    .description('Make a new repository from an export or a recording, or replace what a running server holds.')
    .argument('[source]', 'a directory that `atoll export` wrote, or a tar file of one')
    .addOption(new Option('--from <dir>', 'the same as the source'))
    .option('--from-recording <dir>', 'a recording, whose records and files are taken')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .option('--yes', 'with --url: also where the repository is on disk, whose content is then lost')
    .action((source: string | undefined, options: ImportOptions) => importRepository(source, options, context));
};

const importRepository = async (
  source: string | undefined,
  options: ImportOptions,
  context: CommandContext,
): Promise<void> => {
  const places = [source, options.from, options.fromRecording].filter((place) => place !== undefined);
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new ConfigurationError('Name one source: an export, or --from-recording for a recording.');
  }
  const target = await oneSource(options, context.environment);
  if (target.kind === 'server') {
    if (options.fromRecording !== undefined) throw new ConfigurationError(noRecording);
    return importToServer(target.server, place, { isSure: options.yes === true, context });
  }
  const bytes = readBytes(options, context.environment);
  const site = withBytesAt(await loadNamedSite(context.root, options.site), bytes);
  const fill = (read: ImportSource): Promise<void> =>
    target.kind === 'store'
      ? fillStore({ ...target, site, context }, read)
      : fillFolder(target.directory, read, site, context);
  if (options.fromRecording !== undefined) return fill(await readRecording(place, site, context));
  if (!isTarFile(place)) return fill(await readSoundExport(place, site));
  return withReceived(await archiveAt(place), async (received) => {
    await requireArchiveFit(received, { rules: repositoryApplication.content, site });
    await fill({ initial: received, source: received.blobs, name: place });
  });
};

const noRecording = 'A recording makes a new repository in a folder: name it with --data.';

/** Fills a database that holds no repository. */
const fillStore = async (archive: StoreArchive, { initial, source, name }: ImportSource): Promise<void> => {
  const entities = [...initial.entities];
  await importToStore(archive, { entities, counters: initial.counters, blobs: source });
  const place = shownDatabase(archive.store.url);
  archive.context.print(`Imported ${counted(entities.length, 'record')} from ${name} to ${place}.`);
};

/** Makes the new repository. */
const fillFolder = async (
  data: string,
  { initial, source, name }: ImportSource,
  site: Site,
  context: CommandContext,
): Promise<void> => {
  const directory = resolve(data);
  const warn = context.warn;
  const opened = await openJournalEntityStore({ directory, model: recordModel, durability: 'full', warn });
  try {
    if (!opened.isNew) throw new ConfigurationError(`${directory} holds a repository already. Name a new directory.`);
    const world = { site, durability: 'full', ids: systemIds } as const;
    const storages = await openStorages(world, directory, opened.instanceId);
    const filled = await copyBlobs(initial, () => source, storages, createProgress(context, 'records'));
    await opened.fill(filled.entities, filled.counters);
    filled.settle();
    context.print(`Imported ${counted(opened.statistics().records, 'record')} from ${name} to ${data}.`);
  } finally {
    await opened.store.close();
  }
};

type ImportSource = { readonly initial: InitialRecords; readonly source: BlobStorage; readonly name: string };

/** What was recorded, and what the site begins with where nothing else was seen. */
const readRecording = async (place: string, site: Site, context: CommandContext): Promise<ImportSource> => {
  const { readRecorded } = await loadChecks(context.rim, '--from-recording');
  const { entities, counters, blobs } = await readRecorded(place, site, context);
  const others = new Set(entities.map(keyOf));
  const own = initialRecords(site).filter((record) => !others.has(keyOf(record)));
  return { initial: { entities: [...own, ...entities], counters }, source: blobs, name: place };
};

/** Checks the export before anything is written, so that no broken repository is created. */
const readSoundExport = async (name: string, site: Site): Promise<ImportSource> => {
  const from = resolve(name);
  const source = exportBlobs(from);
  const { entities, counters } = await readExport(from);
  const records = [...entities];
  const faults = await contentFaults({ entities: records, counters }, source, {
    rules: repositoryApplication.content,
    site,
  });
  const [first] = faults;
  if (first !== undefined) {
    const said = placedFault(first, (fault) => placeInExport(from, fault));
    throw storeDamaged(
      from,
      0,
      `${counted(faults.length, 'fault')}, the first: ${said.replace(/\.$/, '')}`,
      '`atoll check` lists them all.',
    );
  }
  return { initial: { entities: records, counters }, source, name };
};
