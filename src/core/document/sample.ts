/** Makes a value that a schema allows, the same one each time. */
import { lazyModule } from '../../basics/lazy-module.ts';

/** Loads the generator, which a start does not need. */
export const loadSampleGenerator = lazyModule(() => import('json-schema-faker'), 'generateSync');

/** A value for a schema without references. */
export const sampleOfSchema = async (schema: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const { generateSync } = await loadSampleGenerator();
  return generateSync(withExamples(schema), { seed: 1 });
};

/** A schema is in many others, so each has one copy. */
const copies = new WeakMap<object, unknown>();

/** The generator does not read "not". A schema that has one is replaced by its own examples. */
const withExamples = <Part>(part: Part): Part => {
  if (typeof part !== 'object' || part === null) return part;
  if (!copies.has(part)) copies.set(part, copyOf(part));
  return copies.get(part) as Part; // a schema as well
};

const copyOf = (part: object): unknown => {
  if (Array.isArray(part)) return part.map(withExamples);
  if ('not' in part && 'examples' in part) return { enum: part.examples };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withExamples<unknown>(value)]));
};
