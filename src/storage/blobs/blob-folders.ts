/** The folders of a blob directory: gives blobs their names, and makes the names durable. */
import { dirname, join } from 'node:path';
import { errorCode } from '../../basics/error-code.ts';
import type { Files, OpenFile } from '../../basics/disk/files.ts';

/**
 * The same sync, where a caller who asks while one of the same folder runs waits for the next one, together with all others that ask
 * until it begins. So each sync begins after all the changes that it answers for. Rejects with the error of that sync.
 */
const createSharedSync = (sync: (folder: string) => Promise<void>): ((folder: string) => Promise<void>) => {
  const running = new Map<string, { readonly ended: Promise<void>; next?: Promise<void> }>();

  const begin = (folder: string): Promise<void> => {
    const ended = sync(folder);
    const current = { ended };
    running.set(folder, current);
    const forget = (): void => {
      if (running.get(folder) === current) running.delete(folder);
    };
    ended.then(forget, forget);
    return ended;
  };

  return (folder) => {
    const current = running.get(folder);
    if (current === undefined) return begin(folder);
    const beginNext = (): Promise<void> => begin(folder);
    return (current.next ??= current.ended.then(beginNext, beginNext));
  };
};

export type BlobFolders = Awaited<ReturnType<typeof openBlobFolders>>;

const keyPattern = /^(?<folder>[0-9a-f]{2})\/\k<folder>[0-9a-f]{30}$/;

/** Only such names are opened or removed, even when a record contains another one. */
export const isKey = (key: string): boolean => keyPattern.test(key);

/** 32 hex digits. */
export const drawName = (newName: () => string): string => {
  const name = newName().replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(name)) throw new Error('A blob name must be a uuid.');
  return name;
};

/** So many blobs that are stored at the same time get into one folder. */
const groupSize = 64;

type FolderOptions = {
  readonly directory: string;
  readonly files: Files;
  /** Returns a new uuid. Called again when the name is taken. */
  readonly newName: () => string;
};

/**
 * Opens the folders of an existing directory. Blobs that are stored at the same time get into the same folder, where one sync makes
 * all of their names durable.
 */
export const openBlobFolders = async ({ directory, files, newName }: FolderOptions) => {
  const present = await files.names(directory);
  await files.syncDirectory(directory);
  const folders = createFolders(directory, files, present);
  const sync = createSharedSync((folder) => files.syncDirectory(join(directory, folder)));
  const group = { storing: 0, folder: '', size: 0 };

  const drawKey = (): string => {
    const name = drawName(newName);
    if (group.storing === 1 || group.size === groupSize) Object.assign(group, { folder: name.slice(0, 2), size: 0 });
    group.size += 1;
    return `${group.folder}/${group.folder}${name.slice(2)}`;
  };
  /** Uuids from a fixed seed repeat, so a name is free only when its file can be created. */
  const createFile = async (): Promise<{ key: string; file: OpenFile }> => {
    for (;;) {
      const key = drawKey();
      await folders.require(dirname(key));
      try {
        return { key, file: await files.createNew(join(directory, key)) };
      } catch (error) {
        const code = errorCode(error);
        if (code === 'ENOENT') folders.forget(dirname(key));
        else if (code !== 'EEXIST') throw error;
      }
    }
  };
  return {
    /**
     * Creates a file under a free name and hands it to `fill`, which writes and closes it. `sync` makes the name durable. Resolves
     * with the name. A failure removes the file.
     */
    store: async (
      fill: (file: OpenFile, path: string, sync: () => Promise<void>) => Promise<void>,
    ): Promise<string> => {
      group.storing += 1;
      try {
        const { key, file } = await createFile();
        const path = join(directory, key);
        try {
          await fill(file, path, () => sync(dirname(key)));
        } catch (error) {
          await file.close().catch(() => undefined);
          // The sweep of the next start removes what cannot be removed now.
          await files.remove(path).catch(() => undefined);
          throw error;
        }
        return key;
      } finally {
        group.storing -= 1;
      }
    },
  };
};

/** Makes the folders that are missing, each of them once. */
const createFolders = (directory: string, files: Files, present: readonly string[]) => {
  /** Resolves when the folder's own entry is durable. */
  const made = new Map(present.map((folder) => [folder, Promise.resolve()]));

  const make = async (folder: string): Promise<void> => {
    await files.makeDirectory(join(directory, folder));
    await files.syncDirectory(directory);
  };
  return {
    require: async (folder: string): Promise<void> => {
      const making = made.get(folder) ?? make(folder);
      made.set(folder, making);
      try {
        await making;
      } catch (error) {
        made.delete(folder);
        throw error;
      }
    },
    /** Somebody has removed the folder. */
    forget: (folder: string): void => void made.delete(folder),
  };
};
