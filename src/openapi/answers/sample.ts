/** Makes values that a schema allows: from its examples, else from its structure, names and formats. The same seed gives the same values. */
import { isRecord } from '../../basics/json.ts';
import { byGenerator } from './generated-sample.ts';
import { composed, type Composing, listIn, merged, namedBy, withOwnName } from './composed-schema.ts';
import { leafValue, seededNumber, type MakeText } from './leaf-values.ts';
import type { Direction, Schema, SchemaObject, Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';

export type SampleOptions = {
  readonly direction?: Direction;
  /** Made values in place of examples and defaults. */
  readonly isDynamic?: boolean;
  /** Without members that are not required. */
  readonly isLean?: boolean;
  /** Another text makes other values, where no example says them. */
  readonly variation?: string;
  /** What the value is called. Its text says so where the schema leaves it open. */
  readonly name?: string;
};

/** Undefined members never occur: the value is JSON. */
export type MakeSample = (schema: unknown, options?: SampleOptions) => unknown;

export type SamplerOptions = {
  readonly schemas: Schemas;
  readonly seed: string;
  /** Makes a value for a schema without references, where the walk below does not find a valid one. */
  readonly makeAny: (schema: SchemaObject, seed: number) => unknown;
};

/** A sample has at most about this many values: references multiply. */
const mostNodes = 2000;
/** How often a schema may stand in itself where it is required. */
const mostRepeats = 2;
const mostItems = 50;

export const createSampler = ({ schemas, seed: ownSeed, makeAny }: SamplerOptions): MakeSample => {
  return (schema, { direction = 'response', isDynamic = false, isLean = false, name = '', variation } = {}) => {
    const seed = variation === undefined ? ownSeed : `${ownSeed} ${variation}`;
    const makeText: MakeText = (leaf, pointer) => makeAny(leaf, seededNumber(`${seed} ${pointer}`));
    const walk: Walk = {
      ...{ schemas, direction, isDynamic, makeText, seed, nodes: { count: 0 } },
      ...{ branch: 0, isLean, isStrict: false },
    };
    const isRight = (value: unknown): boolean => check(structuredClone(value)).length === 0;
    const check = schemas.check(schema, direction);
    const made = (other: Partial<Walk>): unknown =>
      valueOf(schema, { ...walk, nodes: { count: 0 }, ...other, name, pointer: '', open: [], index: 0 });
    const first = made({});
    if (isRight(first)) return first;
    // A value of one branch may be one of another as well, which `oneOf` forbids: the next ones, or as little as each requires.
    const others = [
      ...[0, ...otherBranches].map((branch) => () => made({ branch, isStrict: true })),
      () => withCondition(schema, walk),
      ...[0, ...otherBranches].map((branch) => () => made({ branch, isLean: true, isStrict: true })),
      () => byGenerator(schema, first, walk),
    ];
    for (const other of others) {
      const value = other();
      if (value !== undefined && isRight(value)) return value;
    }
    return first;
  };
};

const otherBranches = [1, 2, 3];

type Walk = {
  readonly schemas: Schemas;
  readonly direction: Direction;
  readonly isDynamic: boolean;
  readonly makeText: MakeText;
  readonly seed: string;
  readonly nodes: { count: number };
  /** Which of the branches that fit is taken. */
  readonly branch: number;
  /** Whether members that are not required are left out. */
  readonly isLean: boolean;
  /** Whether examples that their own schemas forbid are passed over. */
  readonly isStrict: boolean;
};

type Here = Walk &
  Composing & {
    readonly name: string;
    readonly pointer: string;
    /** The position in a list. */
    readonly index: number;
  };

const valueOf = (schema: unknown, here: Here): unknown => {
  const { schemas, direction, nodes } = here;
  nodes.count += 1;
  const read = schemas.read(schema, direction);
  // A value without a name may mean anything.
  if (isAnything(read)) return here.name === '' ? null : leafValue({}, here);
  if (typeof read === 'boolean') return null;
  const given = here.isDynamic && !('not' in read) ? fixedValue(read) : (exampleOf(read) ?? fixedValue(read));
  const isWrong = given !== undefined && here.isStrict && schemas.check(read, direction)(given.value).length > 0;
  if (given !== undefined && !isWrong) return given.value;
  const whole = withOwnName(composed(read, here), namedBy(schema, here), here);
  // What an object lacks is made.
  const inside = isWrong && !isRecord(given.value) ? withoutExamples(whole) : whole;
  return structureOf(inside, { ...here, open: [...here.open, read] });
};

const isAnything = (schema: Schema): boolean =>
  schema === true || (typeof schema === 'object' && Object.keys(schema).length === 0);

type Given = { readonly value: unknown };

/** `example` before the first of `examples`, before the default. */
const exampleOf = (schema: SchemaObject): Given | undefined => {
  const { example, examples } = schema;
  if (example !== undefined) return { value: example };
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  return schema['default'] === undefined ? undefined : { value: schema['default'] };
};

const withoutExamples = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !['example', 'examples', 'default'].includes(name)));

