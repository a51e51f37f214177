/** Draws the items of fields that hold values. `sample-items.ts` makes those that lead to other records. */
import type { FieldDefinition, FieldTypeName } from '../../../core/model/bundle.ts';
import type { FieldItem } from '../../../core/model/entity.ts';
import type { Site } from '../../../core/site/site.ts';
import type { Draws } from './random.ts';
import { nameOf, sentencesOf, within } from './sample-words.ts';

type ValueContext = {
  readonly site: Site;
  readonly draws: Draws;
  /** Seconds since 1970. */
  readonly now: number;
};

/** Undefined where the field allows no value. */
type Maker = (field: FieldDefinition, context: ValueContext) => FieldItem | undefined;

const day = 86_400;

const year = (draws: Draws): number => 1800 + draws.below(220);
const twoDigits = (number: number): string => String(number).padStart(2, '0');
const dayOf = (draws: Draws): string =>
  `${year(draws)}-${twoDigits(1 + draws.below(12))}-${twoDigits(1 + draws.below(28))}`;

/** What an EDTF field takes: dates of several precisions, uncertain ones, intervals. */
const dates: readonly ((draws: Draws) => string)[] = [
  (draws) => String(year(draws)),
  (draws) => dayOf(draws).slice(0, 'YYYY-MM'.length),
  dayOf,
  (draws) => `${year(draws)}~`,
  (draws) => `${String(year(draws)).slice(0, 3)}X`,
  (draws) => `${1800 + draws.below(100)}/${1900 + draws.below(100)}`,
];

/** The longest text that is drawn for a field, so that lists stay readable. */
const longest = (field: FieldDefinition): number => Math.min(field.maxLength ?? 400, 400);

const short: Maker = (field, { draws }) => ({ value: within(nameOf(draws), longest(field)) });
const long: Maker = (field, { draws }) => ({ value: within(sentencesOf(draws), longest(field)) });

/** Every account may use the first format. */
const formatted: Maker = (field, context) => {
  const { textFormats } = context.site;
  const format = field.forms?.formats?.find((name) => name === textFormats[0]) ?? textFormats[0] ?? null;
  return { ...long(field, context), format };
};

const addressOf = (draws: Draws): string => `https://example.org/sample/${draws.below(1000)}`;

const link: Maker = (field, { draws }) => ({
  uri: field.link === 'internal' ? 'internal:/node/1' : addressOf(draws),
  title: field.forms?.linkTitle === 'disabled' ? null : within(nameOf(draws), 60),
});

/** A number inside the bounds of the field, as far as 0 to 1,000 lies inside them. */
const numberIn = ({ min, max, unsigned }: FieldDefinition, { draws }: ValueContext): number => {
  const least = Math.max(min ?? 0, unsigned === true ? 0 : -Infinity);
  const most = Math.max(Math.min(max ?? least + 1000, least + 1000), least);
  return Math.ceil(least) + draws.below(Math.floor(most) - Math.ceil(least) + 1);
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
  ({ allowedValues }, { draws }) => {
    const key = draws.pick(Object.keys(allowedValues ?? { 1: 'One', 2: 'Two' }));
    return key === undefined ? undefined : { value: toValue(key) };
  };

const makers: Readonly<Partial<Record<FieldTypeName, Maker>>> = {
  boolean: (_field, { draws }) => ({ value: draws.chance(0.5) }),
  integer: (field, context) => ({ value: numberIn(field, context) }),
  float: (field, context) => ({ value: numberIn(field, context) }),
  decimal,
  string: short,
  string_long: long,
  text: formatted,
  text_long: formatted,
  text_with_summary: (field, context) => ({ ...formatted(field, context), summary: nameOf(context.draws) }),
  list_string: choice((key) => key),
  list_integer: choice(Number),
  email: (_field, { draws }) => ({ value: `reader${draws.below(1000)}@example.org` }),
  language: (_field, { draws, site }) => ({ value: draws.pick(site.languages) ?? site.langcode }),
  timestamp: (_field, { draws, now }) => ({ value: now - draws.below(3650) * day }),
  datetime: ({ dateOnly }, { draws }) => ({ value: `${dayOf(draws)}${dateOnly === true ? '' : 'T08:30:00+00:00'}` }),
  link,
  authority_link: (field, context) => ({
    ...link(field, context),
    source: context.draws.pick(Object.keys(field.forms?.sources ?? {})) ?? null,
  }),
  edtf: (field, { draws }) => ({ value: within(draws.pick(dates)?.(draws) ?? '1999', longest(field)) }),
  geolocation: (_field, { draws }) => ({
    lat: (draws.below(18_000) - 9000) / 100,
    lng: (draws.below(36_000) - 18_000) / 100,
  }),
  comment: () => ({ status: 2 }),
  name: (_field, { draws }) => ({ given: 'Ada', family: nameOf(draws) }),
  other: (_field, { draws }) => ({ value: nameOf(draws) }),
};

/** One item as a client would send it. Undefined for a type without values to draw. */
export const valueItem = (field: FieldDefinition, context: ValueContext): FieldItem | undefined =>
  makers[field.type]?.(field, context);

/** The address of a film that another site shows. */
export const addressItem = ({ type }: FieldDefinition, draws: Draws): FieldItem => {
  const address = `https://www.youtube.com/watch?v=sample${draws.below(100_000)}`;
  return type === 'link' ? { uri: address } : { value: address };
};
