/** Keeps a finding about each of many files until the file changes, by its inode and time of change. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { createLruMap } from '../../basics/lru-map.ts';

/** How many files are remembered. With more, what was used longest ago is forgotten and found out again. */
const remembered = 10_000;

export const createFileMemory = <T>() => {
  const known = createLruMap<string, Pick<BigIntStats, 'ino' | 'ctimeNs'> & { readonly value: T }>(remembered);
  return {
    note: (name: string, { ino, ctimeNs }: BigIntStats, value: T): void => {
      known.set(name, { ino, ctimeNs, value });
    },
    /** Undefined when nothing is known of the file as it is now. `look` is called for a known name alone. */
    find: (name: string, look: () => BigIntStats | undefined): T | undefined => {
      const then = known.get(name);
      const now = then && look();
      return then !== undefined && then.ino === now?.ino && then.ctimeNs === now.ctimeNs ? then.value : undefined;
    },
  };
};

/** Undefined for a missing file. Waits for nothing: in the background it takes four times as long. */
export const statsOf = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false });
