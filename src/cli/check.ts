/** `atoll check`: verifies a data directory or an export without changing it. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { checkRecords, type Findings } from '../content/check-records.ts';
import { firstValue, type Entity } from '../model/entity.ts';
import { schemeOf } from '../content/repository.ts';
import { loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { systemClock } from '../worlds/system-clock.ts';
import { blobState } from '../storage/blobs/check-blobs.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import { isExport } from '../storage/export/export-writer.ts';
import type { Counters } from '../storage/record-set.ts';
import { storeDamagedCode } from '../storage/journal/store-damaged.ts';
import { blobKeysInGenerations, readStoredRepository } from '../storage/journal/stored-repository.ts';
import { storedBlobs, type BlobReader } from '../worlds/stored-blobs.ts';
import { createProgress } from './progress.ts';
import type { CommandContext } from './serve.ts';

type CheckOptions = { readonly data: string; readonly site?: string };

/** What is checked. Blobs of an export are in one place for all schemes. */
type Subject = {
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  readonly warnings: readonly string[];
  readonly readers: ReadonlyMap<string, BlobReader>;
  /** Blobs that an older generation may still name; they are not orphans. */
  readonly alsoNamed: () => Promise<ReadonlySet<string>>;
};

/** Adds the command to the program. */
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
  const judge = (subject: Subject): Promise<Findings> => judgeAll(subject, site, context);
  const { faults, notes } = (await isExport(directory))
    ? await judge(await exported(directory, site))
    : await readStoredRepository(directory, async (repository) =>
        judge({
          ...repository,
          readers: await storedBlobs(site, directory, repository.instance),
          alsoNamed: () => blobKeysInGenerations(directory),
        }),
      );
  for (const note of notes) context.print(`note: ${note}`);
  for (const fault of faults) context.print(`fault: ${fault}`);
  if (faults.length > 0) {
    throw Object.assign(new Error(`${options.data}: ${faults.length} faults, ${notes.length} notes.`), {
      code: storeDamagedCode,
    });
  }
  context.print(`${options.data} is whole: no faults, ${notes.length} notes.`);
};

const exported = async (directory: string, site: Site): Promise<Subject> => {
  const { entities, counters } = await readExport(directory);
  const blobs = exportBlobs(directory);
  const readers = new Map(site.storages.map(({ scheme }) => [scheme, blobs]));
  return { entities: [...entities], counters, warnings: [], readers, alsoNamed: () => Promise.resolve(new Set()) };
};

const judgeAll = async (subject: Subject, site: Site, context: CommandContext): Promise<Findings> => {
  const records = checkRecords(subject.entities, subject.counters, site.model);
  const progress = createProgress(context, systemClock, 'files');
  const files = subject.entities.filter(({ type }) => type === 'file');
  const faults: string[] = [];
  const notes: string[] = [...subject.warnings];
  for (const [done, file] of files.entries()) {
    const fault = await fileFault(file, subject.readers);
    if (fault !== undefined) faults.push(fault);
    if (file.blob === undefined) notes.push(`file:${file.id} has lost its bytes.`);
    progress(done);
  }
  return {
    faults: [...records.faults, ...faults],
    notes: [...records.notes, ...notes, ...(await orphans(subject))],
  };
};

/** V3: a file has a blob of `filesize` bytes with the stored hash. */
const fileFault = async (file: Entity, readers: Subject['readers']): Promise<string | undefined> => {
  if (file.blob === undefined) return undefined;
  if (firstValue(file, 'filesize') !== file.blob.size) return `file:${file.id}: filesize is not the size of its bytes.`;
  const state = await blobState(file.blob, readers.get(schemeOf(file)));
  if (state === 'absent') return `file:${file.id}: its bytes (${file.blob.key}) are missing or of another length.`;
  if (state === 'changed') return `file:${file.id}: its bytes (${file.blob.key}) are not the ones that were stored.`;
  return undefined;
};

const orphans = async ({ entities, readers, alsoNamed }: Subject): Promise<string[]> => {
  const named = new Set(entities.flatMap(({ blob }) => (blob === undefined ? [] : [blob.key])));
  const unnamed = new Set<string>();
  for (const reader of readers.values()) {
    for (const key of await reader.keys()) if (!named.has(key)) unnamed.add(key);
  }
  if (unnamed.size === 0) return [];
  const kept = await alsoNamed();
  return [...unnamed]
    .filter((key) => !kept.has(key))
    .map((key) => `The blob ${key} is named by no record; the next start removes it.`);
};
