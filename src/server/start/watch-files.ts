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
  /** Watches these paths besides the present ones. `since` is the time of the reading that named them. */
  add(paths: readonly string[], since: number): void;
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
  const watched = new Set<string>();
  const changes = collectChanges(onChange);
  const ends: (() => Promise<void>)[] = [];
  const onChanged = (file: string): void => changes.add(file);
  const add = (paths: readonly string[], read: number): void => {
    const more = paths.filter((path) => !watched.has(path));
    for (const path of more) watched.add(path);
    if (more.length > 0) ends.push(watchSome(more, read, { onChanged, onError }));
  };
  add(first, since);
  return {
    add,
    end: async () => {
      changes.end();
      await Promise.all(ends.map((end) => end()));
    },
  };
};

type SomeListener = Pick<WatchListener, 'onError'> & { readonly onChanged: (file: string) => void };

/** Watches what one reading named. Returns what ends that. */
const watchSome = (
  paths: readonly string[],
  since: number,
  { onChanged, onError }: SomeListener,
): (() => Promise<void>) => {
  const changedMeanwhile = rememberFiles(paths, since);
  const ending = new AbortController();
  let watcher: FSWatcher | undefined;
  let folders = paths.map(folderIdentity);
  // A checkout may replace a folder by a new one. The watcher would keep watching the old folder.
  const check = setInterval(() => {
    const before = folders;
    folders = paths.map(folderIdentity);
    for (const [index, path] of paths.entries()) {
      if (folders[index] === undefined || folders[index] === before[index]) continue;
      watcher?.unwatch(path).add(path);
      onChanged(path);
    }
  }, checkMs).unref();
  const begin = async (): Promise<void> => {
    await wait(delayMs, undefined, { ref: false, signal: ending.signal });
    // Loaded here because most servers do not watch.
    const { watch } = await import('chokidar');
    // A removal is reported this late, because the file may come back. It must not miss the changes that came with it.
    const opened = watch([...paths], { ignoreInitial: true, ignored: isUnwatched, atomic: quietMs / 2 });
    watcher = opened.on('error', onError).once('ready', () => {
      opened.on('all', (_event, file) => onChanged(file));
      for (const file of changedMeanwhile()) onChanged(file);
    });
  };
  const begun = begin().catch((error: unknown) => {
    if (!ending.signal.aborted) onError(error);
  });
  return async () => {
    ending.abort();
    clearInterval(check);
    await begun;
    await watcher?.close();
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
