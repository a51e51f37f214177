/** `atoll check`: verifies a data directory or an export, and changes nothing. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkRecords, type CheckResult, uriViolation } from '../core/content/check-records.ts';
import type { Entity } from '../core/model/entity.ts';
import { schemeOf } from '../core/content/repository.ts';
import { withBytesAt } from '../storage/blobs/bytes-address.ts';
import { loadSite } from '../server/sources/disk-site.ts';
import { siteDirectory } from '../server/sources/packaged-sites.ts';
import type { Site } from '../core/site/site.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import { isExport } from '../storage/export/export-writer.ts';
import type { Counters } from '../core/model/entity-store.ts';
import { storeDamagedCode } from '../storage/journal/store-damaged.ts';
import {
  blobKeysInGenerations,
  keepsUnnamedBytes,
  readStoredRepository,
} from '../storage/journal/stored-repository.ts';
import { openBlobReaders, type BlobReader } from '../server/worlds/blob-readers.ts';
import { bytesViolation } from '../server/worlds/check-fixture.ts';
import { counted } from '../basics/counted.ts';
import { checkBytes } from './check-bytes.ts';
import { createProgress } from './progress.ts';
import { repairDirectory } from './repair.ts';
import { readBytes } from './serving/bytes-options.ts';
import type { CommandContext } from './command-context.ts';

type CheckOptions = {
  readonly data: string;
  readonly bytes?: boolean;
  readonly repair?: boolean;
  readonly site?: string;
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
    .action((options: CheckOptions) => check(options, context));
};

const check = async (options: CheckOptions, context: CommandContext): Promise<void> => {
  const directory = resolve(options.data);
  const read = await loadSite(siteDirectory(context.root, options.site));
  const site = withBytesAt(read, readBytes({}, context.environment));
  if (options.bytes === true) {
    await onlyBytes(options.data, site, context);
    return;
  }
  if (options.repair === true) await repairDirectory(directory, context);
  const { violations, notes } = (await isExport(directory))
    ? await checkRepository(await exportedRepository(directory, site), site, context)
    : await readStoredRepository(directory, async (repository) =>
        checkRepository(
          {
            ...repository,
            readers: await openBlobReaders(site, directory, repository.instance),
            olderBlobKeys: () => blobKeysInGenerations(directory),
            keepsOrphans: await keepsUnnamedBytes(directory),
          },
          site,
          context,
        ),
      );
  for (const note of notes) context.print(`note: ${note}`);
  for (const violation of violations) context.print(`fault: ${violation}`);
  if (violations.length > 0) {
    throw Object.assign(
      new Error(`${options.data}: ${counted(violations.length, 'fault')}, ${counted(notes.length, 'note')}.`),
      {
        code: storeDamagedCode,
      },
    );
  }
  context.print(`${options.data} is whole: no faults, ${counted(notes.length, 'note')}.`);
};

const onlyBytes = async (data: string, site: Site, context: CommandContext): Promise<void> => {
  const { violations, files } = await checkBytes(resolve(data), site, context);
  for (const violation of violations) context.print(`fault: ${violation}`);
  if (violations.length === 0) context.print(`${data}: the bytes of ${counted(files, 'file')} are whole.`);
  else throw Object.assign(new Error(`${data}: ${counted(violations.length, 'fault')}.`), { code: storeDamagedCode });
};

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

const checkRepository = async (
  repository: CheckedRepository,
  site: Site,
  context: CommandContext,
): Promise<CheckResult> => {
  const records = checkRecords(repository.entities, repository.counters, site.model);
  const schemes = site.storages.map(({ scheme }) => scheme);
  const progress = createProgress(context, 'files');
  const files = repository.entities.filter(({ type }) => type === 'file');
  const violations: string[] = [];
  const notes: string[] = [...repository.warnings];
  for (const [done, file] of files.entries()) {
    const violation =
      uriViolation(file, schemes) ?? (await bytesViolation(file, repository.readers.get(schemeOf(file))));
    if (violation !== undefined) violations.push(violation);
    if (file.blob === undefined) notes.push(`file:${file.id} has lost its bytes.`);
    progress(done);
  }
  return {
    violations: [...records.violations, ...violations],
    notes: [...records.notes, ...notes, ...(await orphans(repository))],
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
