/** Reads the sources of a running server once more, and keeps the watched files to what they are made of now. */
import type { Site } from '../../core/site/site.ts';
import { defaultSiteFolder } from '../site-folders/packaged-sites.ts';
import {
  readSourceFiles,
  requireSameBase,
  type SourceFiles,
  type SourceLocations,
  watchedPaths,
} from '../sources/source-files.ts';
import { refuseOpenDemoAccounts, type ReachOptions } from './reach.ts';
import type { FileWatcher } from './watch-files.ts';

/** Throws `ConfigurationError` for files that cannot be served. `whenUsed` is for the moment when what they say is served. */
export const readAgain = async (
  options: SourceLocations & ReachOptions,
  site: Site,
  watcher: FileWatcher | undefined,
): Promise<{ readonly next: SourceFiles; readonly whenUsed: () => void }> => {
  const read = Date.now();
  const tried = new Set<string>();
  const onFile = (file: string): void => {
    tried.add(file);
    watcher?.look(file);
  };
  const next = await readSourceFiles(options, onFile).catch((error: unknown) => {
    // The file of a reference may appear later.
    watcher?.addMissing([...tried], read);
    throw error;
  });
  requireSameBase(site, next.site, options.drupalConfig?.folders[0] ?? options.site ?? defaultSiteFolder);
  refuseOpenDemoAccounts(next.site, options);
  return { next, whenUsed: () => watcher?.add(watchedPaths(options, next), read) };
};
