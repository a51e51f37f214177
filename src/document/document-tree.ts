/** A document as a tree of parts: telling parts from other values, following references. What a site changes in them is in the other `specialise` files. */
import type { DocumentObject } from './document.ts';

/** An object of the document. */
export type Part = Readonly<Record<string, unknown>>;

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, or an empty one where the document has none. */
export const partOf = (value: unknown): Part => (isPart(value) ? value : {});

/** The list, or an empty one where the document has none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a value stands for: the target of its `$ref`, or itself. References of a document lead into the document itself. */
export const follow = (document: DocumentObject, value: unknown): Part => {
  const part = partOf(value);
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const steps = reference.replace(/^#\//, '').split('/');
  return partOf(steps.reduce<unknown>((place, step) => partOf(place)[step], document));
};

/** A copy with each member changed; members that become undefined are left out. */
export const mapMembers = (part: Part, change: (value: unknown, name: string) => unknown): Part =>
  Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );

/** The part without one of its members. */
export const without = (part: Part, member: string): Part =>
  mapMembers(part, (value, name) => (name === member ? undefined : value));