const fixedValue = (schema: SchemaObject): Given | undefined => {
  if ('const' in schema) return { value: schema['const'] };
  const { enum: values } = schema;
  return Array.isArray(values) ? { value: values.find((value) => value !== null) ?? values[0] } : undefined;
};

const typeOf = (schema: SchemaObject): string | undefined => {
  const { type } = schema;
  if (Array.isArray(type)) return (type as string[]).find((name) => name !== 'null') ?? 'null';
  if (typeof type === 'string') return type;
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema || 'minProperties' in schema)
    return 'object';
  if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema || 'contains' in schema) return 'array';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return undefined;
};

/** The value of a composed schema. Examples of its parts go before values that are made. */
const structureOf = (schema: SchemaObject, here: Here): unknown => {
  const type = typeOf(schema);
  const given = here.isDynamic ? fixedValue(schema) : (exampleOf(schema) ?? fixedValue(schema));
  if (given !== undefined && (type !== 'object' || !isRecord(given.value))) return given.value;
  if (type === 'object') return { ...objectOf(schema, here), ...(given?.value as object | undefined) };
  return type === 'array' ? listOf(schema, here) : leafValue(schema, here);
};

const objectOf = (schema: SchemaObject, here: Here): Record<string, unknown> => {
  const { direction, nodes, schemas } = here;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(listIn(schema, 'required').map(String));
  const made: Record<string, unknown> = {};
  const add = (name: string, member: unknown): void =>
    setOwn(made, name, valueOf(member, { ...here, name, pointer: `${here.pointer}/${name}`, index: here.index }));
  for (const [name, member] of Object.entries(properties)) {
    const read = schemas.read(member, direction);
    if (read === false) continue;
    const isRequired = required.has(name);
    if (typeof read !== 'boolean') {
      if (read[direction === 'response' ? 'writeOnly' : 'readOnly'] === true) continue;
      if (repeats(read, here) > (isRequired ? mostRepeats : 0)) continue;
      if (!isRequired && (here.isLean || nodes.count > mostNodes || leadsBack(read, here))) continue;
    }
    add(name, member);
  }
  for (const name of required)
    if (!Object.hasOwn(made, name) && !Object.hasOwn(properties, name)) add(name, otherMember(schema));
  const others = otherMember(schema);
  const readOthers = schemas.read(others, direction);
  const isAgain = typeof readOthers !== 'boolean' && repeats(readOthers, here) > 0;
  const wanted = Math.max(Number(schema['minProperties'] ?? 0), isOpenMap(schema) && !isAgain ? 1 : 0);
  for (let at = 1; Object.keys(made).length < wanted && at <= mostItems; at += 1) {
    const name = memberName(schema, at, here);
    if (!Object.hasOwn(made, name) && (typeof others === 'boolean' || nodes.count <= mostNodes)) add(name, others);
  }
  return made;
};

/** An object of members by free names, such as texts by language. */
const isOpenMap = (schema: SchemaObject): boolean =>
  isRecord(schema['additionalProperties']) && !isRecord(schema['properties']) && schema['maxProperties'] !== 0;

