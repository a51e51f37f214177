/** Reads a schema into what it says of a value: types, values, bounds, members, choices, with the schemas that it is made of. */
import { areEqual } from '../../../basics/equal-values.ts';
import { partOf, type Part } from '../../../openapi/openapi-terms.ts';
import { isRecord, listOf } from '../../../basics/json.ts';
import type { DocumentReader } from '../document-reader.ts';
import { boundsOf, tighter, type Bounds } from './schema-bounds.ts';

/** What one schema, together with those in its `allOf`, says. Schemas in it stand as they are written. */
export type Shape = {
  /** No value is valid. */
  readonly isNever: boolean;
  /** Undefined: any type. */
  readonly types: readonly string[] | undefined;
  /** Undefined: any value. */
  readonly values: readonly unknown[] | undefined;
  readonly bounds: Bounds;
  readonly properties: Part;
  readonly required: readonly string[];
  readonly patterns: Part;
  /** `additionalProperties`. */
  readonly others: unknown;
  readonly items: unknown;
  /** Each group has alternatives, one of which holds. */
  readonly choices: readonly (readonly unknown[])[];
  /** Every other word that concerns the value, with what the schemas say of it. */
  readonly words: Readonly<Record<string, readonly unknown[]>>;
  /** The schemas without what combines them: what is said next to the choices. */
  readonly plain: readonly Part[];
};

/** Words of JSON Schema that the members of a shape do not hold, and that narrow what is valid. */
const wordNames: readonly string[] = [
  ...['format', 'pattern', 'multipleOf', 'uniqueItems', 'not', 'contains', 'minContains', 'maxContains'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'prefixItems'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'contentEncoding', 'contentMediaType', 'contentSchema'],
];

const combining: readonly string[] = ['allOf', 'oneOf', 'anyOf'];

/** Schemas are nested no deeper. A schema that is made of itself would be endless. */
const deepest = 30;

const shapesByReader = new WeakMap<DocumentReader, WeakMap<object, Shape>>();

/** The shape of a schema of a document, or of one that a comparison has put together. */
export const shapeOf = (reader: DocumentReader, schema: unknown, depth = 0): Shape => {
  const { value } = reader.follow(schema);
  if (value === false) return { ...anything, isNever: true };
  if (!isRecord(value)) return anything;
  const shapes = shapesByReader.get(reader) ?? new WeakMap<object, Shape>();
  shapesByReader.set(reader, shapes);
  const known = shapes.get(value);
  if (known !== undefined) return known;
  const inner = depth > deepest ? [] : listOf(value['allOf']).map((each) => shapeOf(reader, each, depth + 1));
  const shape = withTypes(reader, inner.reduce(combined, ownShape(value)), depth);
  shapes.set(value, shape);
  return shape;
};

const anything: Shape = {
  ...{ isNever: false, types: undefined, values: undefined, bounds: {}, properties: {}, required: [], patterns: {} },
  ...{ others: true, items: undefined, choices: [], words: {}, plain: [] },
};

const ownShape = (part: Part): Shape => ({
  isNever: false,
  types: typesOf(part),
  values: valuesOf(part),
  bounds: boundsOf(part),
  properties: partOf(part['properties']),
  required: listOf(part['required']).map(String),
  patterns: partOf(part['patternProperties']),
  others: part['additionalProperties'] ?? true,
  items: part['items'],
  choices: [part['oneOf'], part['anyOf']].map(listOf).filter(({ length }) => length > 0),
  words: Object.fromEntries(wordNames.filter((word) => says(part, word)).map((word) => [word, [part[word]]])),
  plain: [Object.fromEntries(Object.entries(part).filter(([word]) => !combining.includes(word)))],
});

const valuesOf = (part: Part): readonly unknown[] | undefined => {
  if ('const' in part) return [part['const']];
  return Array.isArray(part['enum']) ? (part['enum'] as unknown[]) : listedBy(part); // just looked at
};

/** A pattern such as `^(image|video)$` lists the values of a text. */
const listedBy = ({ type, pattern }: Part): readonly string[] | undefined => {
  if (type !== 'string' || typeof pattern !== 'string') return undefined;
  return /^\^\(([\w:/-]+(?:\|[\w:/-]+)*)\)\$$/.exec(pattern)?.[1]?.split('|');
};

/** `uniqueItems: false` says nothing, and so do `unevaluatedProperties: true` and a pattern that is read as a list. */
const says = (part: Part, word: string): boolean => {
  const value = part[word];
  if (word === 'pattern' && listedBy(part) !== undefined) return false;
  return value !== undefined && value !== (word.startsWith('unevaluated') ? true : false);
};

