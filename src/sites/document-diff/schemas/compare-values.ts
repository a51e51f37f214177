/** Compares what two schemas say of a value itself: type, values, bounds, and the other words. */
import { areEqual } from '../../../basics/equal-values.ts';
import { asked, offered, type Comparison } from './comparison.ts';
import { finding, type Finding, type Place } from '../finding.ts';
import { sameMeaning } from '../same-meaning.ts';
import { outside } from './schema-bounds.ts';
import { isOneOf, type Shape } from './schema-shape.ts';

/** What of `from` lies outside `to`. `types`: those that both have. */
export const valueLosses = (
  comparison: Comparison,
  from: Shape,
  to: Shape,
  types: readonly string[] | undefined,
  place: Place,
): Finding[] => {
  const { direction } = comparison;
  const words = types?.length === 0 ? [] : wordLosses(comparison, from, to, types);
  const certain = [
    ...typesOutside(from, to),
    ...valuesOutside(from, to, types),
    ...(types?.length === 0 ? [] : outside(from.bounds, to.bounds, types)),
    ...words.filter(({ isCertain }) => isCertain).map(({ what }) => what),
  ];
  const perhaps = words.filter(({ isCertain }) => !isCertain).map(({ what }) => what);
  return [
    ...certain.map((what) => finding(`${direction}-values`, place, what)),
    ...perhaps.map((what) => finding(`${direction}-values-perhaps`, place, what)),
  ];
};

const typesOutside = (from: Shape, to: Shape): string[] => {
  const wanted = to.types;
  if (wanted === undefined || (from.values !== undefined && to.values !== undefined)) return [];
  if (from.types === undefined) return ['values of any type'];
  return from.types.filter((type) => !isOneOf(type, wanted)).map((type) => `type ${type}`);
};

const valuesOutside = (from: Shape, to: Shape, types: readonly string[] | undefined): string[] => {
  const wanted = to.values;
  if (wanted === undefined) return [];
  if (from.values === undefined) return types?.every((type) => type === 'null') === true ? [] : ['values of its own'];
  return from.values
    .filter((value) => !wanted.some((each) => areEqual(each, value)))
    .map((value) => `the value ${typeof value === 'string' ? value : JSON.stringify(value)}`);
};

type WordLoss = { readonly what: string; readonly isCertain: boolean };

/** Words that take something away wherever they stand alone. */
const narrowing: readonly string[] = [
  ...['format', 'pattern', 'multipleOf', 'uniqueItems', 'not', 'contains', 'propertyNames', 'dependentRequired'],
];

/** The types that a keyword of JSON Schema concerns. A keyword that is not here concerns all. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  format: ['string', 'number', 'integer'],
  pattern: ['string'],
  multipleOf: ['number', 'integer'],
  uniqueItems: ['array'],
  contains: ['array'],
  prefixItems: ['array'],
  unevaluatedItems: ['array'],
  propertyNames: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  unevaluatedProperties: ['object'],
};

const wordLosses = (comparison: Comparison, from: Shape, to: Shape, types: readonly string[] | undefined): WordLoss[] =>
  Object.entries(to.words).flatMap(([word, wanted]) => {
    const isMeant = types === undefined || (concerned[word] ?? types).some((type) => types.includes(type));
    if (!isMeant) return [];
    const own = from.words[word] ?? [];
    const readers = [offered(comparison), asked(comparison)] as const;
    return wanted
      .filter((value) => !own.some((each) => sameMeaning(...readers, each, value)))
      .flatMap((value) => wordLoss(word, own, value, from));
  });

const wordLoss = (word: string, own: readonly unknown[], value: unknown, from: Shape): WordLoss[] => {
  const what = whatOf(word, value);
  // Listed values show themselves whether they are of a form.
  if (word === 'pattern' && from.values !== undefined && typeof value === 'string') {
    const outsiders = from.values.filter((each) => typeof each === 'string' && !matches(value, each));
    return outsiders.map((each) => ({ what: `the value ${String(each)}`, isCertain: true }));
  }
  if (own.length === 0) return [{ what, isCertain: narrowing.includes(word) }];
  if (own.some((each) => liesWithin(word, each, value))) return [];
  const isCertain = word === 'multipleOf' || (word === 'format' && [...own, value].every(isKnownFormat));
  return [{ what, isCertain }];
};

const whatOf = (word: string, value: unknown): string => {
  if (word === 'uniqueItems') return 'lists with equal items';
  const text = JSON.stringify(value);
  return `values of another ${word}${text.length > 60 ? '' : ` than ${text}`}`;
};

const matches = (pattern: string, text: string): boolean => {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
};

/** Formats whose values are all of another one as well. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  uri: ['uri-reference', 'iri', 'iri-reference'],
  iri: ['iri-reference'],
  'uri-reference': ['iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  int32: ['int64'],
  float: ['double'],
};

const otherFormats: readonly string[] = [
  ...['date', 'date-time', 'time', 'duration', 'uuid', 'ipv4', 'ipv6', 'json-pointer', 'binary', 'byte'],
];
const knownFormats = new Set([...Object.keys(widerFormats), ...Object.values(widerFormats).flat(), ...otherFormats]);

const isKnownFormat = (format: unknown): boolean => knownFormats.has(String(format));

const liesWithin = (word: string, own: unknown, wanted: unknown): boolean => {
  if (word === 'format') return widerFormats[String(own)]?.includes(String(wanted)) === true;
  if (word === 'multipleOf') return Number.isInteger(Number(own) / Number(wanted));
  return false;
};
