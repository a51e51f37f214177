/** Takes the values that handlers and clients put into collections: as JSON that nothing changes any more, within the bounds. */
import { collectionBounds, Problem } from '../../openapi/openapi-terms.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

/**
 * A frozen copy. Members that are undefined are left out. Throws a `TypeError` that names the place of what JSON does not have, and a
 * `Problem` 413 for a record that is too large or nested too deeply.
 */
export const storedValue = (value: unknown, id: string): Json => {
  const copy = createCopier()(value);
  if (bytesOf(JSON.stringify(id)) + bytesOf(JSON.stringify(copy)) > collectionBounds.recordBytes) throw tooLarge();
  return copy;
};

const createCopier = (): ((value: unknown) => Json) => {
  const path: (string | number)[] = [];
  /** The objects that the value is in. */
  const around = new Set<object>();
  let values = 0;
  const copyOf = (value: unknown): Json => {
    values += 1;
    // Each is a byte at least.
    if (values > collectionBounds.recordBytes) throw tooLarge();
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') throw notJson(path, kindOf(value));
    if (around.has(value)) throw notJson(path, 'an object that it is part of');
    if (around.size === collectionBounds.levels)
      throw new Problem(413, `A record of a collection is nested in at most ${collectionBounds.levels} levels.`);
    around.add(value);
    const copy = Array.isArray(value) ? Array.from(value, memberAt) : copyOfObject(value);
    around.delete(value);
    return Object.freeze(copy);
  };
  const memberAt = (member: unknown, name: string | number): Json => {
    path.push(name);
    const copy = copyOf(member);
    path.pop();
    return copy;
  };
  const copyOfObject = (value: object): JsonObject => {
    if (!isPlain(value)) throw notJson(path, `a ${constructorOf(value)}`);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, memberAt(member, name)]));
  };
  return copyOf;
};

/** Also of another realm, such as that of a test. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
};

const constructorOf = (value: object): string => {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === 'string' && constructor.name !== '' ? constructor.name : 'special object';
};

const kindOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  return value === undefined ? 'undefined' : `a ${typeof value}`;
};

const notJson = (path: readonly (string | number)[], what: string): TypeError =>
  new TypeError(
    `A record of a collection is JSON, and ${path.length === 0 ? 'this one' : `its /${path.join('/')}`} is ${what}.`,
  );

const tooLarge = (): Problem =>
  new Problem(413, `A record of a collection has at most ${collectionBounds.recordBytes} bytes as JSON.`);

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** Freezes a value that comes from a file, with all that is in it. */
export const frozen = <T>(value: T): T => {
  // What is frozen was frozen here or above, with all that is in it.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};
