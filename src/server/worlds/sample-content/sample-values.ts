/** Makes the items of fields that hold values. `sample-items.ts` makes those that lead to other records. */
import type { FieldDefinition, FieldTypeName } from '../../../core/model/bundle.ts';
import type { FieldItem } from '../../../core/model/entity.ts';
import type { Site } from '../../../core/site/site.ts';
import type { Random } from './random.ts';
import { nameOf, sentencesOf, within } from './sample-words.ts';

type ValueContext = {
  readonly site: Site;
  readonly random: Random;
  /** Seconds since 1970. */
  readonly now: number;
};

/** Undefined where the field allows no value. */
type Maker = (field: FieldDefinition, context: ValueContext) => FieldItem | undefined;

const day = 86_400;

const year = (random: Random): number => 1800 + random.below(220);
const twoDigits = (number: number): string => String(number).padStart(2, '0');
const dayOf = (random: Random): string =>
  `${year(random)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;

/** What an EDTF field takes: dates of several precisions, uncertain ones, intervals. */
const dates: readonly ((random: Random) => string)[] = [
  (random) => String(year(random)),
  (random) => dayOf(random).slice(0, 'YYYY-MM'.length),
  dayOf,
  (random) => `${year(random)}~`,
  (random) => `${String(year(random)).slice(0, 3)}X`,
  (random) => `${1800 + random.below(100)}/${1900 + random.below(100)}`,
];

/** The longest text that is drawn for a field, so that lists stay readable. */
const longest = (field: FieldDefinition): number => Math.min(field.maxLength ?? 400, 400);

/** Fields whose values are numbers to people, by what sites call them. */
const numbered = /isbn|oclc|number|identifier|pid|classification|volume|issue|edition/;

const short: Maker = (field, { random }) => ({
  value: within(numbered.test(field.name) ? String(100 + random.below(9000)) : nameOf(random), longest(field)),
});
const long: Maker = (field, { random }) => ({ value: within(sentencesOf(random), longest(field)) });

/** Every account may use the first format. */
const formatted: Maker = (field, context) => {
  const { textFormats } = context.site;
  const format = field.forms?.formats?.find((name) => name === textFormats[0]) ?? textFormats[0] ?? null;
  return { ...long(field, context), format };
};

const addressOf = (random: Random): string => `https://example.org/sample/${random.below(1000)}`;

const link: Maker = (field, { random }) => ({
  uri: field.link === 'internal' ? 'internal:/node/1' : addressOf(random),
  title: field.forms?.linkTitle === 'disabled' ? null : within(nameOf(random), 60),
});

/** A number inside the bounds of the field, as far as 0 to 1,000 lies inside them. */
const numberIn = ({ min, max, unsigned }: FieldDefinition, { random }: ValueContext): number => {
  const least = Math.max(min ?? 0, unsigned === true ? 0 : -Infinity);
  const most = Math.max(Math.min(max ?? least + 1000, least + 1000), least);
  return Math.ceil(least) + random.below(Math.floor(most) - Math.ceil(least) + 1);
};

/** As much as its digits before the point hold. */
const decimal: Maker = (field, context) => {
  const { precision = 10, scale = 2, min, max } = field;
  const widest = 10 ** Math.max(precision - scale, 0) - 1;
  const bounds = { ...field, min: Math.max(min ?? 0, -widest), max: Math.min(max ?? widest, widest) };
  return { value: numberIn(bounds, context).toFixed(scale) };
};

const choice =
  (toValue: (key: string) => string | number): Maker =>
  ({ allowedValues }, { random }) => {
    const key = random.pick(Object.keys(allowedValues ?? { 1: 'One', 2: 'Two' }));
    return key === undefined ? undefined : { value: toValue(key) };
  };

const makers: Readonly<Partial<Record<FieldTypeName, Maker>>> = {
  boolean: (_field, { random }) => ({ value: random.chance(0.5) }),
  integer: (field, context) => ({ value: numberIn(field, context) }),
  float: (field, context) => ({ value: numberIn(field, context) }),
  decimal,
  string: short,
  string_long: long,
  text: formatted,
  text_long: formatted,
  text_with_summary: (field, context) => ({ ...formatted(field, context), summary: nameOf(context.random) }),
  list_string: choice((key) => key),
  list_integer: choice(Number),
  email: (_field, { random }) => ({ value: `reader${random.below(1000)}@example.org` }),
  language: (_field, { random, site }) => ({ value: random.pick(site.languages) ?? site.langcode }),
  timestamp: (_field, { random, now }) => ({ value: now - random.below(3650) * day }),
  datetime: ({ dateOnly }, { random }) => ({ value: `${dayOf(random)}${dateOnly === true ? '' : 'T08:30:00+00:00'}` }),
  link,
  authority_link: (field, context) => ({
    ...link(field, context),
    source: context.random.pick(Object.keys(field.forms?.sources ?? {})) ?? null,
  }),
  edtf: (field, { random }) => ({ value: within(random.pick(dates)?.(random) ?? '1999', longest(field)) }),
  geolocation: (_field, { random }) => ({
    lat: (random.below(18_000) - 9000) / 100,
    lng: (random.below(36_000) - 18_000) / 100,
  }),
  comment: () => ({ status: 2 }),
  name: (_field, { random }) => ({ given: 'Ada', family: nameOf(random) }),
  other: (_field, { random }) => ({ value: nameOf(random) }),
};

/** One item as a client would send it. Undefined for a type without values to draw. */
export const valueItem = (field: FieldDefinition, context: ValueContext): FieldItem | undefined =>
  makers[field.type]?.(field, context);

/** The address of a film that another site shows. */
export const addressItem = ({ type }: FieldDefinition, random: Random): FieldItem => {
  const address = `https://www.youtube.com/watch?v=sample${random.below(100_000)}`;
  return type === 'link' ? { uri: address } : { value: address };
};