const otherMember = (schema: SchemaObject): unknown => {
  const { patternProperties, additionalProperties } = schema;
  const [first] = isRecord(patternProperties) ? Object.values(patternProperties) : [];
  return first ?? additionalProperties ?? true;
};

const memberName = ({ propertyNames, patternProperties }: SchemaObject, at: number, here: Here): string => {
  const { enum: names, ...rules } = isRecord(propertyNames) ? propertyNames : {};
  const [pattern] = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const usual = at === 1 ? 'key' : `key${at}`;
  if (pattern === undefined && !isRecord(propertyNames)) return usual;
  const leaf = { ...here, name: usual, pointer: `${here.pointer}/${usual}` };
  const name = Array.isArray(names)
    ? (names as unknown[])[at - 1]
    : leafValue({ ...(pattern === undefined ? {} : { pattern }), ...rules, type: 'string' }, leaf);
  return typeof name === 'string' ? name : usual;
};

const repeats = (schema: object, { open }: Here): number => open.filter((each) => each === schema).length;

/** Whether a list or a wrapper is around this value: then it can be left out. */
const leadsBack = (schema: SchemaObject, here: Here): boolean => {
  const { items, type } = schema;
  if (items === undefined || (type !== undefined && type !== 'array')) return false;
  const item = here.schemas.read(items, here.direction);
  return typeof item !== 'boolean' && repeats(item, here) > 0;
};

const listOf = (schema: SchemaObject, here: Here): unknown[] => {
  const tuple = listIn(schema, 'prefixItems');
  const { items = true, contains, uniqueItems } = schema;
  const least = Number(schema['minItems'] ?? 0);
  const most = Math.min(Number(schema['maxItems'] ?? mostItems), mostItems);
  const item = (index: number): unknown =>
    tuple[index] ?? (contains !== undefined && index === tuple.length ? contains : items);
  const read = here.schemas.read(item(0), here.direction);
  const isAgain = typeof read !== 'boolean' && repeats(read, here) > 0;
  const wanted = isAgain || (read === false && tuple.length === 0) ? least : Math.max(least, tuple.length, 1);
  const made: unknown[] = [];
  for (let index = 0; index < Math.min(wanted, Math.max(most, least), mostItems); index += 1) {
    if (index >= Math.max(tuple.length, contains === undefined ? 0 : tuple.length + 1) && items === false) break;
    const value = valueOf(item(index), { ...here, pointer: `${here.pointer}/${index}`, index: here.index + index });
    const isTwice = uniqueItems === true && made.some((before) => JSON.stringify(before) === JSON.stringify(value));
    made.push(isTwice ? otherValue(item(index), index, here) : value);
  }
  return made;
};

/** Another value where a list holds none twice: the next of an `enum`, else one that is made. */
const otherValue = (schema: unknown, index: number, here: Here): unknown => {
  const read = here.schemas.read(schema, here.direction);
  if (typeof read === 'boolean') return index;
  const { enum: values } = read;
  if (Array.isArray(values)) return (values as unknown[])[index] ?? values[0];
  const open = Object.fromEntries(Object.entries(read).filter(([name]) => !/^(examples?|default)$/.test(name)));
  return structureOf(composed(open, here), { ...here, pointer: `${here.pointer}/${index}`, index: here.index + index });
};

/** Where two rules need each other (`if`): the walk with `then`, or with `else`. */
const withCondition = (schema: unknown, walk: Walk): unknown => {
  const read = walk.schemas.read(schema, walk.direction);
  if (typeof read === 'boolean') return undefined;
  const here: Here = { ...walk, name: '', pointer: '', open: [read], index: 0 };
  const check = walk.schemas.check(schema, walk.direction);
  for (const keyword of ['then', 'else']) {
    const branch = walk.schemas.read(read[keyword] ?? true, walk.direction);
    if (typeof branch === 'boolean') continue;
    const value = structureOf(merged(read, composed(branch, here)), here);
    if (check(structuredClone(value)).length === 0) return value;
  }
  return undefined;
};
