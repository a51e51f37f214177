/** `atoll check`: verifies a data directory or an export, and changes nothing. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { checkRecords, type CheckResult } from '../content/check-records.ts';
import { firstValue, type Entity } from '../model/entity.ts';
import { schemeOf } from '../content/repository.ts';
import { loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { blobState } from '../storage/blobs/check-blobs.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import { isExport } from '../storage/export/export-writer.ts';
import type { Counters } from '../storage/record-set.ts';
import { storeDamagedCode } from '../storage/journal/store-damaged.ts';
import { blobKeysInGenerations, readStoredRepository } from '../storage/journal/stored-repository.ts';
import { openBlobReaders, type BlobReader } from '../worlds/blob-readers.ts';
import { createProgress } from './progress.ts';
import type { CommandContext } from './command-context.ts';

type CheckOptions = { readonly data: string; readonly site?: string };

/** A repository to check. An export keeps the blobs of all schemes in one folder. */
type CheckedRepository = {
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  readonly warnings: readonly string[];
  readonly readers: ReadonlyMap<string, BlobReader>;
  /** The keys of blobs that an older generation may still name. They are not orphans. */
  readonly olderBlobKeys: () => Promise<ReadonlySet<string>>;
};

export const addCheck = (program: Command, context: CommandContext): void => {
  program
    .command('check')
    .description('Verify a repository that no server holds, or an export.')
    .option('--data <dir>', 'where the repository is kept, or an export', './atoll-data')
    .option('--site <dir>', 'the directory of the site (default: the built-in site)')
    .action((options: CheckOptions) => check(options, context));
};

const check = async (options: CheckOptions, context: CommandContext): Promise<void> => {
  const directory = resolve(options.data);
  const site = await loadSite(options.site ?? join(context.root, 'data/site'));
  const { violations, notes } = (await isExport(directory))
    ? await checkRepository(await exportedRepository(directory, site), site, context)
    : await readStoredRepository(directory, async (repository) =>
        checkRepository(
          {
            ...repository,
            readers: await openBlobReaders(site, directory, repository.instance),
            olderBlobKeys: () => blobKeysInGenerations(directory),
          },
          site,
          context,
        ),
      );
  for (const note of notes) context.print(`note: ${note}`);
  for (const violation of violations) context.print(`fault: ${violation}`);
  if (violations.length > 0) {
    throw Object.assign(new Error(`${options.data}: ${violations.length} faults, ${notes.length} notes.`), {
      code: storeDamagedCode,
    });
  }
  context.print(`${options.data} is whole: no faults, ${notes.length} notes.`);
};

const exportedRepository = async (directory: string, site: Site): Promise<CheckedRepository> => {
  const { entities, counters } = await readExport(directory);
  const blobs = exportBlobs(directory);
  const readers = new Map(site.storages.map(({ scheme }) => [scheme, blobs]));
  return { entities: [...entities], counters, warnings: [], readers, olderBlobKeys: () => Promise.resolve(new Set()) };
};

const checkRepository = async (
  repository: CheckedRepository,
  site: Site,
  context: CommandContext,
): Promise<CheckResult> => {
  const records = checkRecords(repository.entities, repository.counters, site.model);
  const progress = createProgress(context, 'files');
  const files = repository.entities.filter(({ type }) => type === 'file');
  const violations: string[] = [];
  const notes: string[] = [...repository.warnings];
  for (const [done, file] of files.entries()) {
    const violation = await fileViolation(file, repository.readers);
    if (violation !== undefined) violations.push(violation);
    if (file.blob === undefined) notes.push(`file:${file.id} has lost its bytes.`);
    progress(done);
  }
  return {
    violations: [...records.violations, ...violations],
    notes: [...records.notes, ...notes, ...(await orphans(repository))],
  };
};

/** Checks that the blob of a file has `filesize` bytes with the stored hash. */
const fileViolation = async (file: Entity, readers: CheckedRepository['readers']): Promise<string | undefined> => {
  if (file.blob === undefined) return undefined;
  if (firstValue(file, 'filesize') !== file.blob.size) return `file:${file.id}: filesize is not the size of its bytes.`;
  const state = await blobState(file.blob, readers.get(schemeOf(file)));
  if (state === 'absent') return `file:${file.id}: its bytes (${file.blob.key}) are missing or of another length.`;
  if (state === 'changed') return `file:${file.id}: its bytes (${file.blob.key}) are not the ones that were stored.`;
  return undefined;
};

const orphans = async ({ entities, readers, olderBlobKeys }: CheckedRepository): Promise<string[]> => {
  const named = new Set(entities.flatMap(({ blob }) => (blob === undefined ? [] : [blob.key])));
  const unnamed = new Set<string>();
  for (const reader of readers.values()) {
    for (const key of await reader.keys()) if (!named.has(key)) unnamed.add(key);
  }
  if (unnamed.size === 0) return [];
  const olderKeys = await olderBlobKeys();
  return [...unnamed]
    .filter((key) => !olderKeys.has(key))
    .map((key) => `The blob ${key} is named by no record; the next start removes it.`);
};
