/** Makes values for schemas whose rules need each other, which the walk of the engine does not meet. */
import { withinTime } from '../../basics/time-limit.ts';
import { loadSampleGenerator } from '../../core/document/sample.ts';

/** How long the generator may take, in milliseconds: a pattern may ask for more than any memory holds. */
const generatorMs = 500;

/** The generator for a schema without references: the same value for the same seed, undefined for one that takes too long. */
export const sampleGenerator = async (): Promise<
  (schema: Readonly<Record<string, unknown>>, seed: number) => unknown
> => {
  const { generateSync } = await loadSampleGenerator();
  return (schema, seed) =>
    withinTime<unknown>(
      generatorMs,
      () => generateSync(schema, { seed }),
      () => undefined,
    );
};
