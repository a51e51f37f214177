/** Says of a schema what a text has to become: which types a value may have, and the schemas of its items and members. */
import { isRecord } from '../../basics/json.ts';
import type { Direction, Schema, SchemaObject, Schemas } from './schemas.ts';

export type Outline = {
  /** Empty when any type may be meant. */
  readonly types: ReadonlySet<string>;
  /** The schema of the item at this position. */
  readonly item: (index: number) => Schema;
  /** The names of the members that the schema lists. */
  readonly names: readonly string[];
  /** The schema of a member. */
  readonly member: (name: string) => Schema;
  /** Whether the schema says something of members that it does not name, and allows them. */
  readonly takesOthers: boolean;
  /** Undefined without one. */
  readonly defaultValue: unknown;
};

/** Compositions may contain themselves. */
const mostLevels = 8;

/** Returns what makes the outline of a schema. Each schema has one. */
export const outlinesOf = (
  schemas: Pick<Schemas, 'read' | 'matches'>,
  direction: Direction,
): ((schema: unknown) => Outline) => {
  const known = new WeakMap<object, Outline>();
  return (schema) => {
    const read = schemas.read(schema, direction);
    if (typeof read === 'boolean') return anything;
    const outline = known.get(read) ?? makeOutline(read, (part) => schemas.read(part, direction), schemas.matches);
    known.set(read, outline);
    return outline;
  };
};

const anything: Outline = {
  ...{ types: new Set<string>(), names: [], takesOthers: true, defaultValue: undefined },
  ...{ item: () => true, member: () => true },
};

type Read = (part: unknown) => Schema;

const makeOutline = (schema: SchemaObject, read: Read, matches: Schemas['matches']): Outline => {
  const parts = [...partsOf(schema, read, 0)];
  const listed = parts.flatMap(({ properties }) => (isRecord(properties) ? [properties] : []));
  const patterns = parts.flatMap(({ patternProperties }) =>
    isRecord(patternProperties) ? Object.entries(patternProperties) : [],
  );
  const others = parts.flatMap(({ additionalProperties: one }) => (one === undefined ? [] : [one as Schema])); // of the dialect
  return {
    types: typesOf(schema, read, 0),
    item: (index) => {
      const tuple = parts.find(({ prefixItems }) => Array.isArray(prefixItems) && index < prefixItems.length);
      if (tuple !== undefined) return (tuple['prefixItems'] as Schema[])[index] ?? true;
      return (parts.find(({ items }) => items !== undefined)?.['items'] ?? true) as Schema;
    },
    names: [...new Set(listed.flatMap((properties) => Object.keys(properties)))],
    member: (name) => {
      const own = listed.find((properties) => Object.hasOwn(properties, name));
      if (own !== undefined) return own[name] as Schema;
      const byPattern = patterns.find(([pattern]) => matches(pattern, name));
      return (byPattern?.[1] ?? others.find((each) => each !== false) ?? true) as Schema;
    },
    takesOthers: patterns.length > 0 || (others.length > 0 && !others.includes(false)),
    defaultValue: parts.find((part) => part['default'] !== undefined)?.['default'],
  };
};

/** The schema, and those that it is composed of. */
function* partsOf(schema: SchemaObject, read: Read, level: number): Generator<SchemaObject> {
  yield schema;
  if (level > mostLevels) return;
  for (const name of ['allOf', 'oneOf', 'anyOf', 'then', 'else']) {
    const branches = Array.isArray(schema[name]) ? schema[name] : schema[name] === undefined ? [] : [schema[name]];
    for (const branch of branches) {
      const part = read(branch);
      if (typeof part !== 'boolean') yield* partsOf(part, read, level + 1);
    }
  }
}

const typesOf = (schema: SchemaObject, read: Read, level: number): ReadonlySet<string> => {
  const { type, enum: values } = schema;
  if (type !== undefined)
    return new Set(Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []);
  if ('const' in schema) return new Set([typeOfValue(schema['const'])]);
  if (Array.isArray(values)) return new Set(values.map(typeOfValue));
  if (level > mostLevels) return new Set();
  for (const name of ['oneOf', 'anyOf'] as const) {
    if (!Array.isArray(schema[name])) continue;
    const each = schema[name].map((branch) => typesBelow(branch, read, level));
    if (each.every(({ size }) => size > 0)) return new Set(each.flatMap((types) => [...types]));
  }
  for (const branch of Array.isArray(schema['allOf']) ? schema['allOf'] : []) {
    const types = typesBelow(branch, read, level);
    if (types.size > 0) return types;
  }
  if ('properties' in schema || 'additionalProperties' in schema) return new Set(['object']);
  return 'items' in schema || 'prefixItems' in schema ? new Set(['array']) : new Set();
};

const typesBelow = (branch: unknown, read: Read, level: number): ReadonlySet<string> => {
  const part = read(branch);
  return typeof part === 'boolean' ? new Set() : typesOf(part, read, level + 1);
};

const typeOfValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};
