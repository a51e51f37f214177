/** Makes values for schemas whose rules need each other, which the walk of a sample does not meet. */
import { lazyModule } from '../../basics/lazy-module.ts';
import type { SamplerOptions } from './sample.ts';

/** Loads the generator, which a start does not need. */
export const loadFaker = lazyModule(() => import('json-schema-faker'), 'generateSync');

/** Ends work that takes too long: a pattern may ask for more than any memory holds. */
export type EndLate = (work: () => unknown) => unknown;

/** What makes a value for a schema without references: the same for the same seed, undefined where that takes too long. */
export const loadGenerator = async (endLate: EndLate = (work) => work()): Promise<SamplerOptions['makeAny']> => {
  const { generateSync } = await loadFaker();
  return (schema, seed) => endLate(() => generateSync(schema, { seed }));
};
