/** Replaces what the patterns of a file of rules find. */
import { patternMs, withinTime } from '../../basics/time-limit.ts';
import type { Placeholders } from './placeholders.ts';

export type OwnPattern = { readonly name: string; readonly pattern: RegExp };

/** A text that a pattern is too slow for is replaced as a whole: nobody knows what is in it. */
export const replacePatterns = (
  text: string,
  patterns: readonly OwnPattern[],
  placeholders: Pick<Placeholders, 'of' | 'learn'>,
): string =>
  patterns.reduce((before, { name, pattern }) => {
    const found = withinTime(
      patternMs,
      () => before.match(pattern) ?? [],
      () => undefined,
    );
    if (found === undefined) return placeholders.of(before, name);
    if (found.length === 0) return before;
    // The matches are known by now, so this takes no longer than the search did.
    return before.replace(pattern, (match) => (match === '' ? '' : placeholders.learn(match, name)));
  }, text);
