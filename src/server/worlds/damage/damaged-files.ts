/** The files whose stored bytes turned out to be missing or changed, as long as their records name those bytes. */
import { filesWithBytes } from '../file-blobs.ts';
import { type BlobReference, type Entity, type EntityStore, schemeOf } from '../../../openapi/openapi-records.ts';

export type DamagedFiles = ReturnType<typeof createDamagedFiles>;

/** `warn` is called once for each file. The store changes with a reset. */
export const createDamagedFiles = (currentStore: () => EntityStore, warn: (message: string) => void) => {
  /** The name of the damaged bytes, by the id of their file. */
  const damaged = new Map<number, string>();
  const note = (file: Entity): void => {
    if (file.blob === undefined || damaged.get(file.id) === file.blob.key) return;
    damaged.set(file.id, file.blob.key);
    warn(`The bytes of file ${file.id} in ${schemeOf(file)}:// are missing or not the ones that were stored.`);
  };
  return {
    note,
    /** Finds the files that name the bytes. */
    noteBlob: async (scheme: string, { key }: BlobReference): Promise<void> => {
      for (const file of await filesWithBytes(currentStore())) {
        if (file.blob?.key === key && schemeOf(file) === scheme) note(file);
      }
    },
    /** The ids of the files that still name damaged bytes. */
    ids: async (): Promise<readonly number[]> => {
      const ids = [...damaged.keys()];
      const files = await currentStore().getMany(ids.map((id) => `file:${id}` as const));
      for (const [at, id] of ids.entries()) if (files[at]?.blob?.key !== damaged.get(id)) damaged.delete(id);
      return [...damaged.keys()].sort((a, b) => a - b);
    },
  };
};
