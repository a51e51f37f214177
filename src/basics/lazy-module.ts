/** Loads a module when it is first needed. A load that has failed is tried again with the next use. */
import { pathToFileURL } from 'node:url';
import { importModule } from './import-module.ts';

/** No descriptor was free, in this process or on the machine. */
const noDescriptor: readonly unknown[] = ['EMFILE', 'ENFILE'];

let repeats = 0;

/** Returns what loads the module: once, also for several callers at the same time. `member` is a name that it exports. */
export const lazyModule = <T extends object>(load: () => Promise<T>, member: keyof T & string): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load()
      .catch((error: unknown) => loadAnew<T>(error, member))
      .catch((error: unknown) => {
        loaded = undefined;
        throw error;
      }));
};

/** Node remembers for ever that it could not open a file. Under another address the file is a new module. */
const loadAnew = async <T extends object>(error: unknown, member: string): Promise<T> => {
  const { code, path } = error as NodeJS.ErrnoException; // both are undefined where no file could not be opened
  if (!noDescriptor.includes(code) || path === undefined) throw error;
  repeats += 1;
  const read = await importModule(`${pathToFileURL(path).href}?again=${repeats}`);
  // The file may be one that the module imports.
  if (typeof read !== 'object' || read === null || !(member in read)) throw error;
  return read as T; // the file of the module, with its member
};
