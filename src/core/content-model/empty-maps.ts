/** Writes empty maps as the platform does: PHP has one kind of array, and an empty one is a list. */
import type { Json } from '../model/entity.ts';

/** Maps whose readers ask for keys, so that a list in their place would break them. */
const alwaysMaps: ReadonlySet<string> = new Set(['allowed_values']);

export const emptyAsList = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(emptyAsList);
  const members = Object.entries(value);
  if (members.length === 0) return [];
  return Object.fromEntries(
    members.map(([name, member]) => [name, alwaysMaps.has(name) ? member : emptyAsList(member)]),
  );
};
