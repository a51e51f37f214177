/** Judges whether the time that a pattern needs can grow faster than the text. */
import { isSafePattern } from 'redos-detector';

const analysisMs = 100;

/** A pattern that cannot be analysed in time, or at all, counts as slow. A busy machine may have taken the time of the first try. */
export const isSlow = (pattern: string): boolean => {
  const analyse = () => isSafePattern(pattern, { unicode: true, timeout: analysisMs });
  try {
    const first = analyse();
    return !(first.error === 'timedOut' ? analyse() : first).safe;
  } catch {
    return true;
  }
};
