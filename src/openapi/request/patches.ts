/** Applies patches to JSON values: merge patches (RFC 7396) and JSON patches (RFC 6902). Names such as `__proto__` are data. */
import { areEqualJson } from '../../basics/equal-values.ts';
import { isRecord } from '../../basics/json.ts';
import { hasMember } from '../../basics/json-pointer.ts';
import { setOwn } from '../schemas/values.ts';

/** Says why a patch cannot be applied: to no record (`form`), or not to this one (`conflict`, `size`). */
export class PatchFault extends Error {
  override name = 'PatchFault';
  readonly kind: 'form' | 'conflict' | 'size';

  constructor(message: string, kind: PatchFault['kind']) {
    super(message);
    this.kind = kind;
  }
}

/** RFC 7396 §2. Bodies are bounded in depth where they are read. */
export const mergePatched = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = {};
  for (const [name, value] of isRecord(target) ? Object.entries(target) : [])
    if (!(Object.hasOwn(patch, name) && patch[name] === null)) setOwn(result, name, value);
  for (const [name, value] of Object.entries(patch))
    if (value !== null)
      setOwn(result, name, mergePatched(Object.hasOwn(result, name) ? result[name] : undefined, value));
  return result;
};

/** The most values that a patched record has: a patch may copy a value into itself. */
const mostValues = 100_000;

/** RFC 6902 §5: all operations, or none. Throws `PatchFault`. */
export const jsonPatched = (target: unknown, patch: unknown): unknown => {
  if (!Array.isArray(patch)) throw new PatchFault('A JSON patch is a list of operations.', 'form');
  let value = structuredClone(target);
  for (const [index, operation] of (patch as unknown[]).entries()) {
    const at = `Operation ${index} of the patch`;
    if (!isRecord(operation)) throw new PatchFault(`${at} is not an object.`, 'form');
    value = applied(value, operation, at);
    if (countOf(value, mostValues) > mostValues) throw new PatchFault(`${at} makes the record too large.`, 'size');
  }
  return value;
};

type PatchOperation = Readonly<Record<string, unknown>>;

const applied = (root: unknown, operation: PatchOperation, at: string): unknown => {
  const { op } = operation;
  const path = stepsIn(operation, 'path', at);
  const given = (): unknown => {
    if (!Object.hasOwn(operation, 'value')) throw new PatchFault(`${at} has no value.`, 'form');
    return structuredClone(operation['value']);
  };
  switch (op) {
    case 'add':
      return added(root, path, given(), at);
    case 'remove':
      return removed(root, path, at);
    case 'replace': {
      const value = given();
      valueAt(root, path, at);
      return path.length === 0 ? value : added(removed(root, path, at), path, value, at);
    }
    case 'test':
      if (areEqualJson(valueAt(root, path, at), given())) return root;
      throw new PatchFault(`${at}: the value is another one.`, 'conflict');
    case 'copy':
      return added(root, path, structuredClone(valueAt(root, stepsIn(operation, 'from', at), at)), at);
    case 'move': {
      const from = stepsIn(operation, 'from', at);
      const isInside = path.length > from.length && from.every((step, level) => path[level] === step);
      if (isInside) throw new PatchFault(`${at} moves a value into itself.`, 'form');
      const value = valueAt(root, from, at);
      return added(removed(root, from, at), path, value, at);
    }
    default:
      throw new PatchFault(`${at} is none of add, remove, replace, move, copy and test.`, 'form');
  }
};

/** RFC 6901 §3. */
const stepsIn = (operation: PatchOperation, name: 'path' | 'from', at: string): string[] => {
  const pointer = operation[name];
  if (typeof pointer !== 'string') throw new PatchFault(`${at} has no ${name}.`, 'form');
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer))
    throw new PatchFault(`${at}: ${name} is not a JSON pointer.`, 'form');
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
};

const valueAt = (root: unknown, steps: readonly string[], at: string): unknown => {
  let value = root;
  for (const step of steps) {
    const isThere = Array.isArray(value) ? indexOf(step, value.length - 1) !== undefined : hasMember(value, step);
    if (!isThere) throw absent(steps, at);
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
};

const absent = (steps: readonly string[], at: string): PatchFault =>
  new PatchFault(`${at}: the record has no ${`/${steps.join('/')}`.slice(0, 200)}.`, 'conflict');

/** RFC 6901 §4: no leading zeros. Undefined beyond `last`. */
const indexOf = (step: string, last: number): number | undefined =>
  /^(0|[1-9]\d*)$/.test(step) && Number(step) <= last ? Number(step) : undefined;

/** The value is a copy of the patch's own. */
const added = (root: unknown, steps: readonly string[], value: unknown, at: string): unknown => {
  const last = steps.at(-1);
  if (last === undefined) return value;
  const holder = valueAt(root, steps.slice(0, -1), at);
  if (Array.isArray(holder)) {
    const index = last === '-' ? holder.length : indexOf(last, holder.length);
    if (index === undefined) throw absent(steps, at);
    holder.splice(index, 0, value);
  } else if (isRecord(holder)) setOwn(holder, last, value);
  else throw absent(steps, at);
  return root;
};

const removed = (root: unknown, steps: readonly string[], at: string): unknown => {
  const last = steps.at(-1);
  valueAt(root, steps, at);
  if (last === undefined) return null;
  const holder = valueAt(root, steps.slice(0, -1), at);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder as object, last);
  return root;
};

const countOf = (value: unknown, most: number): number => {
  let count = 0;
  const visit = (part: unknown): void => {
    count += 1;
    if (count > most || typeof part !== 'object' || part === null) return;
    for (const each of Object.values(part)) visit(each);
  };
  visit(value);
  return count;
};
