/** Watches files and folders, and reports changes together after a short time without changes. */
import { statSync } from 'node:fs';

/** Changes are reported after this time without another: an editor writes a file in several steps, a checkout writes many files. */
const quietMs = 100;

/** How often folders are checked for replacement. */
const checkMs = 300;

export type WatchListener = {
  readonly onChange: (files: readonly string[]) => void;
  /** Called for a path that cannot be watched, for example without permission. The others are still watched. */
  readonly onError: (error: unknown) => void;
};

export type FileWatcher = {
  /** Watches these paths beside the present ones. */
  add(paths: readonly string[]): void;
  end(): Promise<void>;
};

/** Watches files and folders recursively. */
export const watchFiles = async (
  first: readonly string[],
  { onChange, onError }: WatchListener,
): Promise<FileWatcher> => {
  const paths = [...first];
  // Loaded here because most servers do not watch.
  const { watch } = await import('chokidar');
  const watcher = watch(first.slice(), { ignoreInitial: true, ignored: /(^|[/\\])(\.git|node_modules)([/\\]|$)/ });
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const add = (file: string): void => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed].sort();
      changed.clear();
      onChange(files);
    }, quietMs);
  };
  watcher.on('all', (_event, file) => add(file)).on('error', onError);
  let folders = paths.map(folderIdentity);
  // A checkout may replace a folder by a new one. The watcher would keep watching the old folder.
  const check = setInterval(() => {
    const before = folders;
    folders = paths.map(folderIdentity);
    for (const [index, path] of paths.entries()) {
      if (folders[index] === undefined || folders[index] === before[index]) continue;
      watcher.unwatch(path).add(path);
      add(path);
    }
  }, checkMs).unref();
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    add: (more) => {
      for (const path of more) {
        if (paths.includes(path)) continue;
        paths.push(path);
        folders.push(folderIdentity(path));
        watcher.add(path);
      }
    },
    end: async () => {
      clearTimeout(timer);
      clearInterval(check);
      await watcher.close();
    },
  };
};

/** Differs between a folder and its replacement of the same name. Undefined when there is no folder. */
const folderIdentity = (path: string): string | undefined => {
  try {
    const found = statSync(path);
    // The inode number of a deleted folder may be used again.
    return found.isDirectory() ? `${found.ino} ${found.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
};
