/** Tells when files have changed: together, when there has been quiet for a moment. What is done then is not known here. */
import { statSync } from 'node:fs';

/** An editor writes a file in several steps, a checkout writes many files. */
const quietMs = 100;

/** How often it is asked whether folders are still the same. */
const searchMs = 300;

export type Watched = {
  readonly changed: (files: readonly string[]) => void;
  /** What cannot be watched, for want of handles or of the right to read it: the rest is. */
  readonly failed: (error: unknown) => void;
};

/** Begins to watch files and folders, with all that they hold. The result ends it. */
export const watchFiles = async (
  places: readonly string[],
  { changed, failed }: Watched,
): Promise<() => Promise<void>> => {
  // Loaded by those alone who watch.
  const { watch } = await import('chokidar');
  const watcher = watch([...places], { ignoreInitial: true, ignored: /(^|[/\\])(\.git|node_modules)([/\\]|$)/ });
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const told = (file: string): void => {
    waiting.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...waiting].sort();
      waiting.clear();
      changed(files);
    }, quietMs);
  };
  watcher.on('all', (_event, file) => told(file)).on('error', failed);
  let folders = places.map(folderAt);
  // A checkout may take a folder away and bring another: whoever watches goes on with the one that is gone.
  const search = setInterval(() => {
    const before = folders;
    folders = places.map(folderAt);
    for (const [index, place] of places.entries()) {
      if (folders[index] === undefined || folders[index] === before[index]) continue;
      watcher.unwatch(place).add(place);
      told(place);
    }
  }, searchMs).unref();
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return async () => {
    clearTimeout(timer);
    clearInterval(search);
    await watcher.close();
  };
};

/** What tells a folder from another of its name; undefined when there is none. */
const folderAt = (place: string): string | undefined => {
  try {
    const found = statSync(place);
    // The number of one that is gone is given to the next one.
    return found.isDirectory() ? `${found.ino} ${found.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
};
