/** `atoll import`: creates a repository from a directory that `atoll export` wrote, or from a recording. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BlobStorage } from '../model/blob-storage.ts';
import { keyOf } from '../model/entity.ts';
import { indexKeys } from '../content/index-keys.ts';
import { contentViolations } from '../worlds/check-fixture.ts';
import { copyBlobs } from '../worlds/copy-blobs.ts';
import { openStorages } from '../worlds/open-worlds.ts';
import { initialRecords } from '../site/initial-records.ts';
import { loadSite } from '../site/load-site.ts';
import { siteDirectory } from '../site/packaged-sites.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';
import { systemIds } from '../worlds/system-clock.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import { openJournalEntityStore } from '../storage/journal/journal-entity-store.ts';
import type { InitialRecords } from '../storage/memory-entity-store.ts';
import { storeDamaged } from '../storage/journal/store-damaged.ts';
import { counted } from '../representations/counted.ts';
import { createProgress } from './progress.ts';
import { readRecorded } from './recording/recorded-content.ts';
import type { CommandContext } from './command-context.ts';

type ImportOptions = {
  readonly data: string;
  readonly from?: string;
  readonly fromRecording?: string;
  readonly site?: string;
};

export const addImport = (program: Command, context: CommandContext): void => {
  program
    .command('import')
    .description('Make a new repository from an export, or from a recording of another one.')
    .option('--data <dir>', 'where the new repository will be kept', './atoll-data')
    .option('--from <dir>', 'a directory that `atoll export` wrote')
    .option('--from-recording <dir>', 'a recording, whose records and files are taken')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .action((options: ImportOptions) => importRepository(options, context));
};

const importRepository = async (options: ImportOptions, context: CommandContext): Promise<void> => {
  const site = await loadSite(siteDirectory(context.root, options.site));
  const { initial, source, name } = await readSource(options, site, context);
  const directory = resolve(options.data);
  const warn = context.warn;
  const opened = await openJournalEntityStore({ directory, indexes: indexKeys, durability: 'full', warn });
  try {
    if (!opened.isNew) throw new ConfigurationError(`${directory} holds a repository already. Name a new directory.`);
    const world = { site, durability: 'full', ids: systemIds } as const;
    const storages = await openStorages(world, directory, opened.instanceId);
    const filled = await copyBlobs(initial, () => source, storages, createProgress(context, 'records'));
    await opened.fill(filled.entities, filled.counters);
    context.print(`Imported ${counted(opened.statistics().records, 'record')} from ${name} to ${options.data}.`);
  } finally {
    await opened.store.close();
  }
};

type ImportSource = { readonly initial: InitialRecords; readonly source: BlobStorage; readonly name: string };

/** Throws `ConfigurationError` unless the options name one source. */
const readSource = async (
  { from, fromRecording }: ImportOptions,
  site: Site,
  context: CommandContext,
): Promise<ImportSource> => {
  if (from !== undefined && fromRecording === undefined) {
    const directory = resolve(from);
    return { initial: await readSoundExport(directory, site), source: exportBlobs(directory), name: from };
  }
  if (fromRecording === undefined || from !== undefined)
    throw new ConfigurationError('Name one source: --from for an export, or --from-recording for a recording.');
  const { entities, counters, blobs } = await readRecorded(fromRecording, site, context);
  const others = new Set(entities.map(keyOf));
  // What was seen takes the place of what the site begins with.
  const own = initialRecords(site).filter((record) => !others.has(keyOf(record)));
  return { initial: { entities: [...own, ...entities], counters }, source: blobs, name: fromRecording };
};

/** Checks the export before anything is written, so that no broken repository is created. */
const readSoundExport = async (from: string, site: Site): Promise<InitialRecords> => {
  const { entities, counters } = await readExport(from);
  const records = [...entities];
  const violations = await contentViolations({ entities: records, counters }, exportBlobs(from), site);
  const [first] = violations;
  if (first !== undefined) {
    throw storeDamaged(
      from,
      0,
      `${counted(violations.length, 'fault')}, the first: ${first.replace(/\.$/, '')}`,
      '`atoll check` lists them all.',
    );
  }
  return { entities: records, counters };
};
