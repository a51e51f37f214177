/** Makes one schema of those that it is composed of, for a sample of it. */
import { isRecord } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { branchesKeyword } from '../schemas/discriminator.ts';
import type { Direction, Schema, SchemaObject, Schemas } from '../schemas/schemas.ts';

export type Composing = {
  readonly schemas: Schemas;
  readonly direction: Direction;
  /** Which of the branches that fit is taken. */
  readonly branch: number;
  /** The schemas around this one. */
  readonly open: readonly object[];
};

/** One schema in place of those that it is composed of: all of `allOf`, and a branch of `oneOf` or `anyOf`. */
export const composed = (schema: SchemaObject, here: Composing): SchemaObject => {
  let whole = schema;
  for (const part of listIn(schema, 'allOf')) {
    const branch = here.schemas.read(part, here.direction);
    // Those of a discriminator are taken below.
    if (typeof branch === 'boolean' || ('if' in branch && schema[branchesKeyword] !== undefined)) continue;
    whole = merged(whole, composed(branch, deeper(here, branch)));
  }
  for (const name of ['oneOf', 'anyOf']) {
    const branch = chooseBranch(listIn(schema, name), here);
    if (branch !== undefined) whole = merged(whole, composed(branch, deeper(here, branch)));
  }
  const named = namedBranch(schema, here);
  return named === undefined ? whole : merged(whole, named);
};

const deeper = (here: Composing, schema: SchemaObject): Composing => ({ ...here, open: [...here.open, schema] });

export const listIn = (schema: SchemaObject, name: string): readonly unknown[] =>
  Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [];

/** The first that does not lead back here, and is not `null` alone. */
const chooseBranch = (branches: readonly unknown[], here: Composing): SchemaObject | undefined => {
  const read = branches.flatMap((branch) => {
    const one = here.schemas.read(branch, here.direction);
    return typeof one === 'boolean' ? [] : [one];
  });
  const fresh = read.filter((branch) => !here.open.includes(branch));
  const full = fresh.filter(({ type }) => type !== 'null');
  return full[here.branch % full.length] ?? fresh[0];
};

/** The first branch that a discriminator names, with the value that names it. */
const namedBranch = (schema: SchemaObject, here: Composing): SchemaObject | undefined => {
  const branches = schema[branchesKeyword];
  const { discriminator } = schema;
  if (!Array.isArray(branches) || !isRecord(discriminator)) return undefined;
  const property = String(discriminator['propertyName']);
  for (const [value, part] of branches as [string, Schema][]) {
    const branch = here.schemas.read(part, here.direction);
    if (typeof branch === 'boolean' || here.open.includes(branch)) continue;
    const whole = composed(branch, deeper(here, branch));
    return merged(whole, { properties: { [property]: { const: value } }, required: [property] });
  }
  return undefined;
};

/** A schema of which both others hold. */
export const merged = (one: SchemaObject, other: SchemaObject): SchemaObject => {
  const whole: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = one[name];
    if (before === undefined) whole[name] = value;
    else if ((name === 'properties' || name === 'example') && isRecord(before) && isRecord(value))
      whole[name] = { ...before, ...value };
    else if (name === 'required' && Array.isArray(before) && Array.isArray(value))
      whole[name] = [...new Set([...(before as unknown[]), ...(value as unknown[])])];
    else if (name === 'type') whole[name] = commonTypes(before, value);
    else if (/^(min|exclusiveMin)/.test(name)) whole[name] = Math.max(Number(before), Number(value));
    else if (/^(max|exclusiveMax)/.test(name)) whole[name] = Math.min(Number(before), Number(value));
    else if (name !== 'allOf') whole[name] = value;
  }
  return whole;
};

const commonTypes = (one: unknown, other: unknown): unknown => {
  const both = [one, other].map((types) => (Array.isArray(types) ? types : [types]) as unknown[]);
  const common = (both[0] ?? []).filter(
    (type) => both[1]?.includes(type) === true || (type === 'number' && both[1]?.includes('integer') === true),
  );
  return common.length === 0 ? other : common;
};

/** The most schemas that may be around one alone. */
const mostWrappers = 2;

type Named = { readonly name: string | undefined; readonly isHeir: boolean };

/** The name of a schema, also of one that is alone in another: `allOf: [{ $ref: … }]`. */
export const namedBy = (schema: unknown, here: Composing, hops = 0): Named => {
  const read = here.schemas.read(schema, here.direction);
  const name = here.schemas.nameOf(schema);
  if (typeof read === 'boolean' || hops > mostWrappers) return { name, isHeir: false };
  const [part] = ['allOf', 'oneOf', 'anyOf'].flatMap((each) => listIn(read, each));
  if (name !== undefined || part === undefined || 'discriminator' in read)
    return { name, isHeir: !('discriminator' in read) };
  return namedBy(part, here, hops + 1);
};

/**
 * A discriminator without `oneOf` names the schema itself, or one that has it in its `allOf` (OpenAPI 3.1 §4.8.25). A parent whose
 * mapping has its heirs alone is the first of them.
 */
export const withOwnName = (whole: SchemaObject, { name, isHeir }: Named, here: Composing): SchemaObject => {
  const { discriminator, properties } = whole;
  if (!isRecord(discriminator) || whole[branchesKeyword] !== undefined) return whole;
  const property = String(discriminator['propertyName']);
  const member = isRecord(properties) ? here.schemas.read(properties[property] ?? true, here.direction) : true;
  // What its author has written goes before.
  if (typeof member !== 'boolean' && ['const', 'enum', 'example', 'examples', 'default'].some((each) => each in member))
    return whole;
  const mapping = isRecord(discriminator['mapping']) ? Object.entries(discriminator['mapping']) : [];
  const [own] = mapping.find(([, target]) => nameIn(target) === name) ?? [];
  const named = (value: unknown): SchemaObject => ({
    properties: { [property]: { const: value } },
    required: [property],
  });
  if (own !== undefined) return merged(whole, named(own));
  // A mapping need not have all names.
  if (isHeir && name !== undefined) return merged(whole, named(name));
  for (const [value, target] of mapping) {
    const heir = here.schemas.read({ $ref: String(target) }, here.direction);
    if (!String(target).startsWith('#') || typeof heir === 'boolean' || here.open.includes(heir)) continue;
    return merged(merged(whole, composed(heir, deeper(here, heir))), named(value));
  }
  return name === undefined ? whole : merged(whole, named(name));
};

/** The name of a schema in a mapping, which has names and references. */
const nameIn = (target: unknown): string | undefined =>
  typeof target === 'string' && target.includes('/') ? readPointer(target).at(-1) : String(target);
