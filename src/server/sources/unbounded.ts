/** Finds what would keep every later step busy for minutes: references in a circle, and schemas that grow out of bounds. */
import { type Keys, readPointer, valueAt } from '../../basics/json-pointer.ts';
import { isRecord } from '../../basics/json.ts';

/** `keys` lead from the root of the document to the place. */
export type UnboundedPart = { readonly keys: Keys; readonly message: string };

/** The most values that a part of the document may have when its references are followed. The largest of the contract has 2,000. */
export const mostValues = 50_000;

/** The most members that a schema may describe. The time to compile it grows with their square. */
export const mostMembers = 1000;

/** The keywords whose schemas are for the same value as the schema around them (JSON Schema 2020-12 §10.2). */
const sameValue = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const;

/** The first such part. Each value is looked at once, however often it is referred to. */
export const unboundedPart = (document: object): UnboundedPart | undefined => {
  try {
    return circleIn(document) ?? overgrownIn(document);
  } catch (error) {
    if (error instanceof RangeError) return { keys: [], message: 'The document is nested too deeply.' };
    throw error;
  }
};

/** The largest value of `minItems`, `minLength` and `minProperties`: a mock has as many. */
export const mostAtLeast = 10_000;

const atLeast = ['minItems', 'minLength', 'minProperties'] as const;

type Found = { readonly value: object; readonly keys: Keys };

/** The value that a reference within the document names. Undefined when it leads nowhere: that is found later. */
const targetOf = (document: object, value: object): Found | undefined => {
  const pointer = (value as { readonly $ref?: unknown }).$ref; // any object may have one
  if (typeof pointer !== 'string' || !pointer.startsWith('#')) return undefined;
  const keys = readPointer(pointer);
  const target = valueAt(document, keys);
  return typeof target === 'object' && target !== null ? { value: target, keys } : undefined;
};

/** A schema that has itself among those for the same value would be applied without end. */
const circleIn = (document: object): UnboundedPart | undefined => {
  const done = new Set<object>();
  const open = new Set<object>();
  const circleAt = ({ value, keys }: Found): UnboundedPart | undefined => {
    if (open.has(value)) return { keys, message: `${keysText(keys)} leads back to itself.` };
    if (done.has(value)) return undefined;
    open.add(value);
    const found = firstOf(appliedBy(document, { value, keys }), circleAt);
    open.delete(value);
    done.add(value);
    return found;
  };
  const search = (found: Found): UnboundedPart | undefined => circleAt(found) ?? firstOf(membersOf(found), search);
  return search({ value: document, keys: [] });
};

const appliedBy = (document: object, { value, keys }: Found): readonly Found[] => {
  const target = targetOf(document, value);
  const schemas = !isRecord(value)
    ? []
    : sameValue.flatMap((name) => {
        const found = { value: value[name] as object, keys: [...keys, name] };
        return Array.isArray(found.value) ? membersOf(found) : isRecord(found.value) ? [found] : [];
      });
  return [...(target === undefined ? [] : [target]), ...schemas];
};

const overgrownIn = (document: object): UnboundedPart | undefined => {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let overgrown: UnboundedPart | undefined;
  const sizeOf = ({ value, keys }: Found): number => {
    const known = sizes.get(value);
    // A schema may have itself as a member. It is compiled once.
    if (known !== undefined || open.has(value)) return known ?? 1;
    open.add(value);
    const target = targetOf(document, value);
    const below = [...(target === undefined ? [] : [target]), ...membersOf({ value, keys })];
    const size = below.reduce((sum, found) => sum + sizeOf(found), 1 + Object.keys(value).length);
    open.delete(value);
    sizes.set(value, size);
    overgrown ??= faultOf({ value, keys }, size);
    return size;
  };
  sizeOf({ value: document, keys: [] });
  return overgrown;
};

/** The whole document, all paths and all components may be as large as the site is. */
const faultOf = ({ value, keys }: Found, size: number): UnboundedPart | undefined => {
  const where = keysText(keys);
  const members = Object.keys(value).length;
  if (keys.at(-1) === 'properties' && members > mostMembers)
    return { keys, message: `${where} has ${members} members. The most are ${mostMembers}.` };
  const word = atLeast.find((name) => isRecord(value) && Number(value[name]) > mostAtLeast);
  if (word !== undefined) return { keys: [...keys, word], message: `${where}/${word} is more than ${mostAtLeast}.` };
  if (keys.length < 3 || size <= mostValues) return undefined;
  return { keys, message: `${where} has more than ${mostValues} values when its references are followed.` };
};

const keysText = (keys: Keys): string => `#/${keys.join('/')}`;

const membersOf = ({ value, keys }: Found): readonly Found[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]): Found[] =>
    typeof member === 'object' && member !== null
      ? [{ value: member, keys: [...keys, Array.isArray(value) ? Number(name) : name] }]
      : [],
  );

const firstOf = <T>(items: readonly Found[], find: (item: Found) => T | undefined): T | undefined => {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
};
