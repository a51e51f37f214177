/** Chooses at random what a sample holds: every name has random numbers of its own, which are always the same. */
import { numberAt } from '../../basics/random-source.ts';

export type Random = {
  /** A whole number from 0 to below this limit. */
  below(limit: number): number;
  /** True in this share of the calls, a number from 0 to 1. */
  chance(share: number): boolean;
  /** Undefined when there is nothing to choose from. */
  pick<T>(choices: readonly T[]): T | undefined;
  /** This many different ones, or all where there are fewer, in the order in which they were drawn. */
  several<T>(choices: readonly T[], count: number): T[];
};

/**
 * Random numbers that depend on the name alone. A field that comes to a site does not change the other fields, because each has
 * a name of its own.
 */
export const randomFor = (name: string): Random => {
  const start = seedOf(name);
  let place = 0;
  const next = (): number => numberAt(start, place++);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (choices) => choices[below(choices.length)],
    several: (choices, count) => {
      const found = new Set<number>();
      const wanted = Math.min(count, choices.length);
      while (found.size < wanted) found.add(below(choices.length));
      return [...found].flatMap((index) => choices.slice(index, index + 1));
    },
  };
};

/** FNV-1a over the characters. */
const seedOf = (name: string): number => {
  let seed = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) seed = Math.imul(seed ^ name.charCodeAt(at), 0x01000193);
  return seed >>> 0;
};
