/** Reads the sources of a running server once more, and keeps the watched files to what they are made of now. */
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { readSourceFiles, type SourceFiles, type SourceLocations, watchedPaths } from '../sources/source-files.ts';
import type { ApplicationOnDisk } from '../application.ts';
import { refuseOpenDemoAccounts, type ReachOptions } from './reach.ts';
import type { FileWatcher } from './watch-files.ts';

/** Throws `ConfigurationError` for files that cannot be served. `whenUsed` is for the moment when what they say is served. */
export const readAgain = async (
  options: SourceLocations & ReachOptions & { readonly application: Pick<ApplicationOnDisk, 'siteReader'> },
  site: HostedSite,
  watcher: FileWatcher | undefined,
): Promise<{ readonly next: SourceFiles; readonly whenUsed: () => void }> => {
  const read = Date.now();
  const { siteReader } = options.application;
  const tried = new Set<string>();
  const onFile = (file: string): void => {
    tried.add(file);
    watcher?.look(file);
  };
  const next = await readSourceFiles(options, siteReader, onFile).catch((error: unknown) => {
    // The file of a reference may appear later.
    watcher?.addMissing([...tried], read);
    throw error;
  });
  siteReader?.requireSameBase(site, next.site, options);
  refuseOpenDemoAccounts(next.site, options);
  return { next, whenUsed: () => watcher?.add(watchedPaths(options, siteReader, next), read) };
};
