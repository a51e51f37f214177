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

/**
 * How often the files themselves, and those at the top of each folder, are looked at. An operating system tells of a file as long as it
 * is the same file: one that is removed and put back, as editors and checkouts do it, is another one.
 */
const checkMs = 200;

type WatchListener = {
  readonly onChange: (files: readonly string[]) => void;
  /** Called for a path that cannot be watched, for example without permission. The others are still watched. */
  readonly onError: (error: unknown) => void;
};

export type FileWatcher = {
  /** Watches these paths besides the present ones. `since` is the time of the reading that named them. All of them were there. */
  add(paths: readonly string[], since: number): void;
  /** The same for files of which some may be missing. */
  addMissing(paths: readonly string[], since: number): void;
  /** Looks at a watched file before it is read: a change after that is one that the reading may have missed. */
  look(path: string): void;
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
  const polls: Poll[] = [];
  const onPoll = (poll: Poll): void => void polls.push(poll);
  const onChanged = (file: string): void => changes.add(file);
  const add = (paths: readonly string[], read: number): void => {
    const more = [...new Set(paths)].filter((path) => !watched.has(path));
    for (const path of more) watched.add(path);
    if (more.length > 0) ends.push(watchSome(more, read, { onChanged, onError, onPoll }));
  };
  const addMissing: FileWatcher['addMissing'] = (paths, read) => {
    const missing = paths.filter((path) => !watched.has(path) && stateOf(path) === undefined);
    for (const path of missing) watched.add(path);
    if (missing.length > 0) {
      const poll = pollStates(missing, onChanged);
      onPoll(poll);
      ends.push(poll.end);
    }
    add(paths, read);
  };
  add(first, since);
  return {
    ...{ add, addMissing },
    look: (path) => {
      for (const poll of polls) poll.look(path);
    },
    end: async () => {
      changes.end();
      await Promise.all(ends.map((end) => end()));
    },
  };
};

type SomeListener = Pick<WatchListener, 'onError'> & {
  readonly onChanged: (file: string) => void;
  readonly onPoll: (poll: Poll) => void;
};

type Poll = { readonly look: (path: string) => void; readonly end: () => Promise<void> };

/** Watches what one reading named. Returns what ends that. */
const watchSome = (
  paths: readonly string[],
  since: number,
  { onChanged, onError, onPoll }: SomeListener,
): (() => Promise<void>) => {
  const changedMeanwhile = rememberFiles(paths, since);
  const folders = paths.filter(isFolder);
  const ending = new AbortController();
  let watcher: FSWatcher | undefined;
  const poll = pollStates(paths, (path, isReplaced) => {
    // The watcher would keep watching the old folder.
    if (isReplaced && folders.includes(path)) watcher?.unwatch(path).add(path);
    onChanged(path);
  });
  onPoll(poll);
  const begin = async (): Promise<void> => {
    await wait(delayMs, undefined, { ref: false, signal: ending.signal });
    const gone = paths.filter((path) => stateOf(path) === undefined);
    for (const path of [...gone, ...changedMeanwhile()]) onChanged(path);
    if (folders.length === 0) return;
    // Loaded here because most servers do not watch.
    const { watch } = await import('chokidar');
    // A removal is reported this late, because the file may come back. It must not miss the changes that came with it.
    const opened = watch(folders, { ignoreInitial: true, ignored: isUnwatched, atomic: quietMs / 2 });
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
    await poll.end();
    await begun;
    await watcher?.close();
  };
};

type State = { readonly identity: string; readonly entries: ReadonlyMap<string, string> };

/** Compares paths with what they were before. A folder that is another one is `isReplaced`. */
const pollStates = (paths: readonly string[], onChanged: (path: string, isReplaced: boolean) => void): Poll => {
  const states = new Map(paths.map((path) => [path, stateOf(path)]));
  const look = (path: string): void => {
    if (!states.has(path)) return;
    const before = states.get(path);
    const now = stateOf(path);
    states.set(path, now);
    if (now?.identity !== before?.identity) onChanged(path, now !== undefined);
    else for (const name of changedEntries(before, now)) onChanged(join(path, name), false);
  };
  const check = setInterval(() => paths.forEach(look), checkMs).unref();
  return {
    look,
    end: () => {
      clearInterval(check);
      return Promise.resolve();
    },
  };
};

const changedEntries = (before: State | undefined, now: State | undefined): string[] => {
  const names = new Set([...(before?.entries.keys() ?? []), ...(now?.entries.keys() ?? [])]);
  return [...names].filter((name) => before?.entries.get(name) !== now?.entries.get(name));
};

/** The most files at the top of a folder that are looked at. */
const mostEntries = 200;

/** Undefined where there is nothing. */
const stateOf = (path: string): State | undefined => {
  const identity = identityOf(path);
  if (identity === undefined) return undefined;
  if (!identity.startsWith(folderMark)) return { identity, entries: new Map() };
  return { identity, entries: new Map(entriesOf(path).map((name) => [name, identityOf(join(path, name)) ?? ''])) };
};

const entriesOf = (folder: string): string[] => {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    return files.slice(0, mostEntries).map(({ name }) => name);
  } catch {
    return [];
  }
};

const folderMark = 'folder';

/** Differs between a file or folder and its replacement of the same name, and with each change of a file. */
const identityOf = (path: string): string | undefined => {
  try {
    const found = statSync(path);
    const { ino, birthtimeMs, mtimeMs, ctimeMs, size } = found;
    // The inode number of what was deleted may be used again.
    return found.isDirectory()
      ? `${folderMark} ${ino} ${birthtimeMs}`
      : [ino, birthtimeMs, mtimeMs, ctimeMs, size].join(' ');
  } catch {
    return undefined;
  }
};

const isFolder = (path: string): boolean => identityOf(path)?.startsWith(folderMark) === true;
