/** Whether every value of one schema is one of another: what a schema takes away from those who relied on it. */
import { isDeepStrictEqual } from 'node:util';

/** A document's object, with its references. */
export type Part = Readonly<Record<string, unknown>>;
export type Follow = (value: unknown) => { readonly name: string | undefined; readonly schema: Part };

export const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {}; // just looked at
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Something that a client may have relied on and that is gone. `subject` is what a changelog must name. */
export type Break = { readonly subject: string; readonly what: string };

/** A schema on its way into a comparison: how to follow its references, and where it stands. */
export type Side = { readonly schema: unknown; readonly follow: Follow };
export type Place = { readonly subject: string; readonly path: string };

/**
 * What a client that sends values of `before` can no longer send to `after`. For what a client receives the sides are
 * exchanged (`direction`): a value of `after` that `before` did not know; a member that is new in an answer harms nobody.
 */
export const schemaBreaks = (direction: 'sent' | 'received', before: Side, after: Side, place: Place): Break[] => {
  const [from, to] = direction === 'sent' ? [before, after] : [after, before];
  return compare({ direction, from: from.follow, to: to.follow, seen: new Set() }, from.schema, to.schema, place);
};

type Comparison = {
  readonly direction: 'sent' | 'received';
  readonly from: Follow;
  readonly to: Follow;
  /** Pairs of names that are or have been compared: schemas may hold themselves. */
  readonly seen: Set<string>;
};

const compare = (comparison: Comparison, fromValue: unknown, toValue: unknown, place: Place): Break[] => {
  const [from, to] = [comparison.from(fromValue), comparison.to(toValue)];
  const here = to.name === undefined ? place : { subject: to.name, path: '' };
  const pair = `${from.name} ${to.name}`;
  if (from.name !== undefined && to.name !== undefined) {
    if (comparison.seen.has(pair)) return [];
    comparison.seen.add(pair);
  }
  const [all, wanted] = [merged(comparison.from, from.schema), merged(comparison.to, to.schema)];
  return [
    ...plainBreaks(all, wanted).map((what) => breakAt(comparison, here, what)),
    ...memberBreaks(comparison, all, wanted, here),
    ...otherMemberBreaks(comparison, all, wanted, here),
    ...choiceBreaks(comparison, all, wanted, here),
    ...(wanted['items'] === undefined
      ? []
      : compare(comparison, all['items'] ?? {}, wanted['items'], { ...here, path: `${here.path}[]` })),
  ];
};

const breakAt = ({ direction }: Comparison, { subject, path }: Place, what: string): Break => ({
  subject,
  what: `${path === '' ? '' : `${path}: `}${direction === 'sent' ? 'takes' : 'may give'} ${direction === 'sent' ? `${what} no longer` : what}`,
});

/** A schema together with those it is made of (`allOf`). */
const merged = (follow: Follow, schema: Part): Part =>
  listOf(schema['allOf']).reduce<Part>((all, each) => {
    const part = merged(follow, follow(each).schema);
    return {
      ...part,
      ...all,
      required: [...listOf(part['required']), ...listOf(all['required'])],
      properties: { ...partOf(part['properties']), ...partOf(all['properties']) },
    };
  }, schema);

