/** A document as an object, and its parts, which may have another form than OpenAPI gives them. */
import { isRecord } from '../../basics/json.ts';
import { readPointer, valueAt } from '../../basics/json-pointer.ts';

/** An object of a document. */
export type Part = Readonly<Record<string, unknown>>;

/** The object, or an empty one in place of anything else. */
export const partOf = (value: unknown): Part => (isRecord(value) ? value : {});

/** A document with its references, or with them resolved to shared objects. */
export type DocumentObject = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly servers?: readonly { readonly url: string }[];
  readonly [member: string]: unknown;
};

/** The target of a value's `$ref`, or the value itself when it has none. */
export const referredPart = (document: DocumentObject, value: unknown): Part => {
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
