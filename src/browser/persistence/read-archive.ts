/** Reads the archive of a repository: its records, and its bytes as a storage. */
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import { archivePlace, createArchiveFiles } from '../../storage/export/archive-files.ts';
import type { FixtureContent } from '../../server/worlds/check-fixture.ts';
import { openHeld } from '../held-blobs.ts';
import { readTar } from './tar.ts';

/** By type and ascending id. The files may be in a folder of the archive. Rejects with `ConfigurationError`. */
export const readArchive = async (archive: Blob): Promise<FixtureContent> => {
  const blobs = new Map<string, Blob>();
  const files = createArchiveFiles();
  for await (const file of readTar(archive)) {
    const place = archivePlace(file.name);
    if (place?.kind === 'bytes') blobs.set(place.name, file.content);
    else if (place !== undefined) files.add(place, new TextDecoder().decode(await file.bytes()));
  }
  return { ...files.records(), blobs: readOnlyBlobs(blobs) };
};

const readOnlyBlobs = (blobs: ReadonlyMap<string, Blob>): BlobStorage => {
  const readOnly = (): Promise<never> => Promise.reject(new Error('The archive is only read.'));
  return {
    receive: readOnly,
    remove: readOnly,
    open: async ({ key, size }, range) => {
      const bytes = blobs.get(key);
      return bytes?.size === size ? openHeld(bytes, range) : undefined;
    },
    keys: async () => [...blobs.keys()].sort(),
  };
};
