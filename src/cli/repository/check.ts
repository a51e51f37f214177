/** `atoll check`: verifies a data directory or an export, and changes nothing. */
import { type Command, Option } from 'commander';
import { resolve } from 'node:path';
import { counted } from '../../basics/counted.ts';
import { faultLine, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import { checkRecords } from '../../repository/repository-content.ts';
import { recordModel, type Site } from '../../repository/repository.ts';
import { type Counters, keyOf, type Entity, schemeOf } from '../../openapi/openapi-records.ts';
import { withBytesAt } from '../../storage/storage.ts';
import { loadNamedSite } from '../../application/application-disk.ts';
import { type BlobReader, openBlobReaders, bytesFault } from '../../server/server-worlds.ts';
import {
  exportBlobs,
  readExport,
  isExport,
  repairStore,
  isStoreDamaged,
  storageError,
  blobKeysInGenerations,
  keepsUnnamedBytes,
  readServedRepository,
  readStoredRepository,
} from '../../storage/storage-export.ts';
import type { CommandContext } from '../command-context.ts';
import { unfitNotes } from './check-collections.ts';
import { parserOf } from '../options/option-parsers.ts';
import { createProgress } from '../progress.ts';
import { readBytes } from '../serving/bytes-options.ts';
import { repeated } from '../../basics/options/option-kinds.ts';

/** The files as they are now, and where their bytes are. */
type Files = { readonly files: readonly Entity[]; readonly readerOf: (file: Entity) => BlobReader | undefined };

/** Resolves with what is wrong, and with the number of files. */
const checkBytes = async (
  directory: string,
  site: Site,
  context: CommandContext,
): Promise<{ readonly faults: readonly string[]; readonly files: number }> => {
  const { files, readerOf } = await filesIn(directory, site);
  const suspects = await bytesFaults(files, readerOf, context);
  if (suspects.length === 0) return { faults: [], files: files.length };
  // A server may have replaced or deleted the bytes meanwhile.
  const present = new Map((await filesIn(directory, site)).files.map((file) => [file.id, file.blob?.key]));
  const found = suspects.filter(({ file }) => present.get(file.id) === file.blob?.key);
  return { faults: found.map(({ fault }) => faultLine(fault)), files: files.length };
};

const bytesFaults = async (files: readonly Entity[], readerOf: Files['readerOf'], context: CommandContext) => {
  const progress = createProgress(context, 'files');
  const found: { readonly file: Entity; readonly fault: StoredRecordFault }[] = [];
  for (const [done, file] of files.entries()) {
    const fault = await bytesFault(file, readerOf(file));
    if (fault !== undefined) found.push({ file, fault });
    progress(done);
  }
  return found;
};

const filesIn = async (directory: string, site: Site): Promise<Files> => {
  if (await isExport(directory)) {
    const blobs = exportBlobs(directory);
    return { files: withBytes((await readExport(directory)).entities), readerOf: () => blobs };
  }
  const { entities, instance } = await readServedRepository(directory, recordModel);
  const readers = await openBlobReaders(site, directory, instance);
  return { files: withBytes(entities), readerOf: (file) => readers.get(schemeOf(file)) };
};

const withBytes = (entities: Iterable<Entity>): Entity[] => [...entities].filter(({ blob }) => blob !== undefined);

/** Repairs the directory if it does not start. Prints one line for each loss, and where the old files are. */
const repairDirectory = async (directory: string, context: CommandContext): Promise<void> => {
  const damage = await damageOf(directory);
  if (damage === undefined) {
    context.print('Nothing has to be repaired.');
    return;
  }
  context.print(damage);
  const { lost, keptIn, records } = await repairStore(directory, recordModel);
  for (const loss of lost) context.print(`lost: ${loss}`);
  context.print(`Kept ${records} records. The files as they were are in ${keptIn}.`);
  context.print('Stored bytes that no record names stay until you remove that folder.');
};

/** The message of what keeps the directory from starting. */
const damageOf = async (directory: string): Promise<string | undefined> => {
  try {
    await readStoredRepository(directory, recordModel, () => Promise.resolve());
    return undefined;
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    return error.message;
  }
};

type CheckOptions = {
  readonly data: string;
  readonly bytes?: boolean;
  readonly repair?: boolean;
  readonly site?: string;
  readonly document?: readonly string[];
};

/** A repository to check. An export keeps the blobs of all schemes in one folder. */
type CheckedRepository = {
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  readonly warnings: readonly string[];
  readonly readers: ReadonlyMap<string, BlobReader>;
  /** The keys of blobs that an older generation may still name. They are not orphans. */
  readonly olderBlobKeys: () => Promise<ReadonlySet<string>>;
  /** Whether a start leaves orphans alone, because a repair may have lost their records. */
  readonly keepsOrphans: boolean;
};

export const addCheck = (program: Command, context: CommandContext): void => {
  program
    .command('check')
    .description('Verify a repository that no server holds, or an export.')
    .option('--data <dir>', 'where the repository is kept, or an export', './atoll-data')
    .option('--bytes', 'compare only the bytes of files with their records; a server may hold the repository')
    .option('--repair', 'make a damaged repository start again, say what is lost, and keep the files as they were')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .addOption(
      new Option(
        '--document <file>',
        'an OpenAPI document of your own: notes the records of its collections that do not fit it; may be repeated',
      ).argParser(parserOf(repeated('<file>'))),
    )
    .action((options: CheckOptions) => check(options, context));
};

const check = async (options: CheckOptions, context: CommandContext): Promise<void> => {
  const directory = resolve(options.data);
  const { document = [] } = options;
  const read = await loadNamedSite(context.root, options.site);
  const site = withBytesAt(read, readBytes({}, context.environment));
  if (options.bytes === true) {
    await onlyBytes(options.data, site, context);
    return;
  }
  if (options.repair === true) await repairDirectory(directory, context);
  const { faults, notes } = (await isExport(directory))
    ? await checkRepository(await exportedRepository(directory, site), { site, document }, context)
    : await readStoredRepository(directory, recordModel, async (repository) =>
        checkRepository(
          {
            ...repository,
            readers: await openBlobReaders(site, directory, repository.instance),
            olderBlobKeys: () => blobKeysInGenerations(directory),
            keepsOrphans: await keepsUnnamedBytes(directory),
          },
          { site, document },
          context,
        ),
      );
  for (const note of notes) context.print(`note: ${note}`);
  for (const fault of faults) context.print(`fault: ${fault}`);
  if (faults.length > 0) {
    throw damaged(`${options.data}: ${counted(faults.length, 'fault')}, ${counted(notes.length, 'note')}.`);
  }
  context.print(`${options.data} is whole: no faults, ${counted(notes.length, 'note')}.`);
};

const onlyBytes = async (data: string, site: Site, context: CommandContext): Promise<void> => {
  const { faults, files } = await checkBytes(resolve(data), site, context);
  for (const fault of faults) context.print(`fault: ${fault}`);
  if (faults.length === 0) context.print(`${data}: the bytes of ${counted(files, 'file')} are whole.`);
  else throw damaged(`${data}: ${counted(faults.length, 'fault')}.`);
};

const damaged = (message: string): Error => storageError('ATOLL_STORE_DAMAGED', message);

const exportedRepository = async (directory: string, site: Site): Promise<CheckedRepository> => {
  const { entities, counters } = await readExport(directory);
  const blobs = exportBlobs(directory);
  const readers = new Map(site.storages.map(({ scheme }) => [scheme, blobs]));
  return {
    entities: [...entities],
    counters,
    warnings: [],
    readers,
    olderBlobKeys: () => Promise.resolve(new Set()),
    keepsOrphans: false,
  };
};

type Against = { readonly site: Site; readonly document: readonly string[] };

const checkRepository = async (
  repository: CheckedRepository,
  { site, document }: Against,
  context: CommandContext,
): Promise<{ readonly faults: readonly string[]; readonly notes: readonly string[] }> => {
  const records = checkRecords(repository, site);
  const files = repository.entities.filter(({ type }) => type === 'file');
  const ofBytes = await bytesFaults(files, (file) => repository.readers.get(schemeOf(file)), context);
  const lost = files.filter(({ blob }) => blob === undefined).map((file) => `${keyOf(file)} has lost its bytes.`);
  return {
    faults: [...records.faults, ...ofBytes.map(({ fault }) => fault)].map(faultLine),
    notes: [
      ...[...records.notes, ...repository.warnings, ...lost, ...(await orphans(repository))],
      ...(await unfitNotes(repository.entities, document)),
    ],
  };
};

const orphans = async ({ entities, readers, olderBlobKeys, keepsOrphans }: CheckedRepository): Promise<string[]> => {
  const named = new Set(entities.flatMap(({ blob }) => (blob === undefined ? [] : [blob.key])));
  const unnamed = new Set<string>();
  for (const reader of readers.values()) {
    for (const key of await reader.keys()) if (!named.has(key)) unnamed.add(key);
  }
  if (unnamed.size === 0) return [];
  const olderKeys = await olderBlobKeys();
  return [...unnamed]
    .filter((key) => !olderKeys.has(key))
    .map(
      (key) =>
        `The blob ${key} is named by no record; ${keepsOrphans ? 'it stays after the repair' : 'the next start removes it'}.`,
    );
};
