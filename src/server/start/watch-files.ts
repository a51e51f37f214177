/** Watches files and folders for changes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';

/** Changes are reported after this time without another: an editor writes a file in several steps, a checkout writes many files. */
const quietMs = 100;

type CollectedChanges = {
  add(file: string): void;
  /** Nothing is reported any more. */
  end(): void;
};

/** Reports changed files together after a short time without changes. */
const collectChanges = (report: (files: readonly string[]) => void): CollectedChanges => {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  return {
    add: (file) => {
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const files = [...changed].sort();
        changed.clear();
        report(files);
      }, quietMs);
    },
    end: () => clearTimeout(timer),
  };
};

/** Folders that nobody watches: they hold thousands of files of others. */
const isUnwatched = (path: string): boolean => /(^|[/\\])(\.git|node_modules)([/\\]|$)/.test(path);

/**
 * Remembers which files there are. The returned function names those that are gone or have changed after `since`, the time of
 * the reading in milliseconds since 1970.
 */
const rememberFiles = (paths: readonly string[], since: number): (() => readonly string[]) => {
  const before = paths.flatMap(filesBelow);
  return () => {
    const now = new Set(paths.flatMap(filesBelow));
    const gone = before.filter((file) => !now.has(file));
    return [...gone, ...[...now].filter((file) => changedAt(file) > since)];
  };
};

/** In whole milliseconds, as `Date.now()` is: a file of the same millisecond is older. */
const changedAt = (file: string): number => Math.floor(statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity);

/** A file itself, or the files below a folder. None where nothing can be read. */
const filesBelow = (path: string): string[] => {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const place = join(path, entry.name);
      if (entry.isFile()) return [place];
      return entry.isDirectory() && !isUnwatched(entry.name) ? filesBelow(place) : [];
    });
  } catch {
    return [];
  }
};

/** How long after a start the first requests have the server to themselves. */
const delayMs = 50;

/** How often folders are checked for replacement. */
const checkMs = 300;

type WatchListener = {
  readonly onChange: (files: readonly string[]) => void;
  /** Called for a path that cannot be watched, for example without permission. The others are still watched. */
  readonly onError: (error: unknown) => void;
};

type FileWatcher = {
  /** Watches these files besides the present ones. `since` is the time of the reading that named them. */
  add(files: readonly string[], since: number): void;
  end(): Promise<void>;
};

/**
 * Watches files and folders recursively, soon: to look at a thousand files takes longer than the rest of a start. What has changed
 * from `since` on, in milliseconds since 1970, is reported then.
 */
export const watchFiles = (
  first: readonly string[],
  since: number,
  { onChange, onError }: WatchListener,
): FileWatcher => {
  const watched = new Set(first);
  const changes = collectChanges(onChange);
  const ending = new AbortController();
  const watchers: FSWatcher[] = [];
  let folders = first.map(folderIdentity);
  // A checkout may replace a folder by a new one. The watcher would keep watching the old folder.
  const check = setInterval(() => {
    const before = folders;
    folders = first.map(folderIdentity);
    for (const [index, path] of first.entries()) {
      if (folders[index] === undefined || folders[index] === before[index]) continue;
      watchers[0]?.unwatch(path).add(path);
      changes.add(path);
    }
  }, checkMs).unref();
  const open = async (opening: readonly string[], read: number): Promise<void> => {
    const changedMeanwhile = rememberFiles(opening, read);
    await wait(delayMs, undefined, { ref: false, signal: ending.signal });
    // Loaded here because most servers do not watch.
    const { watch } = await import('chokidar');
    // A removal is reported this late, because the file may come back. It must not miss the changes that came with it.
    const opened = watch([...opening], { ignoreInitial: true, ignored: isUnwatched, atomic: quietMs / 2 });
    watchers.push(opened);
    opened.on('error', onError).once('ready', () => {
      opened.on('all', (_event, file) => changes.add(file));
      for (const file of changedMeanwhile()) changes.add(file);
    });
  };
  const begin = (...given: Parameters<typeof open>): Promise<void> =>
    open(...given).catch((error: unknown) => {
      if (!ending.signal.aborted) onError(error);
    });
  const begun = [begin(first, since)];
  return {
    add: (files, read) => {
      const more = files.filter((file) => !watched.has(file));
      for (const file of more) watched.add(file);
      if (more.length > 0) begun.push(begin(more, read));
    },
    end: async () => {
      ending.abort();
      changes.end();
      clearInterval(check);
      await Promise.all(begun);
      await Promise.all(watchers.map((watcher) => watcher.close()));
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
