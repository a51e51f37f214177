/**
 * Writes a repository as one archive file, and reads one back: what a visitor made in a page can be taken along.
 *
 * The archive is a plain tar with the files of `atoll export`. So the program takes it too:
 * `mkdir made && tar -xf repository.tar -C made`, then `atoll import --from made --data DIR` or `atoll serve --fixture made`.
 *
 *     const { archive } = await exportRepository(worlds.main);            // a Blob of the type application/x-tar
 *     const { records } = await importRepository(worlds.main, file, site); // a Blob, such as the File that a visitor chose
 */
import { createHash } from 'node:crypto';
import { chunksOf } from '../../basics/byte-streams.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { indexKeys } from '../../core/content/index-keys.ts';
import { schemeOf } from '../../core/content/repository.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { BlobReference, Entity } from '../../core/model/entity.ts';
import type { Site } from '../../core/site/site.ts';
import { type ReplaceableWorld, replaceContent } from '../../server/worlds/archive/world-content.ts';
import { contentViolations, type FixtureContent } from '../../server/worlds/check-fixture.ts';
import type { NamedWorld } from '../../server/worlds/named-world.ts';
import type { SavedState } from '../../server/worlds/saved-state.ts';
import { archivedBlobs, archivePlace, createArchiveFiles } from '../../storage/export/archive-files.ts';
import {
  exportedBlobName,
  exportedRecord,
  exportFile,
  exportFileName,
  exportText,
} from '../../storage/export/export-format.ts';
import { createRecordSet } from '../../storage/record-set.ts';
import { openHeld } from '../held-blobs.ts';
import { createTarWriter, readTar } from './tar.ts';

/** By type and ascending id. The files may be in a folder of the archive. Rejects with `ConfigurationError`. */
const readArchive = async (archive: Blob): Promise<FixtureContent> => {
  const blobs = new Map<string, Blob>();
  const files = createArchiveFiles();
  for await (const file of readTar(archive)) {
    const place = archivePlace(file.name);
    if (place?.kind === 'bytes') blobs.set(place.name, file.content);
    else if (place !== undefined) files.add(place, new TextDecoder().decode(await file.bytes()));
  }
  const open: BlobStorage['open'] = async ({ key, size }, range) => {
    const bytes = blobs.get(key);
    return bytes?.size === size ? openHeld(bytes, range) : undefined;
  };
  return { ...files.records(), blobs: archivedBlobs(blobs, open) };
};

/** `lost`: the files whose bytes are missing or changed. Their records are in the archive without bytes. */
type ExportedArchive = {
  readonly archive: Blob;
  readonly records: number;
  readonly blobs: number;
  readonly lost: readonly Entity[];
};

/** All records and bytes of a world as they are now. Equal content gives an equal archive. */
export const exportRepository = async (world: Pick<NamedWorld, 'saveState'>): Promise<ExportedArchive> => {
  const state = world.saveState();
  const release = state.hold();
  try {
    return await writeArchive(state);
  } finally {
    release();
  }
};

const writeArchive = async (state: SavedState): Promise<ExportedArchive> => {
  const records = createRecordSet(indexKeys, state.records);
  const tar = createTarWriter();
  const written = new Set<string>();
  const lost: Entity[] = [];
  const addBytes = async (file: Entity): Promise<BlobReference | undefined> => {
    if (file.blob === undefined) return undefined;
    const key = exportedBlobName(file, file.blob.sha256);
    if (!written.has(key)) {
      const bytes = await wholeBytes(file, file.blob, state);
      if (bytes === undefined) {
        lost.push(file);
        return undefined;
      }
      tar.add(`blobs/${key}`, bytes);
      written.add(key);
    }
    return { ...file.blob, key };
  };
  tar.add(exportFileName, exportText(exportFile(records.counters())));
  for (const entity of records.all()) {
    tar.add(`${entity.type}/${entity.id}.json`, exportText(exportedRecord(entity, await addBytes(entity))));
  }
  return { archive: tar.end(), records: records.size(), blobs: written.size, lost };
};

/** How many bytes of a file are collected in memory before the browser takes them. */
const pieceBytes = 4 * 1024 * 1024;

/** Undefined when the bytes are missing or are not those of the record. */
const wholeBytes = async (file: Entity, blob: BlobReference, state: SavedState): Promise<Blob | undefined> => {
  const stream = await state.blobs.get(schemeOf(file))?.open(blob);
  if (stream === undefined) return undefined;
  const sum = createHash('sha256');
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunksOf(stream) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    sum.update(chunk);
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < pieceBytes) continue;
    pieces.push(new Blob(chunks));
    chunks = [];
    size = 0;
  }
  return sum.digest('hex') === blob.sha256 ? new Blob([...pieces, ...chunks]) : undefined;
};

type ImportedArchive = { readonly records: number; readonly blobs: number };

/**
 * Replaces everything in a world by an archive, durably where the world is. A reset of the world still returns to what it was
 * made from. Rejects with `ConfigurationError` when the archive cannot be read or does not fit the site, and with a Problem
 * (507 or 503) when it cannot be written. Then nothing changes.
 */
export const importRepository = async (
  world: ReplaceableWorld,
  archive: Blob,
  site: Site,
): Promise<ImportedArchive> => {
  const content = await readArchive(archive);
  const violations = await contentViolations(content, content.blobs, site);
  const [first] = violations;
  if (first !== undefined) {
    const all = violations.length === 1 ? '' : ` (the first of ${violations.length} faults)`;
    throw new ConfigurationError(`The archive does not fit the site: ${first}${all}`);
  }
  await replaceContent(world, content);
  return { records: [...content.entities].length, blobs: (await content.blobs.keys()).length };
};
