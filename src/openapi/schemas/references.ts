/** Follows the references of a document whose files are in one tree, so that each `$ref` begins with `#`. */
import { isRecord } from '../../basics/json.ts';
import { hasMember, readPointer } from '../../basics/json-pointer.ts';
import { filesMember } from './positions.ts';

export type References = {
  /** What a value stands for: the target of its `$ref`, or itself. Members next to a `$ref` do not count (OpenAPI 3.1 §4.8.23). */
  readonly follow: (value: unknown) => unknown;
  /** The same with the members next to a `$ref` laid over its target, as schemas since 3.1 and Path Items have them. */
  readonly overlaid: (value: unknown) => unknown;
  /** The value at a pointer such as `#/components/schemas/Pet`, with references on the way followed. It may be a reference itself. */
  readonly at: (pointer: string) => unknown;
};

/** A reference that leads nowhere, or back to itself. */
export class BrokenReference extends Error {
  override name = 'BrokenReference';
  readonly reference: string;

  constructor(reference: string, reason: string) {
    super(`$ref ${writtenReference(reference).slice(0, 200)} ${reason}.`);
    this.reference = reference;
  }
}

/** A reference into another file as authors write it: `pet.yaml#/Pet`. */
const writtenReference = (reference: string): string =>
  reference.replace(
    new RegExp(`^#/${filesMember}/([^/]*)`),
    (_, name: string) => `${decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')}#`,
  );

/** The most references that may lead to one another. */
const mostHops = 100;

/** All functions throw `BrokenReference`. */
export const createReferences = (root: unknown): References => {
  const values = new Map<string, unknown>();
  const find = (reference: string, hops: number): unknown => {
    if (hops > mostHops) throw new BrokenReference(reference, 'leads back to itself');
    if (values.has(reference)) return values.get(reference);
    let value: unknown = root;
    for (const step of stepsOf(reference)) {
      const holder = resolved(value, hops + 1, follow);
      if (!hasMember(holder, step)) throw new BrokenReference(reference, 'leads nowhere');
      value = holder[step];
    }
    values.set(reference, value);
    return value;
  };
  const resolved = (value: unknown, hops: number, known: Resolution): unknown => {
    if (!isRecord(value) || typeof value['$ref'] !== 'string') return value;
    const before = known.results.get(value);
    if (before !== undefined) return before;
    const target = resolved(find(value['$ref'], hops + 1), hops + 1, known);
    const result = known.isOverlaid ? withSiblings(target, value) : target;
    known.results.set(value, result);
    return result;
  };
  const follow: Resolution = { results: new WeakMap(), isOverlaid: false };
  const overlaid: Resolution = { results: new WeakMap(), isOverlaid: true };
  return {
    follow: (value) => resolved(value, 0, follow),
    overlaid: (value) => resolved(value, 0, overlaid),
    at: (pointer) => find(pointer, 0),
  };
};

type Resolution = { readonly results: WeakMap<object, unknown>; readonly isOverlaid: boolean };

const withSiblings = (target: unknown, referring: Readonly<Record<string, unknown>>): unknown => {
  const siblings = Object.entries(referring).filter(([name]) => name !== '$ref');
  return isRecord(target) && siblings.length > 0 ? { ...target, ...Object.fromEntries(siblings) } : target;
};

const stepsOf = (reference: string): string[] => {
  if (!/^#(\/|$)/.test(reference)) throw new BrokenReference(reference, 'is not a pointer, and names no anchor');
  try {
    return readPointer(reference);
  } catch {
    throw new BrokenReference(reference, 'is not percent-encoded UTF-8');
  }
};

/** The name that a reference gives to its target: the last step of its pointer, or the name of a whole file without its ending. */
export const referenceName = (reference: string): string => {
  const last = readPointer(reference).at(-1) ?? '';
  return /\.(ya?ml|json)$/i.test(last) ? last.replace(/^.*\//s, '').replace(/\.[^.]*$/, '') : last;
};
