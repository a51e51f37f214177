/** Names the members that a schema requires of a response, with those of the schemas that it is composed of. */
import type { Schemas } from './schemas.ts';

/** Compositions may contain themselves. */
const mostLevels = 8;

export const requiredIn = (schema: unknown, schemas: Schemas, level = 0): ReadonlySet<string> => {
  const read = schemas.read(schema, 'response');
  if (typeof read === 'boolean' || level > mostLevels) return new Set();
  const { required, allOf } = read;
  return new Set([
    ...(Array.isArray(required) ? required.map(String) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => [...requiredIn(part, schemas, level + 1)]) : []),
  ]);
};