/** `nullable` is of OpenAPI 3.0. */
const typesOf = ({ type, nullable }: Part): readonly string[] | undefined => {
  if (type === undefined) return undefined;
  const types = [type].flat().map(String);
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types;
};

/** What both shapes allow. */
const combined = (one: Shape, other: Shape): Shape => ({
  isNever: one.isNever || other.isNever,
  types: one.types === undefined ? other.types : commonTypes(one.types, other.types),
  values:
    one.values === undefined || other.values === undefined
      ? (one.values ?? other.values)
      : one.values.filter((value) => (other.values ?? []).some((each) => areEqual(each, value))),
  bounds: tighter(one.bounds, other.bounds),
  properties: mergedMembers(one.properties, other.properties),
  required: [...new Set([...one.required, ...other.required])],
  patterns: mergedMembers(one.patterns, other.patterns),
  others: bothSchemas(one.others, other.others),
  items:
    one.items === undefined ? other.items : other.items === undefined ? one.items : bothSchemas(one.items, other.items),
  choices: [...one.choices, ...other.choices],
  words: mergedWords(one.words, other.words),
  plain: [...one.plain, ...other.plain],
});

/** The types that both allow; an integer is also a number. */
export const commonTypes = (one: readonly string[], other: readonly string[] | undefined): readonly string[] => {
  if (other === undefined) return one;
  const kept = one.filter((type) => isOneOf(type, other));
  return [...kept, ...other.filter((type) => !kept.includes(type) && isOneOf(type, one))];
};

export const isOneOf = (type: string, types: readonly string[]): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

const mergedMembers = (one: Part, other: Part): Part =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      name in one && name in other ? bothSchemas(one[name], other[name]) : (one[name] ?? other[name]),
    ]),
  );

/** A schema that holds what both say. */
const bothSchemas = (one: unknown, other: unknown): unknown => {
  if (one === false || other === false) return false;
  if (one === true) return other;
  if (other === true || areEqual(one, other)) return one;
  if (!isRecord(one) || !isRecord(other)) return { allOf: [one, other] };
  const made = madeOf.get(one) ?? new WeakMap<object, unknown>();
  madeOf.set(one, made);
  const both = made.get(other) ?? { allOf: [one, other] };
  made.set(other, both);
  return both;
};

/** What two schemas make together is one object, so that a comparison knows it again. */
const madeOf = new WeakMap<object, WeakMap<object, unknown>>();

const mergedWords = (one: Shape['words'], other: Shape['words']): Shape['words'] =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((word) => {
      const [own = [], more = []] = [one[word], other[word]];
      return [word, [...own, ...more.filter((value) => !own.some((each) => areEqual(each, value)))]];
    }),
  );

/** With the types that are left: those of the values or, where a schema names none, those of the alternatives of a choice. */
const withTypes = (reader: DocumentReader, shape: Shape, depth: number): Shape => {
  const { types, values } = shape;
  if (values !== undefined) {
    const left = values.filter((value) => types === undefined || isOneOf(typeOfValue(value), types));
    return {
      ...shape,
      values: left,
      types: [...new Set(left.map(typeOfValue))],
      isNever: shape.isNever || left.length === 0,
    };
  }
  if (types !== undefined) return { ...shape, isNever: shape.isNever || types.length === 0 };
  if (depth > deepest) return shape;
  for (const group of shape.choices) {
    const inner = group.map((each) => shapeOf(reader, each, depth + 1).types);
    if (!inner.includes(undefined)) return { ...shape, types: [...new Set(inner.flatMap((each) => each ?? []))] };
  }
  return shape;
};

const typeOfValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
};

/** The schema of a member by its name: its own, or else those of the patterns that it fits, or else that of all others. */
export const memberOf = (shape: Shape, name: string): unknown => {
  if (name in shape.properties) return shape.properties[name];
  const fitting = Object.keys(shape.patterns).filter((pattern) => fits(pattern, name));
  if (fitting.length === 0) return shape.others;
  return fitting.map((pattern) => shape.patterns[pattern]).reduce(bothSchemas, true);
};

/** A pattern that is not a regular expression of this machine fits nothing. */
const fits = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
};

/** Whether a schema says anything: `{}` and a mere description do not. */
export const isOpen = (schema: unknown): boolean =>
  schema === undefined ||
  schema === true ||
  (isRecord(schema) && Object.keys(schema).every((word) => word === 'description'));
