/**
 * Writes a repository as one archive file, and reads one back: what a visitor made in a page can be taken along.
 *
 * The archive is a plain tar with the files of `atoll export`. So the program takes it too:
 * `mkdir made && tar -xf repository.tar -C made`, then `atoll import --from made --data DIR` or `atoll serve --fixture made`.
 *
 *     const archive = await exportRepository(worlds.main); // a Blob of the type application/x-tar
 *     await importRepository(worlds, file, site);          // a Blob, such as the File that a visitor chose
 */
import { repositoryApplication } from '../../application/application.ts';
import { chunksOf, inLargerChunks } from '../../basics/byte-streams.ts';
import type { Site } from '../../repository/repository.ts';
import { mainName } from '../../openapi/openapi-host.ts';
import { type HoldableWorld, holdContent, requireArchiveFit, type LocalWorlds } from '../../server/server-worlds.ts';
import { readArchiveFiles, writeArchive } from '../../storage/storage-export.ts';
import { openHeld } from '../held-blobs.ts';

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
  // The browser reads the bytes again when they are needed.
  const content = await readArchiveFiles(chunksOf(openHeld(archive)), {
    keep: async ({ at, size }) => archive.slice(at, at + size),
    open: openHeld,
  });
  await requireArchiveFit(content, { rules: repositoryApplication.content, site });
  await worlds.replaceContent(mainName, content);
};
