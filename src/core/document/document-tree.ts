/** Treats an OpenAPI document as a tree of parts: reads parts, follows references, copies parts with changes. */
import { isRecord } from '../../basics/json.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { readPointer, valueAt } from '../../basics/json-pointer.ts';

/** An object of the document. */
export type Part = Readonly<Record<string, unknown>>;

/** The object, or an empty one where the document has none. */
export const partOf = (value: unknown): Part => (isRecord(value) ? value : {});

/** The target of a value's `$ref`, or the value itself when it has none. */
export const follow = (document: DocumentObject, value: unknown): Part => {
  const part = partOf(value);
  const reference = part['$ref'];
  return typeof reference === 'string' ? partOf(valueAt(document, readPointer(reference))) : part;
};

/** A copy with each member changed. Members that become undefined are left out. */
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
