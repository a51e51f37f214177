/** Reads the name of sample content: `sample`, or `sample:N` for N objects. */
import { ConfigurationError } from '../../basics/configuration-error.ts';

/** The most objects of a sample: they are made in seconds, and with their media and files they fit into memory several times. */
const mostObjects = 10_000;
const usualObjects = 41;

/** How many objects a name asks for. Undefined for any other name. Throws `ConfigurationError` for a wrong number. */
export const sampleObjects = (name: string): number | undefined => {
  if (name === 'sample') return usualObjects;
  if (!name.startsWith('sample:')) return undefined;
  const digits = name.slice('sample:'.length);
  const objects = /^[1-9]\d{0,4}$/.test(digits) ? Number(digits) : Infinity;
  if (objects <= mostObjects) return objects;
  throw new ConfigurationError(`The fixture ${name}: after "sample:" comes a number of objects, 1 to ${mostObjects}.`);
};
