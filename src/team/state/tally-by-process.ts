/** Keeps values that several processes add to: each process changes a part of its own, so that none overwrites another's count. */
import type { StateTally, WorldState } from '../../openapi/openapi-host.ts';

/** Enough for a long row of restarts: each process of a new start has a new name. */
const processLimit = 1000;

/** `limit`: the most parts, of all processes together. */
export const createTallyByProcess = <Value>(
  { process, map }: Pick<WorldState, 'map'> & { readonly process: string },
  topic: string,
  limit: number,
): StateTally<Value> => {
  const parts = map<Value>(topic, limit);
  /** The processes that have written, so that a key is found without a search. */
  const processes = map<true>(`${topic}-processes`, processLimit);
  const keysOf = (key: string): string[] =>
    key === ''
      ? [...parts.entries()].map(([name]) => name).filter((name) => keyIn(name) === '')
      : [...processes.entries()].map(([name]) => partName(name, key));
  const deleteWhere = (isDeleted: (key: string) => boolean): void => {
    for (const [name] of [...parts.entries()]) if (isDeleted(keyIn(name))) parts.delete(name);
  };
  return {
    get size() {
      return parts.size;
    },
    all: (key) =>
      parts.size === 0
        ? []
        : keysOf(key).flatMap((name) => {
            const part = parts.get(name);
            return part === undefined ? [] : [part];
          }),
    *values() {
      for (const [, part] of parts.entries()) yield part;
    },
    change: (key, next) => {
      const name = partName(process, key);
      const part = next(parts.get(name));
      if (part === undefined) {
        parts.delete(name);
        return;
      }
      // Written once, not at each value.
      if (key !== '' && processes.get(process) === undefined) processes.set(process, true);
      parts.set(name, part);
    },
    delete: (key) => {
      for (const name of keysOf(key)) if (parts.get(name) !== undefined) parts.delete(name);
    },
    deleteBelow: (start) => deleteWhere((key) => key.startsWith(start)),
    // The names of the processes stay: one of them may be counting at this moment.
    clear: () => deleteWhere(() => true),
  };
};

/** Names of processes have no space. */
const partName = (process: string, key: string): string => (key === '' ? process : `${process} ${key}`);

const keyIn = (name: string): string => {
  const space = name.indexOf(' ');
  return space === -1 ? '' : name.slice(space + 1);
};
