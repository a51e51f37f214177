/** Bounds the time of what makes values for schemas whose rules need each other. */
import { withinTime } from '../../basics/time-limit.ts';
import { loadGenerator } from './any-value.ts';

/** In milliseconds. A pattern may ask for more than any memory holds. */
const generatorMs = 500;

/** As `loadGenerator`. A value that takes too long is undefined. */
export const loadBoundedGenerator: typeof loadGenerator = () =>
  loadGenerator((work) => withinTime(generatorMs, work, () => undefined));