const typesOf = ({ type }: Part): readonly unknown[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? (type as unknown[]) : [type]; // JSON Schema: names of types

const valuesOf = (schema: Part): readonly unknown[] | undefined =>
  'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined; // as above

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const exactWords = ['format', 'pattern', 'uniqueItems', 'multipleOf', 'not'] as const;

/** Values of `from` that `to` does not have, by the words that concern a value itself. */
const plainBreaks = (from: Part, to: Part): string[] => {
  const [types, wantedTypes] = [typesOf(from), typesOf(to)];
  const isType = (type: unknown): boolean =>
    wantedTypes === undefined || wantedTypes.includes(type) || (type === 'integer' && wantedTypes.includes('number'));
  const anyType = wantedTypes === undefined ? [] : ['values of any type'];
  const badTypes = types?.filter((type) => !isType(type)).map((type) => `type ${String(type)}`) ?? anyType;
  const [values, wantedValues] = [valuesOf(from), valuesOf(to)];
  const badValues =
    wantedValues === undefined
      ? []
      : values === undefined
        ? ['values of its own']
        : values.filter((value) => !wantedValues.some((wanted) => isDeepStrictEqual(wanted, value)));
  const numberOf = (schema: Part, word: string, otherwise: number): number =>
    typeof schema[word] === 'number' ? schema[word] : otherwise;
  return [
    ...badTypes,
    ...badValues.map((value) => `the value ${String(value)}`),
    ...lowerBounds
      .filter((word) => numberOf(to, word, -Infinity) > numberOf(from, word, implied(word)))
      .map((word) => `less than ${word} ${String(to[word])}`),
    ...upperBounds
      .filter((word) => numberOf(to, word, Infinity) < numberOf(from, word, Infinity))
      .map((word) => `more than ${word} ${String(to[word])}`),
    ...exactWords
      .filter((word) => to[word] !== undefined && !isDeepStrictEqual(from[word], to[word]))
      .map((word) => `another ${word} than ${JSON.stringify(to[word])}`),
  ];
};

/** No list is shorter than empty. */
const implied = (word: string): number => (/^min(Length|Items|Properties)$/.test(word) ? 0 : -Infinity);

const memberBreaks = (comparison: Comparison, from: Part, to: Part, place: Place): Break[] => {
  const [members, wanted] = [partOf(from['properties']), partOf(to['properties'])];
  const at = (name: string): Place => ({ ...place, path: `${place.path}.${name}` });
  const received = comparison.direction === 'received';
  const missing = listOf(to['required']).filter((name) => !listOf(from['required']).includes(name));
  const gone = received ? Object.keys(wanted).filter((name) => !(name in members)) : [];
  const unknown = received ? [] : Object.keys(members).filter((name) => !(name in wanted) && isClosed(to));
  return [
    ...missing
      .filter((name) => !gone.includes(String(name)))
      .map((name) => ({
        subject: place.subject,
        what: `${at(String(name)).path}: is ${received ? 'not promised any more' : 'demanded now'}`,
      })),
    ...[...gone, ...unknown].map((name) => ({ subject: place.subject, what: `${at(name).path}: is gone` })),
    ...Object.keys(members).flatMap((name) =>
      name in wanted ? compare(comparison, members[name], wanted[name], at(name)) : [],
    ),
  ];
};

/** Members whose names are not given: by a pattern, or any. */
const otherMemberBreaks = (comparison: Comparison, from: Part, to: Part, place: Place): Break[] => {
  const [patterns, wanted] = [partOf(from['patternProperties']), partOf(to['patternProperties'])];
  const [others, wantedOthers] = [from['additionalProperties'] ?? true, to['additionalProperties'] ?? true];
  return [
    ...Object.entries(wanted).flatMap(([pattern, schema]) =>
      compare(comparison, patterns[pattern] ?? {}, schema, { ...place, path: `${place.path}/${pattern}/` }),
    ),
    ...(wantedOthers === false && others !== false ? [breakAt(comparison, place, 'members of other names')] : []),
    ...(typeof wantedOthers === 'object' && others !== false
      ? compare(comparison, others, wantedOthers, { ...place, path: `${place.path}.*` })
      : []),
  ];
};

const isClosed = (schema: Part): boolean => schema['additionalProperties'] === false;

/** Each shape of `from` must be one of those of `to`. */
const choiceBreaks = (comparison: Comparison, from: Part, to: Part, place: Place): Break[] => {
  const choicesOf = (schema: Part): readonly unknown[] => [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  const [choices, wanted] = [choicesOf(from), choicesOf(to)];
  if (wanted.length === 0) return choices.flatMap((choice) => compare(comparison, choice, withoutChoices(to), place));
  const fits = (choice: unknown): boolean =>
    wanted.some((each) => compare({ ...comparison, seen: new Set() }, choice, each, place).length === 0);
  const alternatives = choices.length > 0 ? choices : [from];
  return alternatives.every(fits) ? [] : [breakAt(comparison, place, 'another shape')];
};

/** What each choice is held to beside the choice; the members stand in the choices themselves. */
const withoutChoices = ({ type, enum: values }: Part): Part => ({
  ...(type === undefined ? {} : { type }),
  ...(values === undefined ? {} : { enum: values }),
});
