/** `atoll check --bytes`: compares the bytes of all files with their records, also while a server holds the directory. */
import { schemeOf } from '../core/content/repository.ts';
import type { Entity } from '../core/model/entity.ts';
import type { Site } from '../core/site/site.ts';
import { exportBlobs, readExport } from '../storage/export/export-directory.ts';
import { isExport } from '../storage/export/export-writer.ts';
import { readServedRepository } from '../storage/journal/stored-repository.ts';
import { openBlobReaders, type BlobReader } from '../server/worlds/blob-readers.ts';
import { bytesViolation } from '../server/worlds/check-fixture.ts';
import { createProgress } from './progress.ts';
import type { CommandContext } from './command-context.ts';

/** The files as they are now, and where their bytes are. */
type Files = { readonly files: readonly Entity[]; readonly readerOf: (file: Entity) => BlobReader | undefined };

/** Resolves with what is wrong, and with the number of files. */
export const checkBytes = async (
  directory: string,
  site: Site,
  context: CommandContext,
): Promise<{ readonly violations: readonly string[]; readonly files: number }> => {
  const { files, readerOf } = await filesIn(directory, site);
  const progress = createProgress(context, 'files');
  const suspects: [file: Entity, violation: string][] = [];
  for (const [done, file] of files.entries()) {
    const violation = await bytesViolation(file, readerOf(file));
    if (violation !== undefined) suspects.push([file, violation]);
    progress(done);
  }
  if (suspects.length === 0) return { violations: [], files: files.length };
  // A server may have replaced or deleted the bytes meanwhile.
  const present = new Map((await filesIn(directory, site)).files.map((file) => [file.id, file.blob?.key]));
  const faults = suspects.filter(([file]) => present.get(file.id) === file.blob?.key);
  return { violations: faults.map(([, violation]) => violation), files: files.length };
};

const filesIn = async (directory: string, site: Site): Promise<Files> => {
  if (await isExport(directory)) {
    const blobs = exportBlobs(directory);
    return { files: withBytes((await readExport(directory)).entities), readerOf: () => blobs };
  }
  const { entities, instance } = await readServedRepository(directory);
  const readers = await openBlobReaders(site, directory, instance);
  return { files: withBytes(entities), readerOf: (file) => readers.get(schemeOf(file)) };
};

const withBytes = (entities: Iterable<Entity>): Entity[] => [...entities].filter(({ blob }) => blob !== undefined);
