/** Finds the patterns that overlays bring along and whose time grows out of bounds with some texts. */
import { isSafePattern } from 'redos-detector';
import type { Flaw } from '../../basics/configuration-error.ts';
import { overlayLineOf } from './check-document.ts';
import type { DocumentObject } from './document.ts';
import { pointerTo, type Keys } from '../../basics/json-pointer.ts';
import type { AppliedUpdate } from './overlay.ts';
import { patternsIn } from './schema-violations.ts';
import { patternMs } from '../../basics/time-limit.ts';

const analysisMs = 100;

export type SlowPatterns = { readonly patterns: ReadonlySet<string>; readonly warnings: readonly Flaw[] };

/** The slow patterns of the overlays, and a warning for each with file and line. */
export const slowPatterns = (document: DocumentObject, applied: readonly AppliedUpdate[]): SlowPatterns => {
  const found = patternsIn(document).flatMap(({ keys, pattern }): (Located & { pattern: string })[] => {
    const place = overlayLineOf(keys, applied);
    return place === undefined || !isSlow(pattern) ? [] : [{ ...place, keys, pattern }];
  });
  return {
    patterns: new Set(found.map(({ pattern }) => pattern)),
    warnings: found.map(({ file, line, keys, pattern }) => ({
      ...{ file, line, rule: 'slow-pattern' },
      message: `#${pointerTo(keys)}: the time that ${pattern} needs can grow faster than the text.`,
      remedy: `Anchor it and repeat nothing twice. A text that takes it more than ${patternMs} ms is refused.`,
    })),
  };
};

type Located = Pick<Flaw, 'file' | 'line'> & { readonly keys: Keys };

/** A pattern that cannot be analysed in time, or at all, counts as slow. */
const isSlow = (pattern: string): boolean => {
  try {
    return !isSafePattern(pattern, { unicode: true, timeout: analysisMs }).safe;
  } catch {
    return true;
  }
};
