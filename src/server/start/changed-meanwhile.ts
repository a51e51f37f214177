/** Finds what changed between the reading of files and the moment from which a watcher sees changes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that nobody watches: they hold thousands of files of others. */
export const isUnwatched = (path: string): boolean => /(^|[/\\])(\.git|node_modules)([/\\]|$)/.test(path);

/**
 * Remembers which files there are. The returned function names those that are gone or have changed after `since`, the time of
 * the reading in milliseconds since 1970.
 */
export const rememberFiles = (paths: readonly string[], since: number): (() => readonly string[]) => {
  const before = paths.flatMap(filesBelow);
  return () => {
    const now = new Set(paths.flatMap(filesBelow));
    const gone = before.filter((file) => !now.has(file));
    return [...gone, ...[...now].filter((file) => changedAt(file) > since)];
  };
};

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity;

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
