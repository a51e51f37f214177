/** Makes a value that a schema allows, the same one each time. */
import { lazyModule } from '../model/lazy-module.ts';

/** Loads the generator, which a start does not need. */
export const loadSampleGenerator = lazyModule(() => import('json-schema-faker'), 'generateSync');

/** A value for a schema without references. */
export const sampleOfSchema = async (schema: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const { generateSync } = await loadSampleGenerator();
  return generateSync(schema, { seed: 1 });
};
