/**
 * Writes a repository as one archive file, and reads one back: what a visitor made in a page can be taken along.
 *
 * The archive is a plain tar with the files of `atoll export`. So the program takes it too:
 * `mkdir made && tar -xf repository.tar -C made`, then `atoll import --from made --data DIR` or `atoll serve --fixture made`.
 *
 *     const archive = await exportRepository(worlds.main); // a Blob of the type application/x-tar
 *     await importRepository(worlds, file, site);          // a Blob, such as the File that a visitor chose
 */
import { chunksOf, streamOf } from '../../basics/byte-streams.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { Site } from '../../core/site/site.ts';
import { mainName } from '../../core/model/world-name.ts';
import { type HoldableWorld, holdContent } from '../../server/worlds/archive/world-content.ts';
import { contentViolations, type FixtureContent } from '../../server/worlds/check-fixture.ts';
import type { LocalWorlds } from '../../server/worlds/worlds.ts';
import { readOnlyBlobs } from '../../storage/blobs/read-only-blobs.ts';
import { archivePlace, createArchiveFiles } from '../../storage/export/archive-files.ts';
import { writeArchive } from '../../storage/export/archive-writer.ts';
import { inLargerChunks, readTarStream } from '../../storage/export/tar-stream.ts';
import { openHeld } from '../held-blobs.ts';

/** By type and ascending id. The files may be in a folder of the archive. Rejects with `ConfigurationError`. */
const readArchive = async (archive: Blob): Promise<FixtureContent> => {
  const blobs = new Map<string, Blob>();
  const files = createArchiveFiles();
  for await (const { name, at, size, bytes } of readTarStream(chunksOf(openHeld(archive)))) {
    const place = archivePlace(name);
    // The browser reads them again when they are needed.
    if (place?.kind === 'bytes') blobs.set(place.name, archive.slice(at, at + size));
    else if (place !== undefined) files.add(place, await new Response(streamOf(bytes)).text());
  }
  return {
    ...files.records(),
    blobs: readOnlyBlobs('The archive', {
      open: async ({ key, size }, range) => {
        const bytes = blobs.get(key);
        return bytes?.size === size ? openHeld(bytes, range) : undefined;
      },
      keys: async () => [...blobs.keys()].sort(),
    }),
  };
};

/** How many bytes are collected in memory before the browser takes them. */
const pieceBytes = 4 * 1024 * 1024;

/** All records and bytes of a world as they are now. Equal content gives an equal archive. */
export const exportRepository = async (world: HoldableWorld): Promise<Blob> => {
  const held = holdContent(world);
  try {
    const pieces: Blob[] = [];
    for await (const bytes of inLargerChunks(writeArchive(held.content), pieceBytes)) pieces.push(new Blob([bytes]));
    return new Blob(pieces, { type: 'application/x-tar' });
  } finally {
    await held.release();
  }
};

/**
 * Replaces everything in the main world by an archive, durably where it is. A reset of the world still returns to what it was made
 * from. Rejects with `ConfigurationError` when the archive cannot be read or does not fit the site, and with a Problem
 * (507 or 503) when it cannot be written. Then nothing changes.
 */
export const importRepository = async (
  worlds: Pick<LocalWorlds, 'replaceContent'>,
  archive: Blob,
  site: Site,
): Promise<void> => {
  const content = await readArchive(archive);
  const violations = await contentViolations(content, content.blobs, site);
  const [first] = violations;
  if (first !== undefined) {
    const all = violations.length === 1 ? '' : ` (the first of ${violations.length} faults)`;
    throw new ConfigurationError(`The archive does not fit the site: ${first}${all}`);
  }
  await worlds.replaceContent(mainName, content);
};
